// Stop rules: when they stop, and that they stay stopped.
#include "results/statistics/stop.h"

#include <gtest/gtest.h>

namespace croupier::results {
namespace {

TEST(statistics_stop, sprt_stops_where_the_ratio_of_its_counts_crosses) {
    const SprtBounds bounds{0, 50, 0.05, 0.05, EloModel::Logistic};
    Sprt rule(bounds, 2);
    ScoreCounts counts(2);
    bool stopped = false;
    while (!stopped) {
        const double score = counts.blocks() % 3 == 0 ? 0.5 : 0.75;
        counts.add(score);
        stopped = rule.feed({score, 1 - score});
        const auto llr = log_likelihood_ratio(counts, bounds);
        EXPECT_EQ(rule.status().value, llr);
        EXPECT_EQ(stopped, *llr >= upper_bound(bounds));
        ASSERT_LT(counts.blocks(), 1000U);
    }
    EXPECT_GT(counts.blocks(), 3U);
    EXPECT_EQ(rule.status().verdict, "H1 accepted");
    EXPECT_TRUE(rule.feed({0.0, 1.0})) << "what is decided stays so";
    EXPECT_EQ(rule.status().blocks, counts.blocks());
}

TEST(statistics_stop, sprt_passes_over_blocks_without_a_score) {
    Sprt rule({}, 2);
    EXPECT_FALSE(rule.feed({std::nullopt, std::nullopt}));
    EXPECT_FALSE(rule.feed({}));
    EXPECT_EQ(rule.status().blocks, 0U);
    EXPECT_FALSE(rule.status().value) << "undefined, not 0";
}

TEST(statistics_stop, sprt_accepts_h0_for_a_loser) {
    Sprt rule({0, 50, 0.05, 0.05, EloModel::Normalized}, 2);
    int fed = 0;
    while (!rule.feed({fed % 2 == 0 ? 0.25 : 0.5, 0.0}))
        ASSERT_LT(++fed, 1000);
    EXPECT_EQ(rule.status().verdict, "H0 accepted");
    EXPECT_LE(*rule.status().value, rule.status().low);
}

// Alternating 0 and 1 has variance 1/4: 2 * 1.96 * sqrt((1/4 + 1/N) / N) <= 0.2 from N = 100 on.
TEST(statistics_stop, width_stops_when_the_interval_is_narrow_enough) {
    IntervalWidth rule(0.2);
    int blocks = 0;
    while (!rule.feed({blocks % 2 == 0 ? 0.0 : 1.0, blocks % 2 == 0 ? 1.0 : 0.0}))
        ASSERT_LT(++blocks, 1000);
    EXPECT_EQ(rule.status().blocks, 100U);
    EXPECT_LE(*rule.status().value, 0.2);
    EXPECT_EQ(rule.status().verdict, "reached");
}

TEST(statistics_stop, width_does_not_take_a_few_equal_blocks_for_certainty) {
    IntervalWidth rule(0.2);
    for (int block = 0; block < 19; ++block)
        EXPECT_FALSE(rule.feed({0.5, 0.5})) << block;
    EXPECT_TRUE(rule.feed({0.5, 0.5})); // 2 * 1.96 / 20 is just below
}

TEST(statistics_stop, width_waits_for_the_slowest_contestant) {
    IntervalWidth rule(0.2, 3);
    for (int block = 0; block < 200; ++block)
        EXPECT_FALSE(
            rule.feed({0.5, block % 100 == 0 ? std::optional(block / 100.0) : std::nullopt, 0.5}));
}

TEST(statistics_stop, width_waits_for_who_has_not_played_yet) {
    IntervalWidth rule(0.2, 3);
    for (int block = 0; block < 200; ++block)
        EXPECT_FALSE(rule.feed({0.5, 0.5, std::nullopt}));
    EXPECT_FALSE(rule.status().value);
}

} // namespace
} // namespace croupier::results
