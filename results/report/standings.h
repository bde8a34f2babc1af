// Sums up a run, game by game, in constant memory.
#pragma once

#include "results/record.h"
#include "results/statistics/block.h"
#include "results/statistics/histogram.h"
#include "results/statistics/means.h"
#include "results/statistics/ratings.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace croupier::results {

// The results of a run as values: all that a report shows, in every format.

// A contestant (statistics/block.h) over all its games. It wins a game if it alone holds the best
// place, draws if it shares that place, and loses otherwise.
struct ContestantRow {
    std::string name;
    std::uint64_t blocks = 0;
    std::uint64_t games = 0;
    std::uint64_t wins = 0;
    std::uint64_t draws = 0;
    std::uint64_t losses = 0;
    Estimate win_rate; // a draw counts as its share
    Estimate score;    // mean block score, against all opponents met
    Estimate points;   // mean of the game's own points, over its seats
    Rating rating;     // of the joint fit; only with more than two contestants
};

// Blocks of two games between two sides, by the result of the first of two contestants: both lost,
// a loss and a draw, even, a win and a draw, both won.
struct PairCounts {
    std::array<std::uint64_t, 5> counts{};

    [[nodiscard]] std::uint64_t pairs() const;
    // Pairs won over pairs lost. Absent if none was lost.
    [[nodiscard]] std::optional<double> ratio() const;
    // The share of even pairs. Absent without pairs.
    [[nodiscard]] std::optional<double> draw_ratio() const;
};

// Two contestants that met, from the side of the first.
struct MeetingRow {
    std::uint32_t first = 0; // indices into Summary::contestants
    std::uint32_t second = 0;
    std::uint64_t blocks = 0;
    std::uint64_t games = 0;
    double games_per_block = 0;
    Estimate score; // mean block score
    // Each played equally often in the other's places. If not, the score includes the effect of
    // their order at the table, so there is no Elo and no LOS.
    bool balanced = true;
    Estimate elo;
    Estimate normalized_elo;
    std::optional<double> los; // probability that the first is stronger
    // Variance of the mean of the same number of unpaired games, divided by that of the blocks.
    std::optional<double> variance_reduction;
    std::optional<PairCounts> pairs; // absent if no block was a pair of games
};

// One seat or one role, for all agents or for one.
struct PlaceRow {
    std::string name;
    std::optional<std::uint32_t> agent; // absent for all agents
    std::uint64_t games = 0;            // counts seatings, if several seats have the role
    Estimate win_rate;
    Estimate points;
};

struct FaultRow {
    std::optional<std::uint32_t> agent; // at fault; absent if none is
    std::string what;
    std::uint64_t games = 0;
    bool ended = true; // false if another agent played on in its place
};

struct Summary {
    RunFacts facts;
    std::uint64_t blocks = 0;
    std::uint64_t games = 0;
    std::uint64_t draws = 0;                    // games without a single winner
    std::uint64_t voids = 0;                    // games without places; counted only in `games`
    std::uint64_t diverged = 0;                 // blocks whose games have different moves
    std::uint64_t comparable = 0;               // blocks of more than one game
    std::array<std::uint64_t, kEnds> endings{}; // by End
    std::vector<ContestantRow> contestants;     // in the order of agents
    std::vector<MeetingRow> meetings;
    std::uint32_t groups = 0; // of contestants connected by meetings
    std::vector<PlaceRow> seats;
    std::vector<PlaceRow> roles;
    Histogram plies;
    std::vector<FaultRow> faults; // most frequent first
};

// Scores by contestant and opponent, absent for two that did not meet.
std::vector<std::vector<std::optional<double>>> crosstable(const Summary& summary);

// The contestants, sorted by win rate.
std::vector<std::uint32_t> by_win_rate(const Summary& summary);

// Fed in block order, so that its numbers are byte-identical however the run was played. Memory
// depends on seats, agents, roles and couples that met. Used by one thread at a time.
class Standings {
  public:
    // `balanced`: any two contestants play equally often in each other's places. If not, their
    // meetings have no Elo and no LOS.
    explicit Standings(RunFacts facts, bool balanced = true);

    // Adds all games of the next block. A caller that has read the block can pass its outcome, from
    // a reader fed with the same blocks, so that contestants have the same numbers.
    void add_block(std::span<const GameRecord> games);
    void add_block(std::span<const GameRecord> games, const BlockOutcome& outcome);

    // Names and mean block scores of at most `most` contestants, best first. Cheap enough for a
    // progress line.
    [[nodiscard]] std::vector<std::pair<std::string, double>>
    leaders(std::size_t most = static_cast<std::size_t>(-1)) const;
    // All that was added. May be called at any time.
    [[nodiscard]] Summary summary();

  private:
    // A mean with the current block still open.
    struct Open {
        BlockMean mean;
        double sum = 0;
        double count = 0; // if not 0, it is in touched_
    };
    struct Cell { // of a seat or a role
        Open win;
        Open points;
        std::uint64_t games = 0;
    };
    struct Player { // a contestant
        std::uint64_t games = 0;
        std::uint64_t wins = 0;
        std::uint64_t draws = 0;
        std::uint64_t losses = 0;
        Open win;
        Open points;
        BlockMean score;
    };
    struct Couple {
        BlockMean score;      // over blocks
        BlockMean game_score; // over single games, as if each were a block
        std::uint64_t games = 0;
        PairCounts pairs;
    };
    // By seat, or index into roles_; then by agent, last for all agents.
    using Cells = std::vector<std::vector<Cell>>;
    static constexpr auto kNobody = static_cast<std::uint32_t>(-1);

    // Two contestants need no joint fit: their Elo is that of the blocks, and no schedule mixes
    // partners.
    [[nodiscard]] bool has_ratings() const { return totals_.facts.agents.size() > 2; }
    void count_ending(const GameRecord& game);
    void count_players(const GameRecord& game, std::span<const Side> sides);
    void count_fault(const std::string& what, std::uint32_t agent, bool ended);
    void count_cell(std::vector<Cell>& group, const SeatRecord& row, double win, bool points);
    void count_cells(const GameRecord& game, std::span<const Side> sides);
    void count_block(std::span<const GameRecord> games, const BlockOutcome& outcome);
    void count_meetings(std::span<const Side> sides);
    void count_outcome(std::uint64_t block, const BlockOutcome& outcome);
    void add_open(Open& open, double value);
    std::uint32_t role_index(const std::string& role);
    [[nodiscard]] ContestantRow contestant_row(Contestant contestant) const;
    [[nodiscard]] std::vector<PlaceRow> place_rows(const Cells& cells,
                                                   std::span<const std::string> names) const;
    [[nodiscard]] std::vector<MeetingRow> meeting_rows() const;
    [[nodiscard]] std::vector<FaultRow> fault_rows() const;

    BlockReader reader_;
    bool balanced_;
    MeetingTable meetings_;
    Summary totals_;             // the facts and counters; rows are made on demand
    std::vector<Open*> touched_; // means changed by this block; their addresses are stable
    std::deque<Player> players_;
    std::vector<Side> present_; // of one game
    std::vector<Meeting> meetings_here_;
    std::map<std::pair<Contestant, Contestant>, Couple> couples_;
    Cells seat_cells_;
    Cells role_cells_;
    std::vector<std::string> roles_;
    // What happened, the agent, and whether it ended the game.
    std::map<std::tuple<std::string, std::uint32_t, bool>, std::uint64_t> faults_;
};

} // namespace croupier::results
