// Comparisons: a verdict needs an interval that leaves no doubt.
#include "results/costs/compare.h"

#include "results/costs/testing.h"

#include <gtest/gtest.h>

namespace croupier::results {
namespace {

using CostVerdict = CostChange::Verdict;

// One game, in which rule n took so many nanoseconds, found by one tick in each of them, and the
// rest of the game a thousand.
CostTable table_of(const std::vector<std::uint64_t>& ns, std::uint64_t load = 1) {
    CostTable table;
    table.add_game(0);
    std::uint64_t all = 1000;
    for (std::uint32_t rule = 0; rule < ns.size(); ++rule) {
        all += ns[rule];
        table.add(
            {{rule, Phase::Any, kNothing, kNothing}, {.match_ns = ns[rule], .total_ns = ns[rule]}});
    }
    table.add({{kNothing, {}, kNothing, 1}, {.match_ns = 1000}});
    table.add({{}, {.tried = 1, .matches = all, .match_ns = load * all}});
    return table;
}

std::vector<CostChange> compared(const std::vector<CostRound>& rounds,
                                 const std::vector<std::string>& old_names,
                                 const std::vector<std::string>& names) {
    CostsByHand old;
    for (const std::string& name : old_names)
        old.rule(name, {});
    CostsByHand now;
    for (const std::string& name : names)
        now.rule(name, {});
    old.costs.table = rounds[0].old;
    return compare_costs(old.costs, now.costs.facts, rounds, "game", {}, {});
}

TEST(compare, a_ratio_has_an_interval_that_the_load_of_the_machine_does_not_widen) {
    std::vector<CostRound> rounds;
    for (std::uint64_t round = 0; round < 9; ++round) {
        const std::uint64_t load = round + 1; // the machine's own business
        rounds.push_back({table_of({1000, 1000, 1000}, load), table_of({2000, 1000, 500}, load)});
    }
    const auto changes = compared(rounds, {"a", "b", "c"}, {"a", "b", "c"});
    ASSERT_EQ(changes.size(), 5u);
    EXPECT_EQ(changes[0].name, "whole game");
    EXPECT_DOUBLE_EQ(*changes[0].ratio, 4500.0 / 4000);
    EXPECT_EQ(changes[1].name, "all rules");
    EXPECT_EQ(changes[2].name, "a");
    EXPECT_EQ(changes[2].verdict, CostVerdict::Slower);
    EXPECT_DOUBLE_EQ(*changes[2].ratio, 2);
    EXPECT_LT(*changes[2].low, 2);
    EXPECT_GT(*changes[2].low, 1.7) << "9,000 ticks against 18,000";
    EXPECT_DOUBLE_EQ(*changes[2].old, 5000) << "under a load of five on the average";
    EXPECT_DOUBLE_EQ(*changes[2].recorded, 1000);
    EXPECT_EQ(changes[3].name, "c");
    EXPECT_EQ(changes[3].verdict, CostVerdict::Faster);
    EXPECT_EQ(changes[4].verdict, CostVerdict::Undecided) << "equal, but not known to be to 5 %";
    EXPECT_DOUBLE_EQ(*changes[4].ratio, 1);
}

TEST(compare, what_is_known_well_enough_is_the_same) {
    const std::vector<CostRound> rounds(9, {table_of({20'000}), table_of({20'100})});
    EXPECT_EQ(compared(rounds, {"a"}, {"a"})[2].verdict, CostVerdict::Same);
}

TEST(compare, rounds_that_disagree_decide_nothing) {
    std::vector<CostRound> rounds(9);
    for (std::size_t i = 0; i < rounds.size(); ++i)
        rounds[i] = {table_of({10'000}), table_of({i % 2 == 0 ? 7'000u : 16'000u})};
    const CostChange change = compared(rounds, {"a"}, {"a"})[2];
    EXPECT_EQ(change.verdict, CostVerdict::Undecided);
    EXPECT_LT(*change.low, 1);
    EXPECT_GT(*change.high, 1.05);
}

// One tick of the old rules and none of the new: no reason to call it infinitely faster.
TEST(compare, few_ticks_decide_nothing) {
    std::vector<CostRound> rounds(9, {table_of({0}), table_of({0})});
    rounds[0].old = table_of({1});
    const CostChange change = compared(rounds, {"a"}, {"a"})[2];
    EXPECT_EQ(change.verdict, CostVerdict::Undecided);
    EXPECT_GT(*change.high, 1);
}

// Four ticks of five are no time to compare with.
TEST(compare, what_was_recorded_is_shown_where_it_is_known) {
    const std::vector<CostRound> rounds(9, {table_of({1000, 1000}), table_of({1000, 1000})});
    CostsByHand old;
    old.rule("a", {});
    old.rule("b", {});
    old.costs.table = table_of({4, 900});
    const auto changes = compare_costs(old.costs, old.costs.facts, rounds, "game", {}, {});
    EXPECT_FALSE(changes[2].recorded);
    EXPECT_DOUBLE_EQ(*changes[3].recorded, 900);
    EXPECT_DOUBLE_EQ(*changes[1].recorded, 904) << "all rules";
}

TEST(compare, rules_come_and_go_by_their_names) {
    const std::vector<CostRound> rounds(9, {table_of({10, 20}), table_of({20, 70})});
    const auto changes = compared(rounds, {"gone", "stays"}, {"stays", "new"});
    ASSERT_EQ(changes.size(), 5u);
    EXPECT_EQ(changes[2].name, "new");
    EXPECT_EQ(changes[2].verdict, CostVerdict::New);
    EXPECT_FALSE(changes[2].recorded);
    EXPECT_EQ(changes[3].name, "gone");
    EXPECT_EQ(changes[3].verdict, CostVerdict::Gone);
    EXPECT_EQ(changes[4].name, "stays");
    EXPECT_DOUBLE_EQ(*changes[4].ratio, 1) << "its number is another one";
}

} // namespace
} // namespace croupier::results
