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

} // namespace
} // namespace croupier::results
