// What rules are worth, against numbers made by hand.
#include "results/compare/ablation.h"

#include "results/compare/testing.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace croupier::results {
namespace {

// Blocks of two games; agent 0 sits on A, then on B. Of each variant: how many of the two it wins.
std::vector<GameRecord> block_of(std::initializer_list<int> wins) {
    std::vector<GameRecord> games;
    for (const int won : wins) {
        games.push_back(won >= 1 ? game_of(1, 2, 0) : game_of(2, 1, 0));
        games.push_back(won >= 2 ? game_of(2, 1, 1) : game_of(1, 2, 1));
    }
    return games;
}

// Without `good` agent 0 wins a game less in every other block, without `idle` all is as before.
AblationTally two_rules() {
    AblationTally tally(two_seats(), {{"choose", "idle", {}}, {"choose", "good", {}}});
    for (int block = 0; block < 20; ++block)
        tally.add_block(block_of({block % 4 < 3 ? 2 : 1, block % 4 < 3 ? 2 : 1,
                                  block % 4 < 3 ? (block % 2 == 0 ? 1 : 2) : 1}));
    return tally;
}

TEST(compare_ablation, a_rule_is_worth_what_is_lost_without_it) {
    const AblationSummary summary = two_rules().summary(0);
    EXPECT_EQ(summary.blocks, 20U);
    EXPECT_EQ(summary.games, 40U);
    EXPECT_DOUBLE_EQ(*summary.win_rate.value, 35.0 / 40);
    EXPECT_EQ(summary.against, std::vector<std::string>{"two"});
    ASSERT_EQ(summary.rows.size(), 2U);
    const WorthRow& good = summary.rows[0]; // most worth first
    EXPECT_EQ(good.rule.name, "good");
    EXPECT_DOUBLE_EQ(*good.win_rate.value, 0.25); // half a block in every second one
    EXPECT_DOUBLE_EQ(*good.score.value, 0.25);
    EXPECT_DOUBLE_EQ(*good.points.value, 0.75);
    EXPECT_NEAR(*good.score.error, 0.25 / std::sqrt(19), 1e-9);
    EXPECT_NEAR(*good.elo.value, 400 * (std::log10(0.875 / 0.125) - std::log10(0.625 / 0.375)),
                1e-9);
    EXPECT_EQ(good.judgement.change, Change::Higher);
    EXPECT_EQ(good.alike, 10U);
    const WorthRow& idle = summary.rows[1];
    EXPECT_EQ(idle.judgement.change, Change::Undecided) << "20 deals show no more";
    EXPECT_EQ(idle.alike, 20U);
    EXPECT_EQ(*idle.elo.value, 0);
    EXPECT_FALSE(idle.elo.error);
}

TEST(compare_ablation, with_times_the_cheaper_of_two_good_rules_comes_first) {
    AblationTally tally(two_seats(),
                        {{"choose", "dear", {}}, {"choose", "cheap", {}}, {"observe", "bad", {}}});
    for (int block = 0; block < 40; ++block) {
        const bool even = block % 2 == 0;
        tally.add_block(block_of({1, 0, even ? 0 : 1, even ? 2 : 1}));
    }
    EXPECT_EQ(tally.summary(0).rows[0].rule.name, "dear");
    const std::array<std::optional<double>, 3> costs{4000.0, 500.0, 100.0};
    tally.set_costs(costs);
    const AblationSummary summary = tally.summary(0);
    EXPECT_EQ(summary.rows[0].rule.name, "cheap");
    EXPECT_NEAR(*summary.rows[0].elo_per_us.value, *summary.rows[0].elo.value / 0.5, 1e-9);
    EXPECT_NEAR(*summary.rows[0].elo_per_us.low, *summary.rows[0].elo.low / 0.5, 1e-9);
    EXPECT_EQ(summary.rows[1].rule.name, "dear");
    EXPECT_FALSE(summary.rows[1].elo_per_us.value) << "without it nothing was won at all";
    EXPECT_EQ(summary.rows[2].rule.name, "bad");
    EXPECT_EQ(summary.rows[2].judgement.change, Change::Lower);
    // Too few ticks to know: no more than the cheapest of the others.
    tally.set_costs(std::array<std::optional<double>, 3>{4000.0, {}, 100.0});
    EXPECT_EQ(tally.summary(0).rows[0].rule.name, "cheap");
    EXPECT_FALSE(tally.summary(0).rows[0].elo_per_us.value);
}

TEST(compare_ablation, a_margin_says_what_does_not_matter) {
    AblationTally tally(two_seats(), {{"choose", "small", {}}});
    for (int block = 0; block < 400; ++block)
        tally.add_block(block_of({1, block == 0 ? 0 : 1}));
    EXPECT_EQ(tally.summary(0.02).rows[0].judgement.change, Change::Equivalent);
    EXPECT_EQ(tally.summary(0).rows[0].judgement.change, Change::Undecided);
}

} // namespace
} // namespace croupier::results
