// Verdicts: which of several differences are told, and what would decide the others.
#include "results/compare/judge.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace croupier::results {
namespace {

// A mean with that error: half of the blocks below, half above it.
PairedMoments of(double mean, double error, int blocks = 100) {
    PairedDifference result;
    const double spread = error * std::sqrt(blocks - 1);
    for (int block = 0; block < blocks; ++block)
        result.add(0, mean + (block % 2 == 0 ? spread : -spread));
    return result.difference();
}

PairedMoments alike(int blocks) {
    PairedDifference result;
    for (int block = 0; block < blocks; ++block)
        result.add(0.5, 0.5);
    return result.difference(kShare);
}

TEST(compare_judge, one_difference_is_judged_as_if_alone) {
    const std::array differences{of(0.25, 0.1)}; // t of 2.5 with 99 degrees: p = 0.0141
    const auto judged = judge(differences, std::array{0.0});
    EXPECT_EQ(judged.rows[0].change, Change::Higher);
    EXPECT_NEAR(*judged.rows[0].p_value, 0.01406, 2e-4);
    EXPECT_FALSE(judged.rows[0].equivalence_p_value) << "no margin was given";
}

TEST(compare_judge, of_five_the_same_difference_is_not_told_any_more) {
    std::vector<PairedMoments> differences(5, of(0.01, 0.1));
    differences[0] = of(-0.25, 0.1);
    const std::vector<double> margins(5, 0.0);
    const auto judged = judge(differences, margins);
    EXPECT_EQ(judged.rows[0].change, Change::Undecided);
    EXPECT_NEAR(*judged.rows[0].p_value, 5 * 0.01406, 1e-3);
    // (2.5758 + 0.8416)^2 / 2.5^2 of what there is, at 1 % for each of five.
    EXPECT_NEAR(*judged.rows[0].blocks_to_decide, 188, 3);
    differences[0] = of(-0.35, 0.1);
    EXPECT_EQ(judge(differences, margins).rows[0].change, Change::Lower);
}

TEST(compare_judge, within_the_margin_goes_before_being_there) {
    const auto judged = judge(std::array{of(0.03, 0.01), of(0.09, 0.01)}, std::array{0.1, 0.1});
    EXPECT_EQ(judged.rows[0].change, Change::Equivalent) << "sure to be there, and not to matter";
    EXPECT_EQ(judged.rows[1].change, Change::Higher);
    // 1 error from the margin: the largest of all four, and one group is left.
    EXPECT_NEAR(*judged.rows[1].equivalence_p_value, 0.15988, 1e-3);
}

TEST(compare_judge, what_has_not_been_shown_is_not_called_the_same) {
    PairedDifference shifted;
    for (int block = 0; block < 100; ++block)
        shifted.add(0, 2);
    const std::array differences{alike(100), shifted.difference(), PairedDifference().difference(),
                                 alike(400), of(0.2, 0.01, 4)};
    const auto judged = judge(differences, std::array{0.02, 0.1, 0.1, 0.02, 0.0});
    EXPECT_EQ(judged.rows[0].change, Change::Undecided) << "0.98^100 is more than 5 %";
    EXPECT_FALSE(judged.rows[0].p_value) << "nothing speaks against it, so it is not corrected for";
    EXPECT_EQ(*judged.rows[0].blocks_to_decide, 149) << "ln(0.05) / ln(0.98)";
    EXPECT_EQ(judged.corrected_for, 0U) << "of none of them there is a p-value to correct";
    EXPECT_EQ(judged.rows[1].change, Change::Constant);
    EXPECT_EQ(judged.rows[2].change, Change::TooFew);
    EXPECT_EQ(judged.rows[3].change, Change::Equivalent);
    EXPECT_EQ(judged.rows[4].change, Change::TooFew);
    EXPECT_FALSE(judged.rows[4].p_value);
}

// Of four rows one has not happened, and two are of one question: the others pay for two.
TEST(compare_judge, a_family_is_what_can_be_different_and_counts_each_question_once) {
    const std::array differences{of(0.25, 0.1), of(-0.25, 0.1), of(0.01, 0.1), alike(100)};
    const std::array margins{0.0, 0.0, 0.0, 0.02};
    const auto judged = judge(differences, margins, std::array<std::size_t, 4>{0, 0, 1, 2});
    EXPECT_EQ(judged.corrected_for, 2U);
    EXPECT_NEAR(*judged.rows[0].p_value, 2 * 0.01406, 4e-4);
    EXPECT_EQ(judged.rows[0].change, Change::Higher);
    EXPECT_EQ(judged.rows[1].change, Change::Lower);
    EXPECT_NEAR(*judged.rows[3].equivalence_p_value, std::pow(0.98, 100), 1e-12);
    EXPECT_EQ(judge(differences, margins).corrected_for, 3U);
}

} // namespace
} // namespace croupier::results
