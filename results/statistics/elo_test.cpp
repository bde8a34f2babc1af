// Elo, nElo, LOS and Wilson against published values.
#include "results/statistics/elo.h"

#include "results/statistics/mean_interval.h"
#include "results/statistics/normal.h"
#include "results/statistics/student.h"
#include "results/statistics/testing.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace croupier::results {
namespace {

const double kZ = two_sided_z(0.95);

TEST(statistics_elo, maps_scores_both_ways) {
    EXPECT_NEAR(*elo_of_score(0.75), 190.848502, 1e-6);
    EXPECT_NEAR(score_of_elo(-100), 0.3599350, 1e-7);
    EXPECT_FALSE(elo_of_score(0));
    EXPECT_FALSE(elo_of_score(1));
}

// W 136, L 96, D 111, single games: 40.70 +/- 30.43, nElo 49.77 +/- 36.77, LOS 99.60 %.
TEST(statistics_elo, of_a_published_trinomial) {
    const BlockMean scores = mean_of_counts(std::array<std::uint64_t, 3>{96, 111, 136});
    const Estimate elo = elo_of(scores, kZ);
    EXPECT_NEAR(*elo.value, 40.70, 0.005);
    EXPECT_NEAR(kZ * *elo.error, 30.43, 0.005);
    EXPECT_GT(*elo.high - *elo.value, *elo.value - *elo.low) << "mapped, not symmetric";
    const Estimate normalized = normalized_elo_of(scores, 1, kZ);
    EXPECT_NEAR(*normalized.value, 49.77, 0.005);
    EXPECT_NEAR(*normalized.high - *normalized.value, 36.77, 0.005);
    EXPECT_NEAR(*likelihood_of_superiority(scores), 0.9960, 0.00005);
}

// The same blocks as pairs: nElo is per game, so it falls by the root of two.
TEST(statistics_elo, normalized_is_per_game) {
    const BlockMean scores = mean_of_counts(std::array<std::uint64_t, 5>{1, 4, 10, 8, 3});
    EXPECT_NEAR(*normalized_elo_of(scores, 1, kZ).value,
                *normalized_elo_of(scores, 2, kZ).value * std::numbers::sqrt2, 1e-9);
}

TEST(statistics_elo, without_variance_is_undefined) {
    for (const auto& counts : {std::array<std::uint64_t, 3>{0, 0, 0}, {0, 0, 50}, {0, 50, 0}}) {
        const BlockMean scores = mean_of_counts(counts);
        EXPECT_FALSE(elo_of(scores, kZ).value);
        EXPECT_FALSE(normalized_elo_of(scores, 1, kZ).value);
        EXPECT_FALSE(likelihood_of_superiority(scores));
    }
}

TEST(statistics_elo, bounds_beyond_certainty_are_undefined_not_infinite) {
    const Estimate elo = elo_of(mean_of_counts(std::array<std::uint64_t, 3>{1, 0, 3}), kZ);
    EXPECT_NEAR(*elo.value, 190.8485, 1e-4);
    EXPECT_TRUE(elo.low);
    EXPECT_FALSE(elo.high) << "0.75 + 1.96 * 0.22 is more than a game can give";
    EXPECT_FALSE(elo.error);
}

TEST(statistics_wilson, of_8_in_10_is_as_published) {
    const Estimate rate = wilson(0.8, 10, kZ);
    EXPECT_NEAR(*rate.low, 0.490162, 5e-7);
    EXPECT_NEAR(*rate.high, 0.943318, 5e-7);
}

// By the exact interval of ten blocks: 0.05^(1/10) = 0.741 for one side.
TEST(statistics_elo, of_who_only_won_or_lost_is_a_bound_to_one_side) {
    BlockMean won;
    BlockMean lost;
    for (int block = 0; block < 10; ++block) {
        won.add(1);
        lost.add(0);
    }
    const Estimate high = elo_of(won.moments(kShare));
    EXPECT_TRUE(high.one_sided);
    EXPECT_FALSE(high.value);
    EXPECT_FALSE(high.high);
    EXPECT_NEAR(*high.low, *elo_of_score(std::pow(0.05, 0.1)), 1e-9);
    EXPECT_NEAR(*elo_of(lost.moments(kShare)).high, -*high.low, 1e-9);
    won.add(0.5);
    const Estimate all_but_one = elo_of(won.moments(kShare));
    EXPECT_FALSE(all_but_one.one_sided);
    EXPECT_TRUE(all_but_one.low && all_but_one.value && all_but_one.high);
    EXPECT_GT(*all_but_one.high, 700) << "wide, and yet a number";
}

TEST(statistics_elo, of_a_run_is_by_t_and_has_no_verdict_below_six_blocks) {
    const BlockMean scores = mean_of_counts(std::array<std::uint64_t, 3>{1, 2, 3});
    const Estimate normalized = normalized_elo_of_run(scores, 2);
    const double d = (*scores.mean() - 0.5) / std::sqrt(*scores.variance());
    const double unit = kNormalizedElo / std::sqrt(2);
    EXPECT_NEAR(*normalized.value, d * unit, 1e-9);
    const double skewness = -7.0 / 36 / 6 / std::pow(5.0 / 36, 1.5);
    EXPECT_NEAR(*normalized.high,
                (d + 2.570582 * std::sqrt((1 - d * skewness + d * d / 2) / 5)) * unit, 1e-3);
    // Below the mean the scores are skewed by 0.384, so it is not 1 error above one half but 0.623.
    EXPECT_NEAR(*likelihood_of_superiority(scores.moments(kShare)), student_cdf(0.62326, 5), 1e-5);
    EXPECT_FALSE(likelihood_of_superiority(
        mean_of_counts(std::array<std::uint64_t, 3>{1, 2, 2}).moments(kShare)));
    const BlockMean won = mean_of_counts(std::array<std::uint64_t, 2>{0, 8});
    EXPECT_NEAR(*likelihood_of_superiority(won.moments(kShare)), 1 - std::pow(0.5, 8), 1e-12);
}

// Scores of 1/2 and 3/4 with errors of 0.1 and 0.15 (divisor N), uncorrelated: slopes 400 / ln 10 *
// 4 and
// * 16/3.
TEST(statistics_elo, a_difference_of_two_has_the_errors_of_both) {
    PairedDifference scores;
    scores.add(0.3, 0.45);
    scores.add(0.3, 1.05);
    scores.add(0.7, 0.45);
    scores.add(0.7, 1.05);
    const Estimate difference = elo_difference(scores);
    EXPECT_NEAR(*difference.value, 400 * std::log10(3), 1e-9);
    const double unit = 400 / std::numbers::ln10;
    EXPECT_NEAR(*difference.error, unit * std::hypot(4 * 0.1, 16.0 / 3 * 0.15) * std::sqrt(4.0 / 3),
                1e-9);
    EXPECT_GT(*difference.high - *difference.value, 3.18 * *difference.error) << "t of 3";
    // The deal's luck is taken out: where both rise and fall together, little is left.
    PairedDifference together;
    together.add(0.3, 0.4);
    together.add(0.7, 0.8);
    together.add(0.3, 0.41);
    EXPECT_LT(*elo_difference(together).error, *difference.error / 5);
    PairedDifference lost;
    for (int block = 0; block < 40; ++block)
        lost.add(0, block % 2);
    const Estimate bound = elo_difference(lost);
    EXPECT_FALSE(bound.value) << "no number is large enough";
    EXPECT_TRUE(bound.one_sided);
    EXPECT_FALSE(bound.high);
    const double at_most = 1 - std::pow(0.025, 1.0 / 40);
    EXPECT_NEAR(*bound.low,
                *elo_of_score(*lower_limit(lost.under_b().moments(kShare), 0.025)) -
                    *elo_of_score(at_most),
                1e-9);
}

} // namespace
} // namespace croupier::results
