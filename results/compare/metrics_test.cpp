// What is counted of a block's games.
#include "results/compare/metrics.h"

#include "results/compare/testing.h"

#include <gtest/gtest.h>

#include <array>

namespace croupier::results {
namespace {

constexpr auto kAll = MetricKey::Of::All;
constexpr auto kSide = MetricKey::Of::Side;
constexpr auto kRole = MetricKey::Of::Role;
constexpr auto kAgent = MetricKey::Of::Agent;

void expect(const MetricSums& sums, const MetricKey& key, double sum, double count) {
    const auto found = sums.find(key);
    ASSERT_NE(found, sums.end());
    EXPECT_DOUBLE_EQ(found->second.sum, sum);
    EXPECT_DOUBLE_EQ(found->second.count, count);
}

TEST(compare_metrics, sides_agents_and_games_are_counted) {
    MetricReader reader(two_seats(), true);
    std::array games{game_of(1, 2, 0, 10), game_of(1, 1, 1, 30)};
    games[0].choices = 25;
    games[0].forced = 4;
    games[1].choices = 55;
    games[1].forced = 6;
    const MetricSums sums = reader.read(games);
    expect(sums, {MetricKind::Win, kSide, 0, {}}, 1.5, 2); // a win and a draw
    expect(sums, {MetricKind::Win, kSide, 1, {}}, 0.5, 2);
    expect(sums, {MetricKind::Win, kAgent, 0, {}}, 1.5, 2);
    expect(sums, {MetricKind::Score, kSide, 0, {}}, 4, 2);
    expect(sums, {MetricKind::Score, kAgent, 1, {}}, 1, 2);
    expect(sums, {MetricKind::Draws, kAll, 0, {}}, 1, 2);
    expect(sums, {MetricKind::Length, kAll, 0, {}}, 40, 2);
    expect(sums, {MetricKind::Forced, kAll, 0, {}}, 10, 40);
    expect(sums, {MetricKind::Branching, kAll, 0, {}}, 80, 40);
    expect(sums, {MetricKind::Aborted, kAll, 0, {}}, 0, 2);
    EXPECT_EQ(reader.name_of({MetricKind::Win, kSide, 1, {}}), "B");
    EXPECT_EQ(reader.name_of({MetricKind::Win, kAgent, 1, {}}), "two");
    EXPECT_FALSE(
        MetricReader(two_seats(), false).read(games).contains({MetricKind::Win, kAgent, 0, {}}));
}

TEST(compare_metrics, games_that_came_to_nothing_have_an_ending_and_no_result) {
    MetricReader reader(two_seats(), true);
    GameRecord aborted = game_of(0, 0);
    aborted.end = End::Aborted;
    const MetricSums sums = reader.read({&aborted, 1});
    expect(sums, {MetricKind::Aborted, kAll, 0, {}}, 1, 1);
    expect(sums, {MetricKind::Length, kAll, 0, {}}, 10, 1);
    EXPECT_FALSE(sums.contains({MetricKind::Win, kSide, 0, {}}));
    EXPECT_FALSE(sums.contains({MetricKind::Draws, kAll, 0, {}}));
}

// Four seats in two teams; the taker's whole side wins with him.
TEST(compare_metrics, teams_win_together_and_roles_have_a_row_each) {
    RunFacts facts;
    facts.players = {"n", "e", "s", "w"};
    facts.teams = {{"ns", {0, 2}}, {"ew", {1, 3}}};
    facts.agents = {"one", "two"};
    MetricReader reader(facts, false);
    GameRecord game;
    game.plies = 4;
    game.seats = {{0, 90, 1, "taker", false},
                  {1, 72, 2, "defender", false},
                  {0, 90, 1, "", false},
                  {1, 72, 2, "defender", false}};
    const MetricSums sums = reader.read({&game, 1});
    expect(sums, {MetricKind::Win, kSide, 0, {}}, 1, 1);
    expect(sums, {MetricKind::Score, kSide, 0, {}}, 180, 2);
    expect(sums, {MetricKind::Win, kRole, 0, "taker"}, 1, 1);
    expect(sums, {MetricKind::Win, kRole, 0, "defender"}, 0, 2);
    expect(sums, {MetricKind::Score, kRole, 0, "defender"}, 144, 2);
    EXPECT_EQ(reader.name_of({MetricKind::Win, kSide, 1, {}}), "ew");
}

TEST(compare_metrics, every_kind_has_a_name_that_leads_back_to_it) {
    for (const MetricKind kind : metric_kinds())
        EXPECT_EQ(metric_of(name_of(kind)), kind);
    EXPECT_FALSE(metric_of("lenght"));
    EXPECT_TRUE(is_share(MetricKind::Forced));
    EXPECT_FALSE(is_share(MetricKind::Branching));
}

} // namespace
} // namespace croupier::results
