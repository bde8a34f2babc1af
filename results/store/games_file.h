// games.csv: rows as text, a row per game and seat; read back block by block, where what is damaged
// is named with its line. And moves.jsonl.
#pragma once

#include "results/record.h"
#include "results/store/file.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::results {

inline constexpr std::string_view kRowTitles =
    "block,game,start,seat,player,agent,score,place,role,plies,end,fault,substitute,line\n";
// Comparisons also record how much there was to choose.
inline constexpr std::string_view kComparedTitles =
    "block,game,start,seat,player,agent,score,place,role,plies,end,fault,substitute,line,choices,"
    "forced\n";

std::string_view name_of(End end);
std::optional<End> end_of(std::string_view name);

// Immutable; several threads may use one.
class RowFormat {
  public:
    // `choices`: rows below kComparedTitles.
    explicit RowFormat(const RunFacts& facts, bool choices = false);

    // The rows of one game, each ended by a newline.
    void append(const GameRecord& game, std::string& into) const;

  private:
    [[nodiscard]] const std::string& who(const GameRecord& game, std::size_t seat) const;

    std::size_t agents_;
    bool choices_;
    std::vector<std::string> who_; // seat * agents + agent: "2,NORTH,eval,", as it stands in a row
};

// The text as a cell of CSV: in quotes where it needs them.
std::string csv_cell(std::string_view text);

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

// moves.jsonl: games of a run that were kept, move by move; which of them, and found again.
//
// A game is some lines, the first of which begins with its name: {"id":"3.1", .. What else they
// hold is known to who writes and plays them (tournaments/replay/game_record.h).

inline constexpr std::string_view kMovesFile = "moves.jsonl";

enum class Keep : std::uint8_t {
    None,
    Faults, // games that ended by a fault, or were aborted
    All,
};
std::string_view name_of(Keep keep); // "none", "faults", "all"
std::optional<Keep> keep_of(std::string_view name);

inline bool keeps(Keep keep, End end) {
    return keep == Keep::All ||
           (keep == Keep::Faults && (end == End::Fault || end == End::Aborted));
}

// "3.1": block and game.
struct GameId {
    std::uint64_t block = 0;
    std::uint32_t game = 0;

    friend auto operator<=>(const GameId&, const GameId&) = default;
};
std::string text_of(GameId id);
std::optional<GameId> game_id_of(std::string_view text);

// Reads moves.jsonl game by game.
class KeptGames {
  public:
    // A file that is not there is one without games; of the file no more than its first bytes.
    explicit KeptGames(std::string path, std::uint64_t bytes = ~std::uint64_t{0});

    // The next game; its lines, each ended by a newline, in place of what stood there. False at the
    // end, and after a failure.
    bool next(GameId& id, std::string& lines);
    // Those of that block, all together; blocks are asked for in ascending order.
    void take_block(std::uint64_t block, std::string& lines);
    [[nodiscard]] const Failure& failure() const { return failure_; }

  private:
    bool next_line();
    bool fail(std::string_view what);

    std::string path_;
    File file_;
    std::uint64_t read_ = 0; // bytes
    std::uint64_t most_ = 0;
    std::string buffer_;
    std::size_t at_ = 0;       // in the buffer
    std::string line_;         // the current one, with its newline; empty: the next is to be read
    std::uint64_t number_ = 0; // its
    std::optional<std::pair<GameId, std::string>> ahead_; // of take_block
    Failure failure_;
};

} // namespace croupier::results
