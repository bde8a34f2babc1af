// Paired comparison: intervals, the verdicts, Holm.
#include "results/statistics/paired.h"
#include "results/statistics/testing.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace croupier::results {
namespace {

// n differences in two halves, spread evenly around the mean.
PairedMoments around(double mean, double spread, int n) {
    PairedDifference result;
    for (int i = 0; i < n; ++i)
        result.add(0, mean + (i % 2 == 0 ? spread : -spread));
    return result.difference();
}

// A share that differs by one half in that many blocks, up or down.
PairedMoments rarely(int blocks, int up, int down) {
    PairedDifference result;
    for (int i = 0; i < blocks; ++i)
        result.add(0.5, i < up ? 1 : i < up + down ? 0 : 0.5);
    return result.difference(kShare);
}

TEST(statistics_paired, the_same_deals_save_games) {
    PairedDifference pairs;
    for (int deal = 0; deal < 8; ++deal)
        pairs.add(deal, deal + (deal % 2 == 0 ? 1.0 : 2.0)); // the deal's luck, and little else
    EXPECT_DOUBLE_EQ(*pairs.difference().blocks.mean, 1.5);
    EXPECT_NEAR(pairs.difference().blocks.squares / 8, 0.25, 1e-12);
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
    pairs.add(0, 0, 0, 0); // a block without values does not count
    EXPECT_DOUBLE_EQ(*pairs.under_a().mean(), 0.75);
    EXPECT_DOUBLE_EQ(*pairs.under_b().mean(), 1.25);
    const BlockMoments difference = pairs.difference().blocks;
    EXPECT_EQ(difference.blocks, 2U);
    EXPECT_DOUBLE_EQ(*difference.mean, 0.5);
    EXPECT_NEAR(
        *difference.error() / std::sqrt(2), // the divisor is N - 1
        std::sqrt(2 * (1.0 / 16) * (1.0 / 16) + 2 * (9.0 / 16) / 16 + 2 * 2 * 0.25 * 0.75 / 16),
        1e-12);
    EXPECT_NEAR(*pairs.correlation(), -1, 1e-12);
}

// A block's values on only one side have no partner, and still count.
TEST(statistics_paired, blocks_may_have_values_on_one_side_alone) {
    PairedDifference pairs;
    pairs.add(1, 1, 0, 0);
    pairs.add(3, 1, 0, 0);
    EXPECT_FALSE(pairs.difference().blocks.mean);
    pairs.add(0, 0, 5, 1);
    pairs.add(0, 0, 9, 1);
    EXPECT_DOUBLE_EQ(*pairs.difference().blocks.mean, 5);
    EXPECT_NEAR(*pairs.difference().blocks.error() / std::sqrt(4.0 / 3), std::sqrt(0.5 + 2), 1e-12);
}

TEST(statistics_paired, equal_blocks_and_equal_differences_have_no_error) {
    PairedDifference same;
    PairedDifference shifted;
    for (const double value : {0.1, 0.7, 0.2, 0.3}) {
        same.add(value, value);
        shifted.add(value, value + 0.1);
    }
    EXPECT_EQ(*same.difference().blocks.mean, 0);
    EXPECT_FALSE(same.difference().blocks.error());
    EXPECT_NEAR(*shifted.difference().blocks.mean, 0.1, 1e-15);
    EXPECT_FALSE(shifted.difference().blocks.error());
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

// 0.03 with an error of 0.02 and a margin of 0.05: t of 1.4997 and 0.9998 with 2499 degrees.
TEST(statistics_paired, p_values) {
    const Comparison result = compare(around(0.03, 1, 2500), 0.05);
    EXPECT_NEAR(*result.p_value, 0.133819, 2e-5);
    EXPECT_NEAR(*result.equivalence_p_value, 0.158755, 2e-5);
    EXPECT_NEAR(*result.difference.low, 0.03 - 1.96091 * 0.020004, 2e-5);
    EXPECT_FALSE(compare(around(0.03, 1, 2500), 0).equivalence_p_value);
}

// The source of blocks: a rate differs by this amount in that many of `blocks`.
struct Seen {
    const char* what;
    std::vector<std::pair<double, int>> changes;
    int blocks;
    double margin;
    double alpha;

    [[nodiscard]] PairedMoments drawn(int count, const std::function<double()>& at) const {
        PairedDifference pairs;
        for (int block = 0; block < count; ++block) {
            double left = at();
            double change = 0;
            for (const auto& [by, times] : changes) {
                if (left >= 0 && left < times) change = by;
                left -= times;
            }
            pairs.add(0.5 - change / 2, 0.5 + change / 2);
        }
        return pairs.difference(kShare);
    }
};

// If the blocks seen are representative, four of five samples of the claimed size decide.
TEST(statistics_paired, claims_decide_with_the_power_they_say) {
    const double many = 0.05 / 11; // corrected for other rows
    const std::vector<Seen> all{
        {"most differ", {{0.5, 75}, {-0.5, 70}, {0.25, 20}}, 200, 0, 0.05},
        {"most differ, corrected", {{0.5, 75}, {-0.5, 70}, {0.25, 20}}, 200, 0, many},
        {"most differ, within the margin", {{0.5, 81}, {-0.5, 79}}, 200, 0.02, 0.05},
        {"half differ", {{0.5, 55}, {-0.5, 45}}, 200, 0.02, 0.05},
        {"one of 20, both ways", {{0.5, 7}, {-0.5, 3}}, 200, 0, 0.05},
        {"one of 20, both ways, corrected", {{0.5, 7}, {-0.5, 3}}, 200, 0.02, many},
        {"rare, one way", {{0.5, 3}}, 200, 0, 0.05},
        {"rare, one way, corrected", {{0.5, 3}}, 200, 0, many},
        {"rare, by a whole game", {{1, 2}}, 200, 0, 0.05},
        {"rare, within the margin", {{0.5, 1}}, 200, 0.02, many},
        {"rare and far, within the margin", {{-1, 1}}, 200, 0.02, 0.05},
        {"rare, both ways, within the margin", {{0.5, 2}, {-0.5, 1}}, 200, 0.02, many},
        {"mostly up a little, rarely far down", {{0.1, 80}, {-1, 4}}, 200, 0, 0.05},
    };
    Dice dice(5);
    for (const Seen& seen : all) {
        int next = 0;
        const PairedMoments whole = seen.drawn(seen.blocks, [&] { return next++; });
        ASSERT_EQ(compare(whole, seen.margin, seen.alpha).verdict, Verdict::Undecided) << seen.what;
        const auto claimed = blocks_to_decide(whole, seen.margin, seen.alpha);
        ASSERT_TRUE(claimed) << seen.what;
        const auto blocks = static_cast<int>(*claimed);
        EXPECT_GT(blocks, seen.blocks) << seen.what << ": so many have not decided";
        const int runs = 400;
        int decided = 0;
        for (int run = 0; run < runs; ++run) {
            const PairedMoments sample =
                seen.drawn(blocks, [&] { return std::floor(seen.blocks * dice.uniform()); });
            const Verdict verdict = compare(sample, seen.margin, seen.alpha).verdict;
            decided += verdict != Verdict::Undecided ? 1 : 0;
        }
        const double share = static_cast<double>(decided) / runs;
        EXPECT_TRUE(share > 0.68 && share < 0.95)
            << seen.what << ": " << share << " of runs of " << blocks << " blocks";
    }
}

// (1.96 + 0.8416)^2 * 100/99 / 0.1^2 to see a difference. Near a margin, either verdict decides: in
// 60 % of samples of 498 blocks "different" and in 22 % "equivalent"; of 164 blocks, 25 % and 60 %.
TEST(statistics_paired, says_how_many_blocks_would_decide) {
    EXPECT_NEAR(*blocks_to_decide(around(0.1, 1, 100), 0), 793, 8);
    EXPECT_NEAR(*blocks_to_decide(around(0.1, 1, 100), 0.14), 498, 5);
    EXPECT_NEAR(*blocks_to_decide(around(0.1, 1, 100), 0.25), 164, 3);
    EXPECT_FALSE(blocks_to_decide(around(0, 1, 400), 0)) << "no number would";
}

TEST(statistics_paired, below_six_blocks_there_is_no_verdict) {
    for (const int blocks : {0, 1, 2, 5}) {
        const Comparison result = compare(around(1, 0.01, blocks), 0.1);
        EXPECT_EQ(result.verdict, Verdict::TooFew) << blocks;
        EXPECT_FALSE(result.p_value);
        EXPECT_FALSE(result.equivalence_p_value);
    }
    EXPECT_EQ(compare(around(1, 0.01, 6), 0).verdict, Verdict::Better) << "2 of 64 ways to swap";
}

// Four blocks of a hundred differ, all in one direction: t would give 0.045, but the swap test
// gives one eighth.
TEST(statistics_paired, rare_differences_are_tested_by_swapping_the_names) {
    const PairedMoments four = rarely(100, 4, 0);
    EXPECT_EQ(four.differing, 4U);
    EXPECT_DOUBLE_EQ(*four.swap_p_value, 2.0 / 16);
    EXPECT_EQ(compare(four, 0).verdict, Verdict::Undecided);
    EXPECT_GE(*compare(four, 0).p_value, 0.125);
    EXPECT_DOUBLE_EQ(*rarely(100, 5, 1).swap_p_value, 2 * 7.0 / 64);
    EXPECT_DOUBLE_EQ(*rarely(100, 3, 3).swap_p_value, 1);
    EXPECT_DOUBLE_EQ(*rarely(100, 0, 0).swap_p_value, 1);
    EXPECT_DOUBLE_EQ(*rarely(100, 0, 16).swap_p_value, std::pow(0.5, 15));
    EXPECT_FALSE(rarely(100, 17, 0).swap_p_value) << "too many ways";
    EXPECT_EQ(compare(rarely(100, 12, 0), 0).verdict, Verdict::Better);
}

// Exact: with no difference in N blocks, (1 - 0.02)^N < 5 % from N = 149 on.
TEST(statistics_paired, no_difference_seen_is_no_difference_shown) {
    EXPECT_EQ(compare(rarely(6, 0, 0), 0.02).verdict, Verdict::Undecided);
    EXPECT_EQ(*blocks_to_decide(rarely(6, 0, 0), 0.02), 149);
    EXPECT_EQ(compare(rarely(148, 0, 0), 0.02).verdict, Verdict::Undecided);
    EXPECT_EQ(compare(rarely(149, 0, 0), 0.02).verdict, Verdict::Equivalent);
    EXPECT_NEAR(*compare(rarely(100, 0, 0), 0.02).equivalence_p_value, std::pow(0.98, 100), 1e-12);
    EXPECT_FALSE(compare(rarely(100, 0, 0), 0.02).p_value);
    EXPECT_EQ(compare(rarely(1000, 0, 0), 0).verdict, Verdict::Undecided) << "no margin";
    // One block of 120 differs by one half: t would be certain (p < 0.001).
    EXPECT_EQ(compare(rarely(120, 1, 0), 0.02).verdict, Verdict::Undecided);
    EXPECT_EQ(compare(rarely(400, 2, 1), 0.02).verdict, Verdict::Equivalent);
}

TEST(statistics_paired, differences_that_are_all_alike_claim_nothing) {
    const Comparison shifted = compare(around(1, 0, 100), 0.1);
    EXPECT_EQ(shifted.verdict, Verdict::Undecided);
    EXPECT_FALSE(shifted.p_value);
    EXPECT_FALSE(blocks_to_decide(around(1, 0, 100), 0.1));
}

TEST(statistics_paired, holm_corrects_step_by_step) {
    const auto corrected =
        holm(std::array{0.01, 0.04, 0.03, 0.005, 0.9}, std::array<std::size_t, 5>{0, 1, 2, 3, 4});
    EXPECT_NEAR(corrected[3], 0.025, 1e-15); // 5 * 0.005
    EXPECT_NEAR(corrected[0], 0.04, 1e-15);  // 4 * 0.01
    EXPECT_NEAR(corrected[2], 0.09, 1e-15);  // 3 * 0.03
    EXPECT_NEAR(corrected[1], 0.09, 1e-15);  // 2 * 0.04 is less than the one before
    EXPECT_NEAR(corrected[4], 0.9, 1e-15);
    EXPECT_TRUE(holm({}, {}).empty());
    EXPECT_EQ(holm(std::array{0.6, 0.7}, std::array<std::size_t, 2>{0, 1})[0], 1);
}

// Two metrics with two questions each, of which at most one is answered no: at most two can be.
TEST(statistics_paired, holm_knows_what_cannot_be_true_together) {
    const auto corrected =
        holm(std::array{0.01, 0.2, 0.015, 0.3}, std::array<std::size_t, 4>{0, 0, 1, 1});
    EXPECT_NEAR(corrected[0], 0.02, 1e-15);
    EXPECT_NEAR(corrected[2], 0.03, 1e-15); // both metrics have a question left
    EXPECT_NEAR(corrected[1], 0.4, 1e-15);
    EXPECT_NEAR(corrected[3], 0.4, 1e-15); // 1 * 0.3 is less than the one before
}

// Benjamini and Hochberg: each p-value times the number of tests over its rank, or a later one's.
TEST(statistics_paired, false_discoveries_are_corrected_by_rank) {
    const auto corrected = false_discoveries(std::array{0.01, 0.5, 0.03, 0.002, 0.05},
                                             std::array<std::size_t, 5>{0, 1, 2, 3, 4});
    EXPECT_NEAR(corrected[3], 0.01, 1e-15);   // 0.002 * 5 / 1
    EXPECT_NEAR(corrected[0], 0.025, 1e-15);  // 0.01 * 5 / 2
    EXPECT_NEAR(corrected[2], 0.05, 1e-15);   // 0.03 * 5 / 3
    EXPECT_NEAR(corrected[4], 0.0625, 1e-15); // 0.05 * 5 / 4
    EXPECT_NEAR(corrected[1], 0.5, 1e-15);
    // Ranks count groups, here two: both questions of the first one have the rank 1.
    const auto grouped = false_discoveries(std::array{0.001, 0.01, 0.04, 0.9},
                                           std::array<std::size_t, 4>{0, 0, 1, 1});
    EXPECT_NEAR(grouped[0], 0.002, 1e-15); // 0.001 * 2 / 1
    EXPECT_NEAR(grouped[1], 0.02, 1e-15);  // 0.01 * 2 / 1
    EXPECT_NEAR(grouped[2], 0.04, 1e-15);  // 0.04 * 2 / 2
    EXPECT_TRUE(false_discoveries({}, {}).empty());
}

} // namespace
} // namespace croupier::results
