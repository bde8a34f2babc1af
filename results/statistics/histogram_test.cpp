// The histogram: exact while small, bounded when large.
#include "results/statistics/histogram.h"

#include <gtest/gtest.h>

namespace croupier::results {

namespace {

TEST(statistics_histogram, of_nothing_is_undefined) {
    const Histogram empty;
    EXPECT_FALSE(empty.mean());
    EXPECT_FALSE(empty.least());
    EXPECT_FALSE(empty.quantile(0.5));
    EXPECT_TRUE(empty.bins(10).empty());
}

TEST(statistics_histogram, of_small_numbers_is_exact) {
    Histogram histogram;
    for (const std::uint64_t n : {7, 3, 3, 9, 5})
        histogram.add(n);
    EXPECT_EQ(*histogram.quantile(0.5), 5U);
    EXPECT_EQ(*histogram.quantile(0.4), 3U);
    EXPECT_EQ(*histogram.quantile(1), 9U);
    EXPECT_DOUBLE_EQ(*histogram.mean(), 5.4);
    const auto bins = histogram.bins(4); // 3..9 is seven numbers: two a bin
    ASSERT_EQ(bins.size(), 4U);
    EXPECT_EQ(bins[0].low, 3U);
    EXPECT_EQ(bins[0].high, 4U);
    EXPECT_EQ(bins[0].count, 2U);
    EXPECT_EQ(bins[3].low, 9U);
    EXPECT_EQ(bins[3].count, 1U);
}

TEST(statistics_histogram, of_large_numbers_is_bounded_and_loses_nobody) {
    Histogram up;
    Histogram down;
    for (std::uint64_t i = 0; i <= 100000; ++i) {
        up.add(i * 1000003);
        down.add((100000 - i) * 1000003);
    }
    EXPECT_EQ(*up.most(), 100000U * std::uint64_t{1000003});
    EXPECT_NEAR(static_cast<double>(*up.quantile(0.25)), 25000 * 1000003.0, 1e8);
    EXPECT_EQ(up.quantile(0.25), down.quantile(0.25));
    std::uint64_t sum = 0;
    for (const Bin& bin : up.bins(12))
        sum += bin.count;
    EXPECT_EQ(sum, up.count());
    EXPECT_LE(up.bins(12).size(), 12U);
}

// Distributions of scores: whole or not, negative, and too many for separate counts.

TEST(spread, whole_numbers_have_bins_of_whole_width) {
    Spread spread;
    for (const double number : {-30.0, -1.0, 0.0, 0.0, 19.0, 20.0})
        spread.add(number);
    const auto bins = spread.bins(6);
    ASSERT_EQ(bins.size(), 6U);
    EXPECT_EQ(bins[0].low, -30);
    EXPECT_EQ(bins[0].high, -21);
    EXPECT_EQ(bins[0].count, 1U);
    EXPECT_EQ(bins[2].count, 1U) << "-1 is below 0";
    EXPECT_EQ(bins[3].count, 2U);
    EXPECT_EQ(bins[4].count, 1U) << "19 and 20 stand apart";
    EXPECT_EQ(bins[5].count, 1U);
}

TEST(spread, few_numbers_stand_each_by_itself) {
    Spread spread;
    spread.add(0);
    spread.add(1);
    spread.add(1);
    const auto bins = spread.bins(24);
    ASSERT_EQ(bins.size(), 2U);
    EXPECT_EQ(bins[1].low, 1);
    EXPECT_EQ(bins[1].high, 1);
    EXPECT_EQ(bins[1].count, 2U);
}

TEST(spread, two_can_share_their_bins) {
    Spread one;
    Spread other;
    one.add(0);
    other.add(90);
    other.add(95);
    Spread all = one;
    all.add(other);
    EXPECT_EQ(all.count(), 3U);
    const auto mine = one.bins_of(all, 10);
    const auto its = other.bins_of(all, 10);
    ASSERT_EQ(mine.size(), its.size());
    ASSERT_EQ(mine.size(), 10U);
    EXPECT_EQ(mine.front().count, 1U);
    EXPECT_EQ(mine.back().count, 0U);
    EXPECT_EQ(its.back().count, 2U);
    EXPECT_EQ(its.back().low, 90);
}

TEST(spread, halves_are_no_whole_numbers) {
    Spread spread;
    for (const double number : {0.0, 0.5, 1.0, 1.0})
        spread.add(number);
    std::uint64_t all = 0;
    const auto bins = spread.bins(4);
    EXPECT_LE(bins.size(), 4U);
    for (const SpreadBin& bin : bins)
        all += bin.count;
    EXPECT_EQ(all, 4U);
    EXPECT_LT(bins[0].high, 1);
}

TEST(spread, of_many_numbers_the_order_does_not_matter) {
    Spread up;
    Spread down;
    for (int i = -20000; i < 20000; ++i) {
        up.add(i);
        down.add(-1 - i);
    }
    const auto one = up.bins(20);
    const auto other = down.bins(20);
    ASSERT_EQ(one.size(), other.size());
    EXPECT_EQ(one.size(), 20U);
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one[i].low, other[i].low);
        EXPECT_EQ(one[i].count, other[i].count);
        EXPECT_NEAR(static_cast<double>(one[i].count), 2000, 50) << "stretches of 32 may straddle";
    }
    EXPECT_TRUE(Spread().bins(5).empty());
}

} // namespace

} // namespace croupier::results
