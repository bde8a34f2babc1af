// games.csv: a row per game and seat; read back block by block, with the line of any damage. And
// moves.jsonl.
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
// Comparisons also record the number of choices, and where known, how the lead went and which rules
// fired.
inline constexpr std::string_view kComparedTitles =
    "block,game,start,seat,player,agent,score,place,role,plies,end,fault,substitute,line,choices,"
    "forced,settled,leads,comeback,fired\n";

std::string_view name_of(End end);
std::optional<End> end_of(std::string_view name);

// Immutable; several threads may use one.
class RowFormat {
  public:
    // `choices`: rows have the columns of kComparedTitles.
    explicit RowFormat(const RunFacts& facts, bool choices = false);

    // The rows of one game, each ended by a newline.
    void append(const GameRecord& game, std::string& into) const;

  private:
    [[nodiscard]] const std::string& who(const GameRecord& game, std::size_t seat) const;

    std::size_t agents_;
    bool choices_;
    std::vector<std::string> who_; // seat * agents + agent: "2,NORTH,eval,", as in a row
};

// The text as a CSV cell, quoted if necessary.
std::string csv_cell(std::string_view text);

class GamesReader {
  public:
    // The facts must outlive the reader. Reads at most the first `bytes` of the file; skips the
    // blocks before `from`, which must be the start of a block.
    GamesReader(std::string path, const RunFacts& facts, std::uint64_t bytes = ~std::uint64_t{0},
                std::uint64_t from = 0);
    // The same for a text in memory, which must outlive it; `name` identifies it in messages.
    GamesReader(std::string name, std::string_view text, const RunFacts& facts);
    ~GamesReader();
    GamesReader(const GamesReader&) = delete;
    GamesReader& operator=(const GamesReader&) = delete;

    // Replaces `games` by those of the next block. False at the end, and after a failure such as
    // "runs/a/games.csv:17: the place is 'x'".
    bool next(std::vector<GameRecord>& games);
    [[nodiscard]] const Failure& failure() const;

  private:
    class Rows;

    bool read_game(GameRecord& game);

    const RunFacts& facts_;
    std::unique_ptr<Rows> rows_;
    GameRecord ahead_; // the first game of the next block
    bool has_ahead_ = false;
    unsigned ahead_line_ = 0; // its first line
    bool begun_ = false;
};

// moves.jsonl: the recorded games of a run, move by move; which ones, and how to find them.
//
// A game is a number of lines, the first of which begins with its name: {"id":"3.1", .. The rest is
// up to the code that writes and replays them (tournaments/replay/game_record.h).

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
    // A missing file has no games; reads at most the first `bytes` of the file.
    explicit KeptGames(std::string path, std::uint64_t bytes = ~std::uint64_t{0});

    // Replaces `lines` by those of the next game, each ended by a newline. False at the end, and
    // after a failure.
    bool next(GameId& id, std::string& lines);
    // Appends all games of that block; call with ascending blocks.
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
    std::string line_;         // the current one, with its newline; empty if the next must be read
    std::uint64_t number_ = 0; // of that line
    std::optional<std::pair<GameId, std::string>> ahead_; // for take_block
    Failure failure_;
};

} // namespace croupier::results
