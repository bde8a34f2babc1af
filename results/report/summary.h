// What a run came to, as values: everything that a report shows, in every format.
#pragma once

#include "results/record.h"
#include "results/statistics/accumulator.h"
#include "results/statistics/histogram.h"
#include "results/statistics/ratings.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace croupier::results {

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
    std::uint64_t diverged = 0;   // blocks whose games were not all the same moves
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

} // namespace croupier::results
