// Reads games.csv back, block by block; what is damaged is named with its line.
#pragma once

#include "results/record.h"
#include "results/store/file.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

class GamesReader {
  public:
    // The facts must outlive the reader. Of the file no more than its first bytes are read; with
    // `from`, where a block begins, not the blocks before it.
    GamesReader(std::string path, const RunFacts& facts, std::uint64_t bytes = ~std::uint64_t{0},
                std::uint64_t from = 0);
    // The same of a text in memory, which `name` stands for in messages and which must outlive it.
    GamesReader(std::string name, std::string_view text, const RunFacts& facts);
    ~GamesReader();
    GamesReader(const GamesReader&) = delete;
    GamesReader& operator=(const GamesReader&) = delete;

    // The games of the next block, in place of what stood there. False at the end, and where the
    // file cannot be read on: then there is a failure, "runs/a/games.csv:17: the place is 'x'".
    bool next(std::vector<GameRecord>& games);
    [[nodiscard]] const Failure& failure() const;

  private:
    class Rows;

    bool read_game(GameRecord& game);

    const RunFacts& facts_;
    std::unique_ptr<Rows> rows_;
    GameRecord ahead_; // the first game of the next block
    bool has_ahead_ = false;
    unsigned ahead_line_ = 0; // its first
    bool begun_ = false;
};

} // namespace croupier::results
