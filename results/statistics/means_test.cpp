// Means over blocks: the variance of blocks, never of games.
#include "results/statistics/means.h"

#include <gtest/gtest.h>

#include <cmath>

namespace croupier::results {

namespace {

TEST(statistics_block_mean, is_mean_and_variance_with_n) {
    BlockMean mean;
    for (const double score : {0.0, 0.5, 0.5, 1.0})
        mean.add(score);
    EXPECT_DOUBLE_EQ(*mean.mean(), 0.5);
    EXPECT_DOUBLE_EQ(*mean.variance(), 0.125); // not 1/6: divided by N
    EXPECT_DOUBLE_EQ(*mean.standard_error(), std::sqrt(0.125 / 4));
    const Estimate estimate = mean.estimate(2);
    EXPECT_DOUBLE_EQ(*estimate.low, 0.5 - 2 * std::sqrt(0.125 / 4));
    EXPECT_DOUBLE_EQ(*estimate.high, 0.5 + 2 * std::sqrt(0.125 / 4));
}

TEST(statistics_block_mean, sums_of_equal_blocks_are_their_means) {
    BlockMean sums;
    BlockMean means;
    for (const double sum : {1.0, 3.0, 0.0, 4.0, 2.0}) {
        sums.add(sum, 4);
        means.add(sum / 4);
    }
    EXPECT_DOUBLE_EQ(*sums.mean(), *means.mean());
    EXPECT_DOUBLE_EQ(*sums.variance(), *means.variance());
    EXPECT_DOUBLE_EQ(*sums.standard_error(), *means.standard_error());
}

// Ratio of sums: 3 of 4 in one block, 0 of 1 and 1 of 1 in two more. Rate 4/6; deviations
// 3 - 4 * 2/3 = 1/3, -2/3, 1/3; error sqrt(6/9) / 6.
TEST(statistics_block_mean, of_unequal_blocks_is_a_ratio_of_sums) {
    BlockMean rate;
    rate.add(3, 4);
    rate.add(0, 1);
    rate.add(1, 1);
    rate.add(0, 0);
    EXPECT_EQ(rate.blocks(), 3U);
    EXPECT_DOUBLE_EQ(*rate.mean(), 4.0 / 6);
    EXPECT_DOUBLE_EQ(*rate.standard_error(), std::sqrt(6.0 / 9) / 6);
}

TEST(statistics_block_mean, without_data_or_variance_is_undefined) {
    BlockMean mean;
    EXPECT_FALSE(mean.mean());
    EXPECT_FALSE(mean.estimate(2).value);
    mean.add(0.1);
    EXPECT_EQ(*mean.mean(), 0.1);
    EXPECT_FALSE(mean.standard_error()) << "one block says nothing of its variance";
    for (int i = 0; i < 1000; ++i)
        mean.add(0.1 * 3, 3);
    EXPECT_FALSE(mean.standard_error()) << "rounding is no variance";
    EXPECT_FALSE(mean.estimate(2).low);
}

TEST(statistics_block_mean, large_scores_do_not_swallow_the_variance) {
    BlockMean mean;
    for (int i = 0; i < 1000; ++i)
        mean.add(1e9 + i % 2);
    EXPECT_NEAR(*mean.variance(), 0.25, 1e-9);
}

// Intervals of means over few blocks, and over blocks that rarely differ.

constexpr Range kDifference{-1, 1};

// `differing` blocks have the value, the others 0.
BlockMoments rare(int blocks, int differing, double value, Range range = kDifference) {
    BlockMean mean;
    for (int block = 0; block < blocks; ++block)
        mean.add(block < differing ? value : 0);
    return mean.moments(range);
}

// Symmetric values with unknown range: A comes only from the additional block at the farthest
// value.
TEST(statistics_mean_interval, is_students_where_nothing_is_skewed) {
    BlockMean mean;
    for (const double value : {-2.0, -1.0, 0.0, 0.0, 1.0, 2.0})
        mean.add(3 + value);
    const Estimate estimate = mean_estimate(mean.moments());
    const double error = std::sqrt(10.0 / 5 / 6); // the divisor is N - 1
    EXPECT_DOUBLE_EQ(*estimate.error, error);
    const double t = 2.570582;
    const double shift = (t * t + 2) / 3 * (8.0 / (10 + 4)) / 6;
    EXPECT_NEAR(*estimate.high, 3 + shift + std::hypot(shift, t * error), 1e-6);
    EXPECT_NEAR(*estimate.low, 3 - shift - std::hypot(shift, t * error), 1e-6);
    BlockMean many;
    for (int block = 0; block < 10000; ++block)
        many.add(block % 2);
    EXPECT_NEAR(*mean_estimate(many.moments(kShare)).high, 0.5 + 1.96 * 0.005, 1e-5);
}

// The exact bounds of a rare event (Poisson, one-sided 95 %) are 4.744, 6.296, 9.154 and 16.962
// over N for 1, 2, 4 and 10.
TEST(statistics_mean_interval, of_a_rare_event_is_that_of_the_exact_test) {
    const auto limit = [](int seen) {
        return 10000 * *upper_limit(rare(10000, seen, 1, kShare), 0.05);
    };
    EXPECT_NEAR(limit(0), 2.996, 0.001);
    EXPECT_NEAR(limit(1), 4.744, 0.12);
    EXPECT_NEAR(limit(2), 6.296, 0.1);
    EXPECT_NEAR(limit(4), 9.154, 0.1);
    EXPECT_NEAR(limit(10), 16.962, 0.1);
    EXPECT_NEAR(limit(100), 118.08, 0.3);
}

TEST(statistics_mean_interval, of_blocks_that_agree_is_exact) {
    const Estimate won = mean_estimate(rare(10, 10, 1, kShare));
    EXPECT_NEAR(*won.low, std::pow(0.025, 0.1), 1e-12);
    EXPECT_EQ(*won.high, 1);
    EXPECT_FALSE(won.error) << "no +/- 0";
    const Estimate alike = mean_estimate(rare(200, 0, 1));
    EXPECT_NEAR(*alike.high, 1 - std::pow(0.025, 1.0 / 200), 1e-12);
    EXPECT_NEAR(*alike.low, -*alike.high, 1e-12);
    BlockMean unbounded;
    unbounded.add(7);
    EXPECT_FALSE(mean_estimate(unbounded.moments(kShare)).low) << "one block is no evidence";
    unbounded.add(7);
    EXPECT_FALSE(mean_estimate(unbounded.moments()).low) << "points may differ by anything";
    EXPECT_FALSE(mean_estimate(BlockMean().moments()).value);
}

TEST(statistics_mean_interval, stays_in_the_range) {
    const Estimate estimate = mean_estimate(rare(10, 9, 1, kShare));
    EXPECT_NEAR(*estimate.high, most_likely_above(9, 10, 0.025), 1e-12);
    EXPECT_LT(*estimate.high, 1);
    EXPECT_GT(*estimate.low, 0.39);
}

// A role that occurs only in some games: the largest possible block matters.
TEST(statistics_mean_interval, of_ratios_knows_the_largest_block) {
    BlockMean mean;
    for (int block = 0; block < 20; ++block)
        mean.add(0, block == 0 ? 11 : 1);
    const BlockMoments moments = mean.moments(kShare);
    EXPECT_NEAR(moments.reach, 11 / 1.5, 1e-12);
    EXPECT_NEAR(moments.effective, 30.0 * 30 / (121 + 19), 1e-12);
    EXPECT_GT(*mean_estimate(moments).high, 5 * *mean_estimate(rare(20, 0, 1, kShare)).high);
}

TEST(statistics_mean_interval, p_values_are_the_bounds_turned_round) {
    for (const BlockMoments& blocks :
         {rare(50, 3, 0.5), rare(400, 3, 0.5), rare(400, 200, -0.5), rare(400, 0, 0.5)})
        for (const double alpha : {0.001, 0.05, 0.3}) {
            EXPECT_NEAR(*p_at_least(blocks, *upper_limit(blocks, alpha)), alpha, 1e-9);
            EXPECT_NEAR(*p_at_most(blocks, *lower_limit(blocks, alpha)), alpha, 1e-9);
        }
    EXPECT_GT(*p_at_least(rare(400, 100, 0.5), 0.1), 0.5) << "it lies above the limit";
}

TEST(statistics_mean_interval, says_where_rare_blocks_may_be_missing) {
    const auto estimate = [](int blocks, double last, std::optional<Range> range) {
        BlockMean mean;
        for (int i = 1; i < blocks; ++i)
            mean.add(i % 2);
        mean.add(last);
        return mean_estimate(mean.moments(range));
    };
    EXPECT_TRUE(estimate(19, 0, {}).doubtful);
    EXPECT_FALSE(estimate(20, 0, {}).doubtful);
    EXPECT_FALSE(estimate(19, 0, kShare).doubtful) << "a rate has ends";
    EXPECT_FALSE(estimate(30, 3, {}).doubtful);
    EXPECT_TRUE(estimate(30, 4, {}).doubtful) << "3.4^2 of 18.9 in all";
}

} // namespace

} // namespace croupier::results
