// Sums of costs: what stays separate, what adds up, and scaling from a sample to a game.
#include "results/costs/cost.h"
#include "results/costs/testing.h"

#include <gtest/gtest.h>

#include <vector>

namespace croupier::results {

namespace {

Cost cost(std::uint64_t tried, std::uint64_t match_ns, std::uint64_t act_ns = 0) {
    return {tried, tried / 2, 3 * tried, tried, match_ns, act_ns, match_ns + act_ns + 1};
}

CostTable example() {
    CostTable table;
    table.add({{0, Phase::Play, 0, kNothing}, cost(2, 10, 5)});
    table.add({{0, Phase::Play, 1, kNothing}, cost(4, 20)});
    table.add({{0, Phase::Moves, 1, kNothing}, cost(6, 40)});
    table.add({{0, Phase::Play, 0, 3}, cost(8, 7)});
    table.add({{1, Phase::Setup, kNothing, kNothing}, cost(1, 25)});
    return table;
}

TEST(costs, equal_keys_add_up_whatever_their_order) {
    CostTable one = example();
    one.add({{0, Phase::Play, 0, kNothing}, cost(2, 1)});
    CostTable other;
    other.add({{0, Phase::Play, 0, kNothing}, cost(2, 1)});
    const CostTable rest = example();
    for (auto row = rest.rows().rbegin(); row != rest.rows().rend(); ++row)
        other.add({row->first, row->second});
    EXPECT_EQ(one.rows(), other.rows());
    EXPECT_EQ(one.rows().at({0, Phase::Play, 0, kNothing}).tried, 4u);
    EXPECT_EQ(one.rows().at({0, Phase::Play, 0, kNothing}).self_ns(), 16u);
}

TEST(costs, entries_are_inside_their_rule_and_count_for_no_sum) {
    const CostTable table = example();
    EXPECT_EQ(table.rule(0).tried, 12u);
    EXPECT_EQ(table.rule(0).self_ns(), 75u);
    EXPECT_EQ(table.rule(1).tried, 1u);
    EXPECT_EQ(table.rule(2), Cost{});
    EXPECT_EQ(table.self_ns(), 100u);
}

TEST(costs, what_is_not_kept_apart_is_added_up) {
    const CostTable table = example();
    EXPECT_EQ(table.sums({}).size(), 2u);
    const auto phases = table.sums({.phase = true});
    ASSERT_EQ(phases.size(), 3u);
    EXPECT_EQ(phases.at({0, Phase::Play, kNothing, kNothing}).tried, 6u);
    const auto seats = table.sums({.seat = true});
    EXPECT_EQ(seats.at({0, Phase::Setup, 1, kNothing}).tried, 10u);
    const auto entries = table.sums({.entry = true});
    EXPECT_EQ(entries.at({0, Phase::Setup, kNothing, 3}).tried, 8u);
    EXPECT_EQ(entries.at({0, Phase::Setup, kNothing, kNothing}).tried, 12u);
}

TEST(costs, a_step_that_was_watched_is_no_rule) {
    CostTable table = example();
    table.add_game(9); // ten steps: the deal is one
    table.add_game(29);
    table.add({{}, {.tried = 8}});
    EXPECT_EQ(table.watched(), 8u);
    EXPECT_EQ(table.steps(), 40u);
    EXPECT_EQ(table.rows().size(), example().rows().size());
}

// A table of one game in which rule i was found by that many ticks of 100 ns.
CostTable ticked(const std::vector<std::uint64_t>& ticks, std::uint64_t elsewhere) {
    CostTable table;
    table.add_game(9);
    std::uint64_t all = elsewhere;
    for (std::uint32_t rule = 0; rule < ticks.size(); ++rule) {
        all += ticks[rule];
        const std::uint64_t ns = 100 * ticks[rule];
        table.add({{rule, Phase::Any, kNothing, kNothing}, {.match_ns = ns, .total_ns = ns}});
    }
    table.add({{kNothing, {}, kNothing, static_cast<std::uint32_t>(Outside::Agents)},
               {.match_ns = 100 * elsewhere}});
    table.add({{}, {.matches = all, .match_ns = 60'000}});
    return table;
}

TEST(costs, times_are_parts_of_the_cpu_time_and_add_up_to_it) {
    EXPECT_FALSE(example().per_game(100)) << "nothing was sampled";
    EXPECT_FALSE(example().share(100).value);
    const CostTable table = ticked({100, 200}, 100);
    EXPECT_DOUBLE_EQ(*table.share(table.rule(1).self_ns()).value, 0.5);
    EXPECT_DOUBLE_EQ(*table.per_game(table.rule(1).self_ns()), 30'000);
    EXPECT_DOUBLE_EQ(*table.per_game(table.rule(0).self_ns()) +
                         *table.per_game(table.rule(1).self_ns()) +
                         *table.per_game(table.outside(Outside::Agents)),
                     60'000);
}

// Wilson's interval as published for 8 of 10 trials.
TEST(costs, shares_have_intervals_by_the_number_of_ticks) {
    const CostTable table = ticked({8}, 2);
    const Estimate share = table.share(table.rule(0).self_ns());
    EXPECT_NEAR(*share.low, 0.490162, 1e-6);
    EXPECT_NEAR(*share.high, 0.943318, 1e-6);
    EXPECT_FALSE(table.has_times());
    EXPECT_FALSE(ticked({200}, 184).has_times());
    const CostTable enough = ticked({193}, 192);
    EXPECT_TRUE(enough.has_times());
    const Estimate half = enough.share(enough.rule(0).self_ns());
    EXPECT_LT(*half.high - *half.low, 0.1) << "5 % to each side";
}

TEST(costs, two_shares_differ_when_chance_would_not_do_that) {
    const CostTable table = ticked({110, 100, 60, 0}, 230);
    const auto ns = [&](std::uint32_t rule) { return table.rule(rule).self_ns(); };
    EXPECT_FALSE(table.differ(ns(0), ns(0)));
    EXPECT_FALSE(table.differ(ns(0), ns(1)));
    EXPECT_TRUE(table.differ(ns(1), ns(2))) << "40 apart, 12.6 would be one standard error";
    EXPECT_TRUE(table.differ(ns(2), ns(3)));
}

TEST(costs, times_of_other_games_are_taken_without_their_counts) {
    CostTable counted = example();
    counted.add_game(9);
    CostTable other = ticked({100, 300}, 0);
    other.add({{0, Phase::Play, 0, kNothing}, {.tried = 77}});
    counted.take_times(other);
    counted.take_times(other);
    EXPECT_EQ(counted.rule(0).tried, example().rule(0).tried);
    EXPECT_EQ(counted.ticks(), 800u);
    EXPECT_DOUBLE_EQ(*counted.cpu_per_game(), 60'000) << "of each of the two that were timed";
    EXPECT_EQ(counted.games(), 1u);
    EXPECT_EQ(counted.cpu_ns(), 60'000u) << "as many of those";
}

TEST(costs, a_table_that_takes_times_forgets_its_own) {
    CostTable own = ticked({17, 0}, 5);
    own.add_game(9);
    own.take_times(ticked({100, 300}, 0));
    EXPECT_EQ(own.ticks(), 400u);
    EXPECT_EQ(own.rule(0).match_ns, 10'000u);
    EXPECT_EQ(own.outside(Outside::Agents), 0u);
    EXPECT_DOUBLE_EQ(*own.cpu_per_game(), 60'000);
    EXPECT_EQ(own.cpu_ns(), 120'000u);
}

TEST(costs, names_read_back) {
    for (const ProfileMode mode : {ProfileMode::Off, ProfileMode::Sample, ProfileMode::Full})
        EXPECT_EQ(profile_mode_of(name_of(mode)), mode);
    for (std::size_t phase = 0; phase < kPhases; ++phase)
        EXPECT_EQ(phase_of(name_of(static_cast<Phase>(phase))), static_cast<Phase>(phase));
    EXPECT_FALSE(phase_of("bid"));
    EXPECT_FALSE(profile_mode_of(""));
}

// Comparisons: a verdict needs an interval that excludes equality.

using CostVerdict = CostChange::Verdict;

// One game, in which rule n took that many nanoseconds, one tick each, and the rest of the game a
// thousand.
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
        const std::uint64_t load = round + 1; // other load on the machine
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

// One tick of the old rules and none of the new: not a reason to call it infinitely faster.
TEST(compare, few_ticks_decide_nothing) {
    std::vector<CostRound> rounds(9, {table_of({0}), table_of({0})});
    rounds[0].old = table_of({1});
    const CostChange change = compared(rounds, {"a"}, {"a"})[2];
    EXPECT_EQ(change.verdict, CostVerdict::Undecided);
    EXPECT_GT(*change.high, 1);
}

// Four ticks are one too few for a comparison.
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
