// The solver compared with exhaustive search, in thousands of endings.
#include "agents/testing/testing.h"

#include <gtest/gtest.h>

namespace croupier::agents {
namespace {

using testing::expect_solved;

TEST(double_dummy, finds_what_every_line_says_in_thousands_of_endings) {
    EXPECT_GT(expect_solved("belote", 2000, 8), 1000U);
    EXPECT_GT(expect_solved("coinche", 1000, 8), 500U);
    EXPECT_GT(expect_solved("whist", 1000, 8), 800U);
    EXPECT_GT(expect_solved("tarot", 600, 8), 200U);
    EXPECT_GT(expect_solved("tarot:five", 200, 10), 50U);
}

TEST(double_dummy, finds_what_every_line_says_three_tricks_before_the_end) {
    EXPECT_GT(expect_solved("belote", 100, 12), 50U);
    EXPECT_GT(expect_solved("coinche", 50, 12), 25U);
    EXPECT_GT(expect_solved("whist", 20, 12), 10U);
    EXPECT_GT(expect_solved("tarot", 15, 12), 4U);
}

} // namespace
} // namespace croupier::agents
