// Elo of one against another, and ratings of more than two: one joint fit of everybody's meetings,
// errors by bootstrap over blocks.
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

// Elo and its kin, Wilson's interval for rates.

// 800 / ln 10: nElo of a game whose expected score is one standard deviation above one half.
constexpr double kNormalizedElo = 800 / std::numbers::ln10;

// The Elo difference at which `score` is expected. Absent outside ]0, 1[, where there is none.
std::optional<double> elo_of_score(double score);
double score_of_elo(double elo);

// Elo difference of a mean block score, as it is published for counts. The interval is that of the
// mean, mapped: its bounds are not equally far from the value, and one may be absent. `error` is
// half of its width over z.
Estimate elo_of(const BlockMean& scores, double z);

// The same of a run, by the interval of a mean. Who won everything, or lost it, has a
// bound to one side in place of a value.
Estimate elo_of(const BlockMoments& scores, double confidence = kConfidence);

// By how much Elo the mean score under B is above that under A, against the same opponents: each
// mean is mapped, its error by the slope there, and the interval is as lopsided as that of the
// difference of scores. Where a score is 0 or 1, a bound to one side.
Estimate elo_difference(const PairedDifference& scores, double confidence = kConfidence);

// Elo difference in units of the spread of scores, (mu - 1/2) / sqrt(k var) * 800 / ln 10 with k
// games a block: comparable between games that draw much and games that do not.
Estimate normalized_elo_of(const BlockMean& scores, double games_per_block, double z);

// The same of a run: t for z, and the error knows that the spread is measured, too, by what normal
// and as skewed scores would make of it.
Estimate normalized_elo_of_run(const BlockMean& scores, double games_per_block,
                               double confidence = kConfidence);

// The chance that who has these scores is the stronger, if both were as likely before.
std::optional<double> likelihood_of_superiority(const BlockMean& scores);
// The same of a run: beyond 97.5 % where the interval of the score leaves out one half. Absent
// below kMinBlocks.
std::optional<double> likelihood_of_superiority(const BlockMoments& scores);

// Wilson's interval for a rate of `successes` in n independent trials; n need not be whole.
Estimate wilson(double rate, double n, double z);

// Poisson bootstrap over blocks: weights as they come, no block is kept.

constexpr std::size_t kReplicates = 256;
using ReplicateWeights = std::array<std::uint8_t, kReplicates>;

// How often each replicate counts the block: independent Poisson variables of mean 1, a function of
// the seed and the block's number alone. Drawing blocks with replacement gives the same in the
// limit, but has to know how many there will be. About 0.2 microseconds.
ReplicateWeights replicate_weights(std::uint64_t seed, std::uint64_t block);

// The spread of what the replicates came to; their mean is no better than the estimate itself.
double standard_deviation(std::span<const double> values);

// A square table: how many halves i won off j.
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

// By contestant a group number: who met, directly or through others, is of one group. Numbers count
// from 0 in the order of the first members.
std::vector<std::uint32_t> met_groups(const WinTable& table);

// Finer: of one group are those who can be compared in both directions, each having taken halves
// off the other directly or through others. Only within such a group are there finite ratings: who
// won every game is better by no number that the games could tell.
std::vector<std::uint32_t> comparable_groups(const WinTable& table);

// Bradley-Terry: the Elo ratings under which the table is most likely, a tie being half a win, with
// mean 0 in each comparable group. Absent for who is alone in its group.
// Places of three and more sides come in as all their pairs ("full breaking"), which under
// Plackett-Luce's model of places estimates that model's strengths consistently.
std::vector<std::optional<double>> fit_ratings(const WinTable& table,
                                               std::span<const std::uint32_t> groups);

// Ratings for everybody by a prior: each has drawn a game with the mean of those that met, directly
// or through others. Absent for who met nobody.
std::vector<std::optional<double>> fit_with_prior(const WinTable& table);

struct Rating {
    std::optional<double> elo;
    std::optional<double> error; // absent, too, if more than 1 % of the replicates have no ratings
    std::optional<double> low;   // of the 95 % interval: the error, and t for the number of blocks
    std::optional<double> high;
    // Where there is no rating, as all was won or all lost: the one that is most likely if
    // everybody has drawn one game more against the mean of the field. On the scale of those who
    // have ratings.
    std::optional<double> with_prior;
    std::uint32_t group = 0; // of comparable_groups
};

// All meetings of a run, weighted once and by every replicate. Memory by couples that met, 4 KiB
// each; nothing by blocks.
class MeetingTable {
  public:
    explicit MeetingTable(std::uint64_t seed) : seed_(seed) {}

    void add(std::uint64_t block, std::span<const Meeting> meetings);

    [[nodiscard]] WinTable wins(std::size_t contestants) const;
    [[nodiscard]] std::vector<Rating> ratings(std::size_t contestants) const;

  private:
    struct Couple {
        double first = 0; // halves won
        double second = 0;
        std::array<double, kReplicates> replicate_first{};
        std::array<double, kReplicates> replicate_second{};
    };

    void count_blocks(std::span<const Meeting> meetings);
    [[nodiscard]] WinTable replicate(std::size_t contestants, std::size_t index) const;

    std::uint64_t seed_;
    std::vector<std::uint64_t> blocks_; // that a contestant was in
    std::map<std::pair<Contestant, Contestant>, Couple> couples_;
};

} // namespace croupier::results
