// Elo, nElo, LOS and Wilson against published values.
#include "results/statistics/elo.h"

#include "results/statistics/normal.h"
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

TEST(statistics_wilson, of_single_games_needs_no_effective_number) {
    const BlockMean mean = mean_of_counts(std::array<std::uint64_t, 2>{2, 8});
    const Estimate rate = rate_of(mean, kZ);
    EXPECT_NEAR(*rate.low, 0.490162, 5e-7);
    EXPECT_NEAR(*rate.high, 0.943318, 5e-7);
}

// Ten blocks of four games that all end alike know no more than ten games.
TEST(statistics_wilson, games_that_agree_count_once) {
    BlockMean mean;
    for (int block = 0; block < 10; ++block)
        mean.add(block < 8 ? 4 : 0, 4);
    EXPECT_NEAR(*rate_of(mean, kZ).low, 0.490162, 5e-7);
}

TEST(statistics_wilson, all_won_has_an_interval_all_drawn_has_none) {
    BlockMean won;
    BlockMean drawn;
    for (int block = 0; block < 10; ++block) {
        won.add(2, 2);
        drawn.add(1, 2);
    }
    EXPECT_NEAR(*rate_of(won, kZ).low, 0.722467, 5e-7); // 10 of 10
    EXPECT_EQ(*rate_of(won, kZ).high, 1);
    EXPECT_FALSE(rate_of(won, kZ).error) << "no +/- 0";
    EXPECT_EQ(*rate_of(drawn, kZ).value, 0.5);
    EXPECT_FALSE(rate_of(drawn, kZ).low);
    EXPECT_FALSE(rate_of(BlockMean(), kZ).value);
}

// Scores of 1/2 and 3/4 with errors of 0.1 and 0.15, uncorrelated: slopes 400 / ln 10 * 4 and *
// 16/3.
TEST(statistics_elo, a_difference_of_two_has_the_errors_of_both) {
    PairedDifference scores;
    scores.add(0.3, 0.45);
    scores.add(0.3, 1.05);
    scores.add(0.7, 0.45);
    scores.add(0.7, 1.05);
    const Estimate difference = elo_difference(scores, kZ);
    EXPECT_NEAR(*difference.value, 400 * std::log10(3), 1e-9);
    const double unit = 400 / std::numbers::ln10;
    EXPECT_NEAR(*difference.error, unit * std::hypot(4 * 0.1, 16.0 / 3 * 0.15), 1e-9);
    EXPECT_NEAR(*difference.high - *difference.value, kZ * *difference.error, 1e-9);
    // The deal's luck is taken out: where both rise and fall together, little is left.
    PairedDifference together;
    together.add(0.3, 0.4);
    together.add(0.7, 0.8);
    together.add(0.3, 0.41);
    EXPECT_LT(*elo_difference(together, kZ).error, *difference.error / 5);
    PairedDifference lost;
    lost.add(0, 0.5);
    EXPECT_FALSE(elo_difference(lost, kZ).value) << "no number is large enough";
}

} // namespace
} // namespace croupier::results
