// Verdicts: which of several differences are told, and what would decide the others.
#include "results/compare/judge.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace croupier::results {
namespace {

MeanOverBlocks of(double mean, double error, std::uint64_t blocks = 100) {
    return {blocks, mean, error};
}

TEST(compare_judge, one_difference_is_judged_as_if_alone) {
    const std::array differences{of(0.25, 0.1)}; // 2.5 errors: p = 0.0124
    const auto judged = judge(differences, std::array{0.0});
    EXPECT_EQ(judged[0].change, Change::Higher);
    EXPECT_NEAR(*judged[0].p_value, 0.012419, 1e-6);
    EXPECT_FALSE(judged[0].equivalence_p_value) << "no margin was given";
}

TEST(compare_judge, of_five_the_same_difference_is_not_told_any_more) {
    std::vector<MeanOverBlocks> differences(5, of(0.01, 0.1));
    differences[0] = of(-0.25, 0.1);
    const std::vector<double> margins(5, 0.0);
    const auto judged = judge(differences, margins);
    EXPECT_EQ(judged[0].change, Change::Undecided);
    EXPECT_NEAR(*judged[0].p_value, 5 * 0.012419, 1e-5);
    // (2.5758 + 0.8416)^2 / 2.5^2 of what there is, at 1 % for each of five.
    EXPECT_EQ(*judged[0].blocks_to_decide, 187);
    differences[0] = of(-0.35, 0.1);
    EXPECT_EQ(judge(differences, margins)[0].change, Change::Lower);
}

TEST(compare_judge, within_the_margin_goes_before_being_there) {
    const auto judged = judge(std::array{of(0.03, 0.01), of(0.09, 0.01)}, std::array{0.1, 0.1});
    EXPECT_EQ(judged[0].change, Change::Equivalent) << "sure to be there, and not to matter";
    EXPECT_EQ(judged[1].change, Change::Higher);
    // 1 error from the margin: 0.1587, the largest of all four, and one group is left.
    EXPECT_NEAR(*judged[1].equivalence_p_value, 0.158655, 1e-6);
}

TEST(compare_judge, without_an_error_there_is_no_test) {
    const MeanOverBlocks same{100, 0.0, {}};
    const MeanOverBlocks shifted{100, 2.0, {}};
    const MeanOverBlocks nothing{0, {}, {}};
    const auto judged = judge(std::array{same, shifted, nothing}, std::array{0.1, 0.1, 0.1});
    EXPECT_EQ(judged[0].change, Change::Same);
    EXPECT_EQ(judged[1].change, Change::Constant);
    EXPECT_EQ(judged[2].change, Change::Undecided);
    for (const Judgement& each : judged) {
        EXPECT_FALSE(each.p_value);
        EXPECT_FALSE(each.blocks_to_decide);
    }
}

} // namespace
} // namespace croupier::results
