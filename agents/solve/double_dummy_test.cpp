// The solver compared with exhaustive search.
#include "agents/solve/double_dummy.h"
#include "agents/testing/testing.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

namespace croupier::agents {
namespace {

using games::open_for_test;
using testing::expect_solved;

TEST(double_dummy, finds_what_every_line_says) {
    EXPECT_GT(expect_solved("exchange", 20, 8), 0U);
    expect_solved("nim", 20, 8);
    EXPECT_GT(expect_solved("belote", 100, 8), 50U);
    EXPECT_GT(expect_solved("coinche", 40, 8), 20U);
    EXPECT_GT(expect_solved("whist", 40, 8), 30U);
    EXPECT_GT(expect_solved("tarot", 20, 8), 5U);
    EXPECT_GT(expect_solved("tarot:five", 10, 10), 2U);
}

TEST(double_dummy, gives_up_where_it_may_look_at_too_few_positions) {
    const auto game = open_for_test("belote");
    const auto position = testing::random_ending(*game, 3, 12);
    ASSERT_NE(position, nullptr);
    ASSERT_GT(position->move_count(), 1U);
    DoubleDummy dummy;
    dummy.reset(*game);
    std::vector<double> worth;
    EXPECT_FALSE(dummy.solve(*position, position->turn(), {5}, Random(1), worth));
    EXPECT_FALSE(dummy.loss(*position, 0, {5}, Random(1)).has_value());
    EXPECT_TRUE(dummy.solve(*position, position->turn(), {1'000'000}, Random(1), worth));
    EXPECT_EQ(worth, testing::worth_by_trying(*position, position->turn()));
}

TEST(double_dummy, gives_up_where_a_line_is_longer_than_it_may_be) {
    const auto belote = open_for_test("belote");
    const auto position = testing::random_ending(*belote, 3, 12);
    ASSERT_NE(position, nullptr);
    DoubleDummy dummy;
    dummy.reset(*belote);
    const std::uint64_t left = dummy.moves_to_come(*position, Random(1));
    std::vector<double> worth;
    EXPECT_FALSE(dummy.solve(*position, position->turn(), {1'000'000, left - 1}, Random(1), worth));
    EXPECT_TRUE(dummy.solve(*position, position->turn(), {1'000'000, left}, Random(1), worth));
    // Games with hundreds of moves exceed the limit in the first line: no longer line is kept.
    const auto oldmaid = open_for_test("oldmaid");
    const auto deal = oldmaid->new_position();
    Random chance = games::stream(1, 0, games::Purpose::Deal);
    deal->start(chance);
    dummy.reset(*oldmaid);
    const std::uint64_t before = dummy.nodes();
    EXPECT_FALSE(dummy.solve(*deal, deal->turn(), {1'000'000, 12}, Random(1), worth));
    EXPECT_LE(dummy.nodes() - before, 13U);
}

TEST(bounds_table, an_entry_is_gone_when_the_next_solution_begins) {
    BoundsTable table;
    table.begin(4);
    table.at(77, 3).least = 5;
    ASSERT_NE(table.find(77), nullptr);
    EXPECT_EQ(table.find(77)->least, 5);
    table.begin(4);
    EXPECT_EQ(table.find(77), nullptr);
    table.begin(6);
    EXPECT_EQ(table.find(77), nullptr);
}

TEST(bounds_table, positions_with_more_to_come_stay) {
    BoundsTable table;
    table.begin(1); // one pair
    table.at(2, 4);
    table.at(4, 9);
    table.at(6, 6); // replaces the one with the fewest moves to come
    EXPECT_NE(table.find(2), nullptr);
    EXPECT_EQ(table.find(4), nullptr);
    EXPECT_NE(table.find(6), nullptr);
}

TEST(gains, are_no_less_only_if_none_is) {
    EXPECT_TRUE(are_no_less({3, -2, 0, 0}, {3, -4, 0, 0}));
    EXPECT_FALSE(are_no_less({3, -2, 0, 0}, {4, -4, 0, 0}));
}

} // namespace
} // namespace croupier::agents
