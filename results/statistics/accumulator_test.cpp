// Means over blocks: the variance of blocks, never of games.
#include "results/statistics/accumulator.h"

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

} // namespace
} // namespace croupier::results
