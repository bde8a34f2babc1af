// Adds up a run, game by game, in memory that does not grow with their number.
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

// What a run came to, as values: everything that a report shows, in every format.

// A contestant (statistics/block.h) over all its games. A game is won by who alone has the best
// placed side, drawn among those who share the best place, lost by the others.
struct ContestantRow {
    std::string name;
    std::uint64_t blocks = 0;
    std::uint64_t games = 0;
    std::uint64_t wins = 0;
    std::uint64_t draws = 0;
    std::uint64_t losses = 0;
    Estimate win_rate; // wins, a draw counting as its share
    Estimate score;    // mean block score, against everybody it met
    Estimate points;   // mean of the game's own points, over its seats
    Rating rating;     // of the joint fit; only where there are more than two contestants
};

// Blocks of two games between two sides by what the first of two contestants made of them: both
// lost, a loss and a draw, even, a win and a draw, both won.
struct PairCounts {
    std::array<std::uint64_t, 5> counts{};

    [[nodiscard]] std::uint64_t pairs() const;
    // Pairs won over pairs lost. Absent if none was lost.
    [[nodiscard]] std::optional<double> ratio() const;
    // The share that was even. Absent without pairs.
    [[nodiscard]] std::optional<double> draw_ratio() const;
};

// Two contestants that met, from the first's side.
struct MeetingRow {
    std::uint32_t first = 0; // indices into Summary::contestants
    std::uint32_t second = 0;
    std::uint64_t blocks = 0;
    std::uint64_t games = 0;
    double games_per_block = 0;
    Estimate score; // mean block score
    // Each played in the other's places as often. If not, the score includes what their order at
    // the table is worth, so there is no Elo and no LOS.
    bool balanced = true;
    Estimate elo;
    Estimate normalized_elo;
    std::optional<double> los; // chance that the first is the stronger
    // Variance of the mean of as many unpaired games, over that of the blocks.
    std::optional<double> variance_reduction;
    std::optional<PairCounts> pairs; // absent if no block was a pair of games
};

// One seat or one role, with everybody in it or one agent.
struct PlaceRow {
    std::string name;
    std::optional<std::uint32_t> agent; // absent: all agents
    std::uint64_t games = 0;            // seatings, for a role that several seats have
    Estimate win_rate;
    Estimate points;
};

struct FaultRow {
    std::optional<std::uint32_t> agent; // whose fault; absent: nobody's
    std::string what;
    std::uint64_t games = 0;
    bool ended = true; // false: the game went on, another agent has played in its place
};

struct Summary {
    RunFacts facts;
    std::uint64_t blocks = 0;
    std::uint64_t games = 0;
    std::uint64_t draws = 0;      // games that nobody won alone
    std::uint64_t voids = 0;      // games without places: in `games`, and nowhere else
    std::uint64_t diverged = 0;   // blocks whose games differ in their moves
    std::uint64_t comparable = 0; // blocks of more than one game
    std::array<std::uint64_t, kEnds> endings{}; // by End
    std::vector<ContestantRow> contestants;     // who played, in the order of agents
    std::vector<MeetingRow> meetings;
    std::uint32_t groups = 0; // of contestants that met, directly or through others
    std::vector<PlaceRow> seats;
    std::vector<PlaceRow> roles;
    Histogram plies;
    std::vector<FaultRow> faults; // most frequent first
};

// By contestant the scores against each, absent where two have not met.
std::vector<std::vector<std::optional<double>>> crosstable(const Summary& summary);

// The contestants, the highest win rate first.
std::vector<std::uint32_t> by_win_rate(const Summary& summary);

// Fed in block order, so that its numbers are the same bytes however the run was played. Memory
// goes with seats, agents, roles and couples that met. One thread at a time.
class Standings {
  public:
    // `balanced`: any two contestants played in each other's places as often. If not, their
    // meetings have no Elo and no LOS.
    explicit Standings(RunFacts facts, bool balanced = true);

    // All games of a block, the next one; and what it came to, where the caller has read that: with
    // a reader that has seen the same blocks, so that contestants have the same numbers.
    void add_block(std::span<const GameRecord> games);
    void add_block(std::span<const GameRecord> games, const BlockOutcome& outcome);

    // The names and mean block scores of the best so far, at most so many, best first.
    // Cheap enough for a progress line.
    [[nodiscard]] std::vector<std::pair<std::string, double>>
    leaders(std::size_t most = static_cast<std::size_t>(-1)) const;
    // All that was added. May be asked at any time.
    [[nodiscard]] Summary summary();

  private:
    // A mean whose block is still open.
    struct Open {
        BlockMean mean;
        double sum = 0;
        double count = 0; // not 0: it is in touched_
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
        BlockMean score;      // of blocks
        BlockMean game_score; // of single games, as if each were its own block
        std::uint64_t games = 0;
        PairCounts pairs;
    };
    // By seat, or index into roles_; there by agent, the last for everybody.
    using Cells = std::vector<std::vector<Cell>>;
    static constexpr auto kNobody = static_cast<std::uint32_t>(-1);

    // Two need no joint fit: their Elo is that of the blocks, and no schedule mixes partners.
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
    Summary totals_;             // the facts and the counters; rows are made when asked for
    std::vector<Open*> touched_; // means that it has added to: they stay where they are
    std::deque<Player> players_;
    std::vector<Side> present_; // of one game
    std::vector<Meeting> meetings_here_;
    std::map<std::pair<Contestant, Contestant>, Couple> couples_;
    Cells seat_cells_;
    Cells role_cells_;
    std::vector<std::string> roles_;
    // What, by whom, whether it ended the game.
    std::map<std::tuple<std::string, std::uint32_t, bool>, std::uint64_t> faults_;
};

} // namespace croupier::results
