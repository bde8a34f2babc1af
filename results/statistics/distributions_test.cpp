// The normal distribution against tabled values.
#include "results/statistics/means.h"

#include <gtest/gtest.h>

#include <cmath>

namespace croupier::results {

namespace {

TEST(statistics_normal, cdf_and_quantile_agree_with_tables) {
    EXPECT_NEAR(normal_cdf(0), 0.5, 1e-15);
    EXPECT_NEAR(normal_cdf(1), 0.8413447460685429, 1e-15);
    EXPECT_NEAR(normal_cdf(-3), 0.0013498980316300946, 1e-16);
    EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-13);
    EXPECT_NEAR(normal_quantile(0.05), -1.6448536269514722, 1e-13);
    EXPECT_NEAR(normal_quantile(1e-9), -5.997807015007687, 1e-10);
    EXPECT_NEAR(normal_quantile(0.5), 0, 1e-15);
    EXPECT_NEAR(two_sided_z(0.99), 2.5758293035489004, 1e-13);
}

TEST(statistics_normal, quantile_inverts_cdf_everywhere) {
    for (double p = 0.001; p < 1; p += 0.001)
        EXPECT_NEAR(normal_cdf(normal_quantile(p)), p, 1e-14) << p;
}

// Student's t and Clopper and Pearson's bounds against published tables.

TEST(statistics_student, quantiles_are_those_of_the_tables) {
    EXPECT_NEAR(student_quantile(0.975, 1), 12.7062, 5e-5);
    EXPECT_NEAR(student_quantile(0.975, 5), 2.570582, 5e-7);
    EXPECT_NEAR(student_quantile(0.95, 9), 1.833113, 5e-7);
    EXPECT_NEAR(student_quantile(0.995, 30), 2.749996, 5e-7);
    EXPECT_NEAR(student_quantile(0.975, 1000), 1.962339, 5e-7);
    EXPECT_NEAR(student_quantile(0.025, 5), -2.570582, 5e-7);
    EXPECT_NEAR(student_quantile(0.975, 1e7), normal_quantile(0.975), 1e-6);
    for (const double freedom : {1.0, 7.0, 99.0, 1e5, 1e7})
        EXPECT_NEAR(student_cdf(student_quantile(0.9, freedom), freedom), 0.9, 1e-9);
    EXPECT_DOUBLE_EQ(student_cdf(0, 3), 0.5);
}

// With one degree of freedom it is Cauchy's distribution.
TEST(statistics_student, tails_keep_their_digits) {
    EXPECT_NEAR(student_cdf(-1e6, 1) / (1 / (3.14159265358979 * 1e6)), 1, 1e-9);
    const double two = 1 / (1000002 * (1 + 1000 / std::sqrt(1000002.0))); // of two, in closed form
    EXPECT_NEAR(student_cdf(-1000, 2) / two, 1, 1e-9);
}

TEST(statistics_student, bounds_of_a_chance_are_clopper_and_pearsons) {
    EXPECT_NEAR(most_likely_above(0, 10, 0.05), 1 - std::pow(0.05, 0.1), 1e-12);
    EXPECT_NEAR(most_likely_above(8, 10, 0.025), 0.974789, 5e-7);
    EXPECT_NEAR(1 - most_likely_above(2, 10, 0.025), 0.443905, 5e-7); // 8 of 10 from below
    EXPECT_EQ(most_likely_above(10, 10, 0.05), 1);
    EXPECT_NEAR(beta_quantile(0.5, 3, 3), 0.5, 1e-12);
}

} // namespace

} // namespace croupier::results
