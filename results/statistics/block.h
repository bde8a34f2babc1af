// The results of one deal block: meetings, and the scores that statistics and stop rules read.
#pragma once

#include "results/record.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace croupier::results {

// What is rated: an agent, or a partnership of different agents, rated as a team. Contestant i is
// agent i; mixed partnerships follow in order of first appearance.
using Contestant = std::uint32_t;

// One side of one game: a team, or a seat if everyone plays alone.
struct Side {
    Contestant contestant = 0;
    std::uint32_t place = 0; // in the record: 1 is the best
};

// Replaces `into` by the best-placed side of each contestant.
void best_of_each(std::span<const Side> sides, std::vector<Side>& into);
// The share of a win for a side with that place: sides with the best place share the win.
double win_share(std::span<const Side> sides, std::uint32_t place);

// Two different contestants in a block: each pair of their sides, in every game, gives two halves
// to the better placed, or one to each. `halves` are the first's, out of 2 * `pairs`.
struct Meeting {
    Contestant first = 0; // below `second`
    Contestant second = 0;
    std::uint32_t halves = 0;
    std::uint32_t pairs = 0;
};

// Adds the meetings of a single game; each couple appears once, in ascending order.
void add_meetings(std::span<const Side> sides, std::vector<Meeting>& meetings);

// The block score in [0, 1] by contestant: halves won divided by halves played for, over all
// meetings. Absent if the contestant met no other in the block.
using BlockScores = std::vector<std::optional<double>>;

struct BlockOutcome {
    std::vector<Meeting> meetings; // each couple once, in ascending order
    BlockScores scores;
    std::uint32_t games = 0; // with places; a game without (an aborted one) is void
    std::uint32_t voids = 0; // without places: they do not count
    bool diverged = false;   // the games have different moves
    bool comparable = false; // there are at least two games to compare
};

// Reads blocks in schedule order. Numbers the contestants, and owns what it returns.
class BlockReader {
  public:
    explicit BlockReader(const RunFacts& facts);

    // Reads all games of one block; the result is valid until the next call. The records' agents
    // and seats must be those of the facts.
    const BlockOutcome& read(std::span<const GameRecord> games);
    // The sides of one game, in the order of teams or seats; empty for a void game. Valid until the
    // next game or block.
    std::span<const Side> sides(const GameRecord& game);

    // The seats of each side.
    [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& teams() const { return teams_; }
    [[nodiscard]] std::size_t contestants() const { return members_.size(); }
    // The agents of a contestant, ascending; a partnership of an agent with itself is that agent.
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
    std::vector<std::vector<std::uint32_t>> teams_; // seats; one each if everyone plays alone
    std::vector<std::vector<std::uint32_t>> members_;
    std::vector<Side> sides_;
    std::vector<Halves> halves_; // by contestant
    BlockOutcome outcome_;
};

} // namespace croupier::results
