// Paired comparison: intervals, the four verdicts, Holm.
#include "results/statistics/paired.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace croupier::results {
namespace {

// n differences in two halves, spread evenly around the mean.
BlockMean around(double mean, double spread, int n) {
    BlockMean result;
    for (int i = 0; i < n; ++i)
        result.add(mean + (i % 2 == 0 ? spread : -spread));
    return result;
}

TEST(statistics_paired, the_same_deals_save_games) {
    PairedDifference pairs;
    for (int deal = 0; deal < 8; ++deal)
        pairs.add(deal, deal + (deal % 2 == 0 ? 1.0 : 2.0)); // the deal's luck, and little else
    EXPECT_DOUBLE_EQ(*pairs.difference().mean, 1.5);
    EXPECT_NEAR(*pairs.difference().variance(), 0.25, 1e-12);
    EXPECT_NEAR(*pairs.under_a().variance(), 5.25, 1e-12);
    EXPECT_NEAR(*pairs.under_b().variance(), 6.0, 1e-12);
    EXPECT_NEAR(*pairs.correlation(), 5.5 / std::sqrt(5.25 * 6), 1e-12);
    EXPECT_NEAR(*pairs.games_saved(), 1 - 0.25 / 11.25, 1e-12);
}

TEST(statistics_paired, correlation_with_what_never_varies_is_undefined) {
    PairedDifference pairs;
    pairs.add(1, 2);
    pairs.add(1, 3);
    EXPECT_FALSE(pairs.correlation());
    EXPECT_NEAR(*pairs.games_saved(), 0, 1e-12);
}

// Two blocks of unlike sizes: means 3/4 and 5/4, residuals under A (1/4, -1/4), under B (-3/4,
// 3/4).
TEST(statistics_paired, of_ratios_counts_each_value) {
    PairedDifference pairs;
    pairs.add(1, 1, 3, 3);
    pairs.add(2, 3, 2, 1);
    pairs.add(0, 0, 0, 0); // a block without any is none
    EXPECT_DOUBLE_EQ(*pairs.under_a().mean(), 0.75);
    EXPECT_DOUBLE_EQ(*pairs.under_b().mean(), 1.25);
    EXPECT_NEAR(pairs.covariance(), -2 * 0.25 * 0.75 / 16, 1e-15);
    const MeanOverBlocks difference = pairs.difference();
    EXPECT_EQ(difference.blocks, 2U);
    EXPECT_DOUBLE_EQ(*difference.mean, 0.5);
    EXPECT_NEAR(
        *difference.error,
        std::sqrt(2 * (1.0 / 16) * (1.0 / 16) + 2 * (9.0 / 16) / 16 + 2 * 2 * 0.25 * 0.75 / 16),
        1e-12);
    EXPECT_NEAR(*pairs.correlation(), -1, 1e-12);
}

// What only one of them has in a block has no partner there, and counts all the same.
TEST(statistics_paired, blocks_may_have_values_on_one_side_alone) {
    PairedDifference pairs;
    pairs.add(1, 1, 0, 0);
    pairs.add(3, 1, 0, 0);
    EXPECT_FALSE(pairs.difference().mean);
    pairs.add(0, 0, 5, 1);
    pairs.add(0, 0, 9, 1);
    EXPECT_DOUBLE_EQ(*pairs.difference().mean, 5);
    EXPECT_DOUBLE_EQ(pairs.covariance(), 0);
    EXPECT_NEAR(*pairs.difference().error, std::sqrt(0.5 + 2), 1e-12);
}

TEST(statistics_paired, equal_blocks_and_equal_differences_have_no_error) {
    PairedDifference same;
    PairedDifference shifted;
    for (const double value : {0.1, 0.7, 0.2, 0.3}) {
        same.add(value, value);
        shifted.add(value, value + 0.1);
    }
    EXPECT_EQ(*same.difference().mean, 0);
    EXPECT_FALSE(same.difference().error);
    EXPECT_NEAR(*shifted.difference().mean, 0.1, 1e-15);
    EXPECT_FALSE(shifted.difference().error);
    EXPECT_EQ(*shifted.games_saved(), 1);
}

TEST(statistics_paired, verdicts) {
    EXPECT_EQ(compare(around(0.2, 1, 400), 0.05).verdict, Verdict::Better); // 4 errors above
    EXPECT_EQ(compare(around(-0.2, 1, 400), 0.05).verdict, Verdict::Worse);
    EXPECT_EQ(compare(around(0.01, 1, 10000), 0.05).verdict, Verdict::Equivalent);
    EXPECT_EQ(compare(around(0.03, 1, 10000), 0.05).verdict, Verdict::Equivalent)
        << "sure to be there, and sure not to matter";
    EXPECT_EQ(compare(around(0.01, 1, 400), 0.05).verdict, Verdict::Undecided);
    EXPECT_EQ(compare(around(0.01, 1, 10000), 0).verdict, Verdict::Undecided) << "no margin";
}

// 0.03 with an error of 0.02 and a margin of 0.05: p = 2 Phi(-1.5), TOST p = Phi(-1).
TEST(statistics_paired, p_values) {
    const Comparison result = compare(around(0.03, 1, 2500), 0.05);
    EXPECT_NEAR(*result.p_value, 0.133614, 1e-6);
    EXPECT_NEAR(*result.equivalence_p_value, 0.158655, 1e-6);
    EXPECT_NEAR(*result.difference.low, 0.03 - 1.959964 * 0.02, 1e-6);
    EXPECT_FALSE(compare(around(0.03, 1, 2500), 0).equivalence_p_value);
}

// (1.96 + 0.8416)^2 / 0.1^2 to see a difference; (1.645 + 0.8416)^2 / 0.15^2 to see it within 0.25.
TEST(statistics_paired, says_how_many_blocks_would_decide) {
    EXPECT_EQ(*compare(around(0.1, 1, 100), 0).blocks_to_decide, 785);
    EXPECT_EQ(*compare(around(0.1, 1, 100), 0.14).blocks_to_decide, 785);
    EXPECT_EQ(*compare(around(0.1, 1, 100), 0.25).blocks_to_decide, 275);
    EXPECT_FALSE(compare(around(0.2, 1, 400), 0).blocks_to_decide) << "it is decided";
    EXPECT_FALSE(compare(around(0, 1, 400), 0).blocks_to_decide) << "no number would";
}

TEST(statistics_paired, without_variance_nothing_is_claimed) {
    for (const BlockMean& same : {around(0, 0, 100), around(1, 0, 100), BlockMean()}) {
        const Comparison result = compare(same, 0.1);
        EXPECT_EQ(result.verdict, Verdict::Undecided);
        EXPECT_FALSE(result.p_value);
        EXPECT_FALSE(result.difference.low);
        EXPECT_FALSE(result.blocks_to_decide);
    }
}

TEST(statistics_paired, holm_corrects_step_by_step) {
    const auto corrected = holm(std::array{0.01, 0.04, 0.03, 0.005, 0.9});
    EXPECT_NEAR(corrected[3], 0.025, 1e-15); // 5 * 0.005
    EXPECT_NEAR(corrected[0], 0.04, 1e-15);  // 4 * 0.01
    EXPECT_NEAR(corrected[2], 0.09, 1e-15);  // 3 * 0.03
    EXPECT_NEAR(corrected[1], 0.09, 1e-15);  // 2 * 0.04 is less than the one before
    EXPECT_NEAR(corrected[4], 0.9, 1e-15);
    EXPECT_TRUE(holm({}).empty());
    EXPECT_EQ(holm(std::array{0.6, 0.7})[0], 1);
}

// Two metrics of two questions each, of which one answer at most is no: never more than two can be.
TEST(statistics_paired, holm_knows_what_cannot_be_true_together) {
    const auto corrected =
        holm(std::array{0.01, 0.2, 0.015, 0.3}, std::array<std::size_t, 4>{0, 0, 1, 1});
    EXPECT_NEAR(corrected[0], 0.02, 1e-15);
    EXPECT_NEAR(corrected[2], 0.03, 1e-15); // both metrics have a question left
    EXPECT_NEAR(corrected[1], 0.4, 1e-15);
    EXPECT_NEAR(corrected[3], 0.4, 1e-15); // 1 * 0.3 is less than the one before
}

} // namespace
} // namespace croupier::results
