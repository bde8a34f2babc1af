// Sums of costs: what is kept apart, what adds up, and the step from a sample to a game.
#include "results/costs/cost.h"

#include <gtest/gtest.h>

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

TEST(costs, a_sample_is_scaled_by_steps_and_not_by_what_was_hoped_for) {
    CostTable table = example();
    EXPECT_FALSE(table.per_game(100));
    table.add_game(9); // ten steps: the deal is one
    table.add_game(29);
    EXPECT_FALSE(table.per_game(100)) << "nothing was watched";
    table.add({{}, {.tried = 8}});
    EXPECT_EQ(table.watched(), 8u);
    EXPECT_EQ(table.steps(), 40u);
    EXPECT_DOUBLE_EQ(*table.per_game(100), 100.0 * 40 / 8 / 2);
    EXPECT_EQ(table.rows().size(), example().rows().size()) << "steps are no rule";
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
