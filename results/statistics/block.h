// What one deal block comes to: who met whom, and the scores that statistics and stop rules read.
#pragma once

#include "results/record.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace croupier::results {

// The rated: an agent, or a partnership of different agents, which is rated as a team. Contestant i
// is agent i; mixed partnerships follow in the order in which blocks show them.
using Contestant = std::uint32_t;

// One side of one game: a team of the game, or a seat where everyone plays alone.
struct Side {
    Contestant contestant = 0;
    std::uint32_t place = 0; // of the record: 1 is the best
};

// Replaces `into` by the best placed side of each contestant.
void best_of_each(std::span<const Side> sides, std::vector<Side>& into);
// What part of the game a side with that place has won: those that share the best one share it.
double win_share(std::span<const Side> sides, std::uint32_t place);

// What two different contestants did to each other in a block: each pair of their sides, in every
// game, gives two halves to the better placed or one to each. `halves` are the first's, of
// 2 * `pairs`.
struct Meeting {
    Contestant first = 0; // below `second`
    Contestant second = 0;
    std::uint32_t halves = 0;
    std::uint32_t pairs = 0;
};

// Adds those of a single game; each couple stands there once, in ascending order.
void add_meetings(std::span<const Side> sides, std::vector<Meeting>& meetings);

// By contestant the block score in [0, 1]: halves won of halves played for, over all meetings.
// Absent for whoever met nobody in the block.
using BlockScores = std::vector<std::optional<double>>;

struct BlockOutcome {
    std::vector<Meeting> meetings; // each couple once, in ascending order
    BlockScores scores;
    std::uint32_t games = 0; // that had places; one without (an aborted game) is void
    std::uint32_t voids = 0; // that had none: they count for nobody
    bool diverged = false;   // the games' moves were not all the same
    bool comparable = false; // there were at least two games to diverge
};

// Reads blocks in schedule order. Keeps who the contestants are, and the memory of what it returns.
class BlockReader {
  public:
    explicit BlockReader(const RunFacts& facts);

    // All games of one block; good until the next one. The records' agents and seats must be those
    // of the facts.
    const BlockOutcome& read(std::span<const GameRecord> games);
    // The sides of one game, in the order of teams or seats; empty for a void game. Good until the
    // next game or block.
    std::span<const Side> sides(const GameRecord& game);

    // The seats of each side.
    [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& teams() const { return teams_; }
    [[nodiscard]] std::size_t contestants() const { return members_.size(); }
    // The agents behind it, ascending; a partnership of one agent with itself is that agent.
    [[nodiscard]] const std::vector<std::uint32_t>& members(Contestant contestant) const {
        return members_[contestant];
    }
    // "anna", or "anna + ben".
    [[nodiscard]] std::string name(Contestant contestant) const;

  private:
    struct Halves {
        std::uint64_t won = 0;
        std::uint64_t possible = 0;
    };

    Contestant partnership(std::span<const std::uint32_t> team, const GameRecord& game);
    void take_scores();

    std::vector<std::string> agents_;
    std::vector<std::vector<std::uint32_t>> teams_; // seats; one each where everyone plays alone
    std::vector<std::vector<std::uint32_t>> members_;
    std::vector<Side> sides_;
    std::vector<Halves> halves_; // by contestant
    BlockOutcome outcome_;
};

} // namespace croupier::results
