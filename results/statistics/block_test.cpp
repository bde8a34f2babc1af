// Block scores: two sides, many sides, partnerships, void games.
#include "results/statistics/block.h"

#include "results/statistics/testing.h"

#include <gtest/gtest.h>

namespace croupier::results {
namespace {

std::vector<GameRecord> two(std::uint32_t first, std::uint32_t second) {
    // Agent 0 wins the games whose place is 1.
    return {game_of(0, 0, {{0, first}, {1, 3 - first}}),
            game_of(0, 1, {{1, 3 - second}, {0, second}}, 7)};
}

TEST(statistics_block, of_two_sides_is_the_mean_of_its_games) {
    BlockReader reader(facts_of(2, {"a", "b"}));
    EXPECT_EQ(*reader.read(two(1, 1)).scores[0], 1);
    EXPECT_EQ(*reader.read(two(1, 2)).scores[0], 0.5);
    EXPECT_EQ(*reader.read(two(2, 2)).scores[0], 0);
    const std::vector<GameRecord> drawn{game_of(0, 0, {{0, 1}, {1, 1}}),
                                        game_of(0, 1, {{1, 2}, {0, 1}})};
    const BlockOutcome outcome = reader.read(drawn);
    EXPECT_EQ(*outcome.scores[0], 0.75);
    EXPECT_EQ(*outcome.scores[1], 0.25);
    ASSERT_EQ(outcome.meetings.size(), 1U);
    EXPECT_EQ(outcome.meetings[0].halves, 3U);
    EXPECT_EQ(outcome.meetings[0].pairs, 2U);
}

// Three seats, a on one, b on two: a meets both of b's sides, b's two sides do not meet each other.
TEST(statistics_block, of_many_sides_compares_pairs_of_places) {
    BlockReader reader(facts_of(3, {"a", "b"}));
    const std::vector<GameRecord> games{game_of(0, 0, {{0, 2}, {1, 1}, {1, 3}})};
    const BlockOutcome outcome = reader.read(games);
    EXPECT_EQ(*outcome.scores[0], 0.5);
    EXPECT_EQ(outcome.meetings[0].pairs, 2U);
}

TEST(statistics_block, of_three_agents_has_a_score_each) {
    BlockReader reader(facts_of(3, {"a", "b", "c", "absent"}));
    const std::vector<GameRecord> games{game_of(0, 0, {{0, 1}, {1, 2}, {2, 2}}),
                                        game_of(0, 1, {{2, 1}, {0, 2}, {1, 3}})};
    const BlockOutcome outcome = reader.read(games);
    EXPECT_EQ(*outcome.scores[0], 6.0 / 8); // beats b twice, c once
    EXPECT_EQ(*outcome.scores[1], 1.0 / 8); // half of c once
    EXPECT_EQ(*outcome.scores[2], 5.0 / 8);
    EXPECT_FALSE(outcome.scores[3]);
    EXPECT_EQ(outcome.meetings.size(), 3U);
}

RunFacts belote() {
    RunFacts facts = facts_of(4, {"a", "b", "c"});
    facts.teams = {{"NS", {0, 2}}, {"EW", {1, 3}}};
    return facts;
}

TEST(statistics_block, a_partnership_is_one_side) {
    BlockReader reader(belote());
    const std::vector<GameRecord> games{game_of(0, 0, {{0, 1}, {1, 2}, {0, 1}, {1, 2}})};
    const BlockOutcome outcome = reader.read(games);
    EXPECT_EQ(*outcome.scores[0], 1);
    EXPECT_EQ(outcome.meetings[0].pairs, 1U) << "not four: partners share their fate";
    EXPECT_EQ(reader.contestants(), 3U);
}

TEST(statistics_block, mixed_partners_are_rated_as_a_team_of_their_own) {
    BlockReader reader(belote());
    const std::vector<GameRecord> games{game_of(0, 0, {{2, 1}, {1, 2}, {0, 1}, {1, 2}})};
    const BlockOutcome outcome = reader.read(games);
    ASSERT_EQ(reader.contestants(), 4U);
    EXPECT_EQ(reader.name(3), "a + c");
    EXPECT_FALSE(outcome.scores[0]);
    EXPECT_EQ(*outcome.scores[3], 1);
    EXPECT_EQ(*outcome.scores[1], 0);
    EXPECT_EQ(reader.read(games).scores.size(), 4U) << "known again the second time";
}

TEST(statistics_block, games_without_places_are_void) {
    BlockReader reader(facts_of(2, {"a", "b"}));
    std::vector<GameRecord> games{game_of(0, 0, {{0, 0}, {1, 0}}), game_of(0, 1, {{1, 2}, {0, 1}})};
    EXPECT_EQ(*reader.read(games).scores[0], 1);
    EXPECT_EQ(reader.read(games).voids, 1U);
    games.pop_back();
    EXPECT_FALSE(reader.read(games).scores[0]);
}

TEST(statistics_block, diverges_where_moves_differ) {
    BlockReader reader(facts_of(2, {"a", "b"}));
    EXPECT_TRUE(reader.read(two(1, 1)).diverged);
    std::vector<GameRecord> games = two(1, 2);
    games[1].line = games[0].line;
    EXPECT_FALSE(reader.read(games).diverged);
    EXPECT_TRUE(reader.read(games).comparable);
    games.pop_back();
    EXPECT_FALSE(reader.read(games).comparable);
}

} // namespace
} // namespace croupier::results
