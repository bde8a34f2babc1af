// The normal distribution against tabled values.
#include "results/statistics/normal.h"

#include <gtest/gtest.h>

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

} // namespace
} // namespace croupier::results
