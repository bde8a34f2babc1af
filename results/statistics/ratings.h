// Elo of one against another, and ratings of more than two: one joint fit of all meetings, errors
// by bootstrap over blocks.
#pragma once

#include "results/statistics/block.h"
#include "results/statistics/means.h"
#include "results/statistics/paired.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numbers>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace croupier::results {

// Elo and related measures, Wilson's interval for rates.

// 800 / ln 10: nElo of a game whose expected score is one standard deviation above one half.
constexpr double kNormalizedElo = 800 / std::numbers::ln10;

// The Elo difference at which `score` is expected. Absent outside ]0, 1[, where none exists.
std::optional<double> elo_of_score(double score);
double score_of_elo(double elo);

// Elo difference of a mean block score, as published for counts. The interval is the mean's,
// mapped: its bounds are not equally far from the value, and one may be absent. `error` is half of
// its width divided by z.
Estimate elo_of(const BlockMean& scores, double z);

// The same for a run, by the interval of a mean. If all was won, or lost, there is a one-sided
// bound in place of a value.
Estimate elo_of(const BlockMoments& scores, double confidence = kConfidence);

// How much Elo the mean score under B is above that under A, against the same opponents: each mean
// is mapped, its error by the slope there, and the interval is as asymmetric as that of the
// difference of scores. For a score of 0 or 1, a one-sided bound.
Estimate elo_difference(const PairedDifference& scores, double confidence = kConfidence);

// Elo difference in units of the spread of scores, (mu - 1/2) / sqrt(k var) * 800 / ln 10 with k
// games per block: comparable between games with many draws and with few.
Estimate normalized_elo_of(const BlockMean& scores, double games_per_block, double z);

// The same for a run: uses t for z, and the error includes that of the measured spread, as for
// normal scores of the same skewness.
Estimate normalized_elo_of_run(const BlockMean& scores, double games_per_block,
                               double confidence = kConfidence);

// The probability that the one with these scores is stronger, if both are equally likely
// beforehand.
std::optional<double> likelihood_of_superiority(const BlockMean& scores);
// The same for a run: above 97.5 % if the interval of the score excludes one half. Absent below
// kMinBlocks.
std::optional<double> likelihood_of_superiority(const BlockMoments& scores);

// Wilson's interval for a rate of `successes` in n independent trials; n need not be whole.
Estimate wilson(double rate, double n, double z);

// Poisson bootstrap over blocks: weights are computed on the fly, no block is kept.

constexpr std::size_t kReplicates = 256;
using ReplicateWeights = std::array<std::uint8_t, kReplicates>;

// The weight of the block in each replicate: independent Poisson variables of mean 1, a function
// only of the seed and the block's number. Equivalent in the limit to drawing blocks with
// replacement, without knowing their number. Takes about 0.2 microseconds.
ReplicateWeights replicate_weights(std::uint64_t seed, std::uint64_t block);

// The spread of the replicates' results; their mean is no better than the estimate itself.
double standard_deviation(std::span<const double> values);

// A square table: halves that i won against j.
class WinTable {
  public:
    explicit WinTable(std::size_t size) : size_(size), halves_(size * size) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    double& at(std::size_t winner, std::size_t loser) { return halves_[winner * size_ + loser]; }
    [[nodiscard]] double at(std::size_t winner, std::size_t loser) const {
        return halves_[winner * size_ + loser];
    }

  private:
    std::size_t size_;
    std::vector<double> halves_;
};

// A group number by contestant: contestants connected by meetings share a group. Numbers count from
// 0 in the order of first members.
std::vector<std::uint32_t> met_groups(const WinTable& table);

// A finer partition: contestants share a group if each has won halves from the other, directly or
// through others. Finite ratings exist only within such a group: a contestant that won every game
// is better by an unknown amount.
std::vector<std::uint32_t> comparable_groups(const WinTable& table);

// Bradley-Terry: the Elo ratings that maximize the likelihood of the table, with a tie as half a
// win and mean 0 in each comparable group. Absent for a contestant alone in its group. Places of
// three or more sides enter as all their pairs ("full breaking"), which estimates the strengths of
// Plackett-Luce's model of places consistently.
std::vector<std::optional<double>> fit_ratings(const WinTable& table,
                                               std::span<const std::uint32_t> groups);

// Ratings for all by a prior: each has drawn one game with the mean of its group of meetings.
// Absent for a contestant that met no other.
std::vector<std::optional<double>> fit_with_prior(const WinTable& table);

struct Rating {
    std::optional<double> elo;
    std::optional<double> error; // also absent if more than 1 % of the replicates have no ratings
    std::optional<double> low;   // of the 95 % interval, with t for the number of blocks
    std::optional<double> high;
    // If all was won or all was lost, so that there is no rating: the most likely rating if all had
    // drawn one more game against the field's mean. On the scale of those with ratings.
    std::optional<double> with_prior;
    std::uint32_t group = 0; // from comparable_groups
};

// All meetings of one run or several, weighted once and by every replicate. Memory is 4 KiB per
// couple that met, and independent of blocks.
class MeetingTable {
  public:
    // Blocks of equal seed and number share their luck, also those of several runs.
    void add(std::uint64_t seed, std::uint64_t block, std::span<const Meeting> meetings);

    [[nodiscard]] WinTable wins(std::size_t contestants) const;
    // `anchor`: Elo and errors are differences from that contestant, in its group; else from the
    // group's mean.
    [[nodiscard]] std::vector<Rating> ratings(std::size_t contestants,
                                              std::optional<Contestant> anchor = {}) const;

  private:
    struct Couple {
        double first = 0; // halves won
        double second = 0;
        std::array<double, kReplicates> replicate_first{};
        std::array<double, kReplicates> replicate_second{};
    };

    void count_blocks(std::span<const Meeting> meetings);
    [[nodiscard]] WinTable replicate(std::size_t contestants, std::size_t index) const;

    std::vector<std::uint64_t> blocks_; // that a contestant took part in
    std::map<std::pair<Contestant, Contestant>, Couple> couples_;
};

} // namespace croupier::results
