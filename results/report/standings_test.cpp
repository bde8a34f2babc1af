// Sums over a run: winners, by seat and role, in constant memory.
#include "results/report/standings.h"
#include "results/report/testing.h"
#include "results/statistics/ratings.h"
#include "results/statistics/testing.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace croupier::results {
namespace {

// Pairs of games: agent 0 wins the first game of each, and the second of every other one.
GameStandings two_agents(std::uint64_t blocks) {
    GameStandings standings(facts_of(2, {"anna", "ben"}));
    for (std::uint64_t block = 0; block < blocks; ++block) {
        standings.add(game_of(block, 0, {{0, 1}, {1, 2}}, 1));
        const std::uint32_t anna = block % 2 == 0 ? 1 : 2;
        standings.add(game_of(block, 1, {{1, 3 - anna}, {0, anna}}, 1 + block % 4));
    }
    return standings;
}

TEST(standings, count_games_and_measure_by_blocks) {
    const Summary summary = two_agents(100).summary();
    EXPECT_EQ(summary.games, 200U);
    EXPECT_EQ(summary.blocks, 100U);
    const ContestantRow& anna = summary.contestants[0];
    EXPECT_EQ(anna.name, "anna");
    EXPECT_EQ(anna.wins, 150U);
    EXPECT_EQ(anna.losses, 50U);
    EXPECT_EQ(summary.contestants[1].wins, 50U);
    EXPECT_DOUBLE_EQ(*anna.win_rate.value, 0.75);
    // Blocks are alternately 1 and 1/2: error sqrt(1/16 / 99), not that of 200 games.
    EXPECT_DOUBLE_EQ(*anna.score.error, std::sqrt(1.0 / 16 / 99));
    EXPECT_NEAR(*anna.win_rate.low, 0.75 - 1.984217 * *anna.score.error, 2e-3);
    EXPECT_EQ(*anna.win_rate.low, *anna.score.low) << "one game is as much of a block as another";
    EXPECT_DOUBLE_EQ(*anna.points.value, 0.75);
}

TEST(standings, measure_a_duel) {
    const Summary summary = two_agents(100).summary();
    ASSERT_EQ(summary.meetings.size(), 1U);
    const MeetingRow& duel = summary.meetings[0];
    EXPECT_DOUBLE_EQ(*duel.score.value, 0.75);
    EXPECT_NEAR(*duel.elo.value, 190.8485, 1e-4);
    EXPECT_EQ(duel.games_per_block, 2);
    // Single games: variance 3/16, of two 3/32; blocks: 1/16.
    EXPECT_DOUBLE_EQ(*duel.variance_reduction, 1.5);
    EXPECT_EQ(summary.diverged, 75U) << "every fourth block's games had the same moves";
    EXPECT_EQ(summary.comparable, 100U);
    EXPECT_EQ(summary.groups, 1U);
}

TEST(standings, count_pairs_of_games_by_result) {
    const auto pairs_of = [](GameStandings&& standings) {
        return standings.summary().meetings[0].pairs;
    };
    const auto pairs = pairs_of(two_agents(99));
    ASSERT_TRUE(pairs);
    EXPECT_EQ(pairs->counts, (std::array<std::uint64_t, 5>{0, 0, 49, 0, 50}));
    EXPECT_FALSE(pairs->ratio()) << "none was lost";
    EXPECT_DOUBLE_EQ(*pairs->draw_ratio(), 49.0 / 99);

    GameStandings all(facts_of(2, {"anna", "ben"}));
    std::uint64_t block = 0;
    for (const std::string_view annas : {"LL", "LD", "DD", "LW", "DW", "WW"}) {
        const auto place = [](char result, char won) { return result == won ? 2U : 1U; };
        all.add(game_of(block, 0, {{0, place(annas[0], 'L')}, {1, place(annas[0], 'W')}}));
        all.add(game_of(block, 1, {{1, place(annas[1], 'W')}, {0, place(annas[1], 'L')}}));
        ++block;
    }
    // A block whose second game is void is not a pair, nor is a single game.
    all.add(game_of(6, 0, {{0, 1}, {1, 2}}));
    all.add(game_of(6, 1, {{1, 0}, {0, 0}}));
    all.add(game_of(7, 0, {{0, 1}, {1, 2}}));
    const auto counted = pairs_of(std::move(all));
    ASSERT_TRUE(counted);
    EXPECT_EQ(counted->counts, (std::array<std::uint64_t, 5>{1, 1, 2, 1, 1}));
    EXPECT_DOUBLE_EQ(*counted->ratio(), 1);

    GameStandings three(
        facts_of(3, {"anna", "ben"})); // two meetings in one game are not a pair of games
    three.add(game_of(0, 0, {{0, 1}, {1, 2}, {0, 3}}));
    EXPECT_FALSE(pairs_of(std::move(three)));
}

// c loses everything: no rating is low enough, and a prior gives one.
TEST(standings, bound_the_elo_of_who_only_won_or_lost) {
    GameStandings standings(facts_of(2, {"a", "b", "c"}));
    for (std::uint64_t block = 0; block < 12; ++block) {
        const std::uint32_t first = block % 3 == 0 ? 1 : 0;
        const std::uint32_t other = block % 3 == 2 ? 1 - first : 2;
        const std::uint32_t place = other < first ? 2 : 1; // a loses a few to b
        standings.add(game_of(block, 0, {{first, place}, {other, 3 - place}}));
    }
    for (std::uint64_t block = 12; block < 16; ++block)
        standings.add(game_of(block, 0, {{0, 2}, {1, 1}}));
    const Summary summary = standings.summary();
    const Rating& worst = summary.contestants[2].rating;
    EXPECT_FALSE(worst.elo);
    ASSERT_TRUE(worst.with_prior);
    EXPECT_LT(*worst.with_prior, -200);
    EXPECT_TRUE(summary.contestants[0].rating.elo);
    EXPECT_FALSE(summary.contestants[0].rating.with_prior) << "it has one without";
    EXPECT_TRUE(summary.meetings[1].elo.one_sided);
    EXPECT_NEAR(*summary.meetings[1].elo.low, *elo_of_score(std::pow(0.05, 0.25)), 1e-9);
}

TEST(standings, have_a_row_for_every_seat_and_who_sat_there) {
    const Summary summary = two_agents(100).summary();
    ASSERT_EQ(summary.seats.size(), 6U);
    EXPECT_EQ(summary.seats[0].name, "P0");
    EXPECT_FALSE(summary.seats[0].agent);
    EXPECT_DOUBLE_EQ(*summary.seats[0].win_rate.value, 0.75); // 100 of anna's, 50 of ben's
    EXPECT_EQ(*summary.seats[1].agent, 0U);
    EXPECT_EQ(*summary.seats[1].win_rate.value, 1);
    EXPECT_FALSE(summary.seats[1].win_rate.error) << "no +/- 0";
    EXPECT_EQ(*summary.seats[2].win_rate.value, 0.5);
    EXPECT_EQ(summary.seats[3].name, "P1");
    EXPECT_EQ(summary.seats[3].games, 200U);
}

TEST(standings, have_rows_for_roles) {
    GameStandings standings(facts_of(3, {"anna"}));
    for (std::uint64_t block = 0; block < 40; ++block) {
        GameRecord game = game_of(block, 0, {{0, 1}, {0, 2}, {0, 2}});
        const std::size_t taker = block % 4 == 0 ? 1 : 0; // loses every fourth game
        for (std::size_t seat = 0; seat < 3; ++seat)
            game.seats[seat].role = seat == taker ? "taker" : "defender";
        standings.add(game);
    }
    const Summary summary = standings.summary();
    ASSERT_EQ(summary.roles.size(), 4U);
    EXPECT_EQ(summary.roles[0].name, "defender");
    EXPECT_EQ(summary.roles[0].games, 80U);
    EXPECT_DOUBLE_EQ(*summary.roles[0].points.value, 10.0 / 80);
    EXPECT_EQ(summary.roles[2].name, "taker");
    EXPECT_EQ(summary.roles[2].games, 40U);
    EXPECT_DOUBLE_EQ(*summary.roles[2].win_rate.value, 0.75);
}

TEST(standings, one_agent_alone_wins_against_nobody) {
    GameStandings standings(facts_of(2, {"anna"}));
    standings.add(game_of(0, 0, {{0, 1}, {0, 2}}));
    const Summary summary = standings.summary();
    EXPECT_EQ(summary.contestants[0].games, 1U);
    EXPECT_EQ(summary.contestants[0].wins, 0U);
    EXPECT_FALSE(summary.contestants[0].win_rate.value);
    EXPECT_EQ(*summary.seats[0].win_rate.value, 1) << "but its first seat does";
}

TEST(standings, rate_more_than_two_jointly) {
    GameStandings standings(facts_of(3, {"a", "b", "c", "idle"}));
    for (std::uint64_t block = 0; block < 60; ++block) {
        const auto first = static_cast<std::uint32_t>(block % 3);
        standings.add(game_of(block, 0, {{first, 1}, {(first + 1) % 3, 2}, {(first + 2) % 3, 3}}));
    }
    const Summary summary = standings.summary();
    ASSERT_EQ(summary.contestants.size(), 3U) << "who did not play is not shown";
    EXPECT_EQ(summary.meetings.size(), 3U);
    for (const ContestantRow& row : summary.contestants) {
        EXPECT_NEAR(*row.rating.elo, 0, 1e-6);
        EXPECT_GT(*row.rating.error, 10);
        EXPECT_EQ(row.wins, 20U);
    }
}

TEST(standings, name_groups_that_never_met) {
    GameStandings standings(facts_of(2, {"a", "b", "c", "d"}));
    for (std::uint64_t block = 0; block < 4; ++block) {
        const std::uint32_t first = block < 2 ? 0 : 2;
        standings.add(game_of(block, 0, {{first, 1}, {first + 1, 2}}));
    }
    EXPECT_EQ(standings.summary().groups, 2U);
}

// Three seats, two of them anna's: her better one counts, in either order.
TEST(standings, who_sits_on_two_sides_wins_with_the_better_one) {
    GameStandings standings(facts_of(3, {"anna", "ben"}));
    standings.add(game_of(0, 0, {{0, 3}, {1, 2}, {0, 1}}));
    standings.add(game_of(1, 0, {{0, 1}, {1, 2}, {0, 3}}));
    standings.add(game_of(2, 0, {{0, 1}, {0, 1}, {1, 1}}));
    const Summary summary = standings.summary();
    EXPECT_EQ(summary.contestants[0].wins, 2U);
    EXPECT_EQ(summary.contestants[1].losses, 2U);
    EXPECT_EQ(summary.draws, 1U);
    EXPECT_DOUBLE_EQ(*summary.contestants[0].win_rate.value, 2.5 / 3) << "two share, not three";
    EXPECT_DOUBLE_EQ(*summary.seats[0].win_rate.value, (1 + 1.0 / 3) / 3) << "three sides share";
}

TEST(standings, draws_and_void_games_are_told_apart) {
    GameStandings standings(facts_of(2, {"a", "b"}));
    standings.add(game_of(0, 0, {{0, 1}, {1, 1}}));
    GameRecord aborted = game_of(0, 1, {{1, 0}, {0, 0}});
    aborted.end = End::Aborted;
    aborted.fault = "rule 'loan' failed";
    standings.add(aborted);
    GameRecord fault = game_of(1, 0, {{0, 2}, {1, 1}});
    fault.end = End::Fault;
    fault.fault = "no such move";
    fault.seats[0].at_fault = true;
    standings.add(fault);
    const Summary summary = standings.summary();
    EXPECT_EQ(summary.games, 3U);
    EXPECT_EQ(summary.draws, 1U);
    EXPECT_EQ(summary.voids, 1U);
    EXPECT_EQ(summary.contestants[0].games, 2U);
    EXPECT_DOUBLE_EQ(*summary.contestants[0].score.value, 0.25);
    EXPECT_EQ(summary.endings[1], 1U);
    ASSERT_EQ(summary.faults.size(), 2U);
    EXPECT_EQ(summary.faults[0].what, "no such move");
    EXPECT_EQ(*summary.faults[0].agent, 0U);
    // The loss counts, but that game has no points: only the draw has some.
    EXPECT_EQ(summary.contestants[0].losses, 1U);
    EXPECT_DOUBLE_EQ(*summary.contestants[0].points.value, 1);
    EXPECT_DOUBLE_EQ(*summary.contestants[1].points.value, 1);
    EXPECT_DOUBLE_EQ(*summary.seats[0].points.value, 1);
    EXPECT_EQ(summary.seats[0].games, 2U);
    EXPECT_FALSE(summary.faults[1].agent);
}

TEST(standings, keep_a_bounded_number_of_faults) {
    GameStandings standings(facts_of(2, {"a", "b"}));
    for (std::uint64_t block = 0; block < 500; ++block) {
        GameRecord game = game_of(block, 0, {{0, 1}, {1, 2}});
        game.fault = "illegal move " + std::to_string(block);
        standings.add(game);
    }
    const Summary summary = standings.summary();
    EXPECT_EQ(summary.faults.size(), 101U);
    EXPECT_EQ(summary.faults[0].what, "(others)");
    EXPECT_EQ(summary.faults[0].games, 400U);
}

TEST(standings, know_who_leads) {
    GameStandings standings(facts_of(2, {"anna", "ben"}));
    EXPECT_TRUE(standings.leaders(2).empty());
    standings.add(game_of(0, 0, {{0, 2}, {1, 1}}));
    standings.add(game_of(1, 0, {{0, 1}, {1, 1}}));
    EXPECT_EQ(standings.leaders(1)[0].second, 1) << "the second block is still open";
    standings.add(game_of(2, 0, {{0, 1}, {1, 1}}));
    ASSERT_EQ(standings.leaders(5).size(), 2U);
    EXPECT_EQ(standings.leaders(5)[0], (std::pair<std::string, double>("ben", 0.75)));
}

TEST(standings, may_be_asked_in_between) {
    GameStandings whole = two_agents(50);
    GameStandings asked(facts_of(2, {"anna", "ben"}));
    for (std::uint64_t block = 0; block < 50; ++block) {
        const std::uint32_t anna = block % 2 == 0 ? 1 : 2;
        const std::vector<GameRecord> games{
            game_of(block, 0, {{0, 1}, {1, 2}}, 1),
            game_of(block, 1, {{1, 3 - anna}, {0, anna}}, 1 + block % 4)};
        asked.add_block(games);
        EXPECT_TRUE(block != 20 || asked.summary().blocks == 21U);
    }
    EXPECT_EQ(asked.summary().meetings[0].elo.low, whole.summary().meetings[0].elo.low);
}

} // namespace
} // namespace croupier::results
