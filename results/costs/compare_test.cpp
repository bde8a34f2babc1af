// Comparisons: a verdict needs a difference that is large enough and seen in all rounds.
#include "results/costs/compare.h"

#include "results/costs/testing.h"

#include <gtest/gtest.h>

namespace croupier::results {
namespace {

using Verdict = CostChange::Verdict;

// One game of one step, in which rule n took so many nanoseconds.
CostTable table_of(const std::vector<std::uint64_t>& ns) {
    CostTable table;
    table.add_game(0);
    table.add({{}, {.tried = 1}});
    for (std::uint32_t rule = 0; rule < ns.size(); ++rule)
        table.add({{rule, Phase::Play, 0, kNothing}, {1, 1, 1, 1, ns[rule], 0, ns[rule]}});
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

TEST(compare, a_rule_is_slower_when_every_round_says_so) {
    std::vector<CostRound> rounds;
    for (std::uint64_t round = 0; round < 9; ++round) {
        const std::uint64_t load = 100 * (round + 1); // the machine's own business
        rounds.push_back({table_of({load, load, load}), table_of({2 * load, load, load / 2})});
    }
    const auto changes = compared(rounds, {"a", "b", "c"}, {"a", "b", "c"});
    ASSERT_EQ(changes.size(), 4u);
    EXPECT_EQ(changes[0].name, "all rules");
    EXPECT_EQ(changes[1].name, "a");
    EXPECT_EQ(changes[1].verdict, Verdict::Slower);
    EXPECT_DOUBLE_EQ(*changes[1].ratio, 2);
    EXPECT_DOUBLE_EQ(*changes[1].old, 500);
    EXPECT_DOUBLE_EQ(*changes[1].recorded, 100);
    EXPECT_EQ(changes[2].name, "c");
    EXPECT_EQ(changes[2].verdict, Verdict::Faster);
    EXPECT_EQ(changes[3].verdict, Verdict::Same);
}

TEST(compare, a_rule_that_is_slower_now_and_then_is_not_called_so) {
    std::vector<CostRound> rounds;
    for (int round = 0; round < 9; ++round)
        rounds.push_back({table_of({100}), table_of({round < 2 ? 99u : 300u})});
    EXPECT_EQ(compared(rounds, {"a"}, {"a"})[1].verdict, Verdict::Same);
    rounds[1].now = table_of({300}); // one in nine may disagree
    EXPECT_EQ(compared(rounds, {"a"}, {"a"})[1].verdict, Verdict::Slower);
}

TEST(compare, a_difference_too_small_to_matter_is_none) {
    std::vector<CostRound> rounds(9, {table_of({1000}), table_of({1040})});
    EXPECT_EQ(compared(rounds, {"a"}, {"a"})[1].verdict, Verdict::Same);
}

TEST(compare, rules_come_and_go_by_their_names) {
    const std::vector<CostRound> rounds(9, {table_of({10, 20}), table_of({20, 70})});
    const auto changes = compared(rounds, {"gone", "stays"}, {"stays", "new"});
    ASSERT_EQ(changes.size(), 4u);
    EXPECT_EQ(changes[1].name, "new");
    EXPECT_EQ(changes[1].verdict, Verdict::New);
    EXPECT_FALSE(changes[1].recorded);
    EXPECT_EQ(changes[2].name, "gone");
    EXPECT_EQ(changes[2].verdict, Verdict::Gone);
    EXPECT_EQ(changes[3].name, "stays");
    EXPECT_DOUBLE_EQ(*changes[3].ratio, 1) << "its number is another one";
}

} // namespace
} // namespace croupier::results
