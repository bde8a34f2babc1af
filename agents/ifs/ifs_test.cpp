// The C++ agent makes moves in every deal of Belote, and knows what is good.
#include "agents/registry.h"
#include "agents/testing/testing.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

namespace croupier::agents {
namespace {

using games::open_for_test;

TEST(ifs_agent, beats_random_in_belote) {
    const auto belote = open_for_test("belote");
    const testing::Match match = testing::match(*belote, "ifs", "random", 400);
    EXPECT_GT(match.mean, 5 * match.error);
    EXPECT_GT(match.mean, 20) << "by much";
}

TEST(ifs_agent, chooses_by_view_alone) {
    testing::expect_function_of_view(*open_for_test("belote"), "ifs", 4);
}

TEST(ifs_agent, plays_nothing_else) {
    EXPECT_EQ(make_agent(parse_agent_spec("ifs"), {*open_for_test("whist")}).error,
              "ifs plays belote, not whist");
}

TEST(ifs_agent, speaks_where_announcements_must_be_said) {
    const auto belote = open_for_test("belote:contest");
    const testing::Match match = testing::match(*belote, "ifs", "random", 50);
    EXPECT_GT(match.mean, 0);
}

} // namespace
} // namespace croupier::agents
