// Sums of costs: what is kept apart, what adds up, and the step from a sample to a game.
#include "results/costs/cost.h"

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

// A table of one game in which rule i was found by so many ticks of 100 ns.
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

} // namespace
} // namespace croupier::results
