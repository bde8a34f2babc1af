// Sweeps over games whose truth is known: effects, gaps, and which points are given up.
#include "results/compare/sweep.h"
#include "results/statistics/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace croupier::results {
namespace {

using Goal = Sought::Goal;

// Two factors with two and three values, every combination.
SweepDesign two_factors() {
    SweepDesign design{{{"speed", {"slow", "fast"}}, {"size", {"1", "2", "3"}}}, {}, true};
    for (std::uint32_t speed = 0; speed < 2; ++speed)
        for (std::uint32_t size = 0; size < 3; ++size)
            design.points.push_back({speed, size});
    return design;
}

SweepDesign one_factor(std::size_t values) {
    SweepDesign design{{{"value", {}}}, {}, true};
    for (std::uint32_t i = 0; i < values; ++i) {
        design.factors[0].values.push_back(std::to_string(i));
        design.points.push_back({i});
    }
    return design;
}

GameRecord game_with(std::uint32_t plies, bool first_wins = true) {
    GameRecord game;
    game.plies = plies;
    game.seats = {{0, 0, first_wins ? 1U : 2U, "", false}, {1, 0, first_wins ? 2U : 1U, "", false}};
    return game;
}

// Feeds blocks of one game for each point that plays, as a runner does.
void play(SweepTally& tally, std::uint64_t blocks,
          const std::function<GameRecord(std::uint32_t point, std::uint64_t block)>& game) {
    std::vector<GameRecord> games;
    for (std::uint64_t block = 0; block < blocks; ++block) {
        games.clear();
        for (const std::uint32_t point : tally.playing())
            games.push_back(game(point, block));
        tally.add_block(games);
    }
}

std::size_t column(const SweepSummary& summary, std::string_view title) {
    for (std::size_t i = 0; i < summary.metrics.size(); ++i)
        if (title_of(summary.metrics[i]) == title) return i;
    ADD_FAILURE() << "no " << title;
    return 0;
}

TEST(results_sweep, effects_and_interactions_are_those_of_the_games) {
    const RunFacts facts = facts_of(2, {"a", "b"});
    SweepTally tally(facts, two_factors(), {}, 200, 1, false);
    Dice dice(1);
    // The points of a block share its luck; "fast" makes 10 longer, and 7 more with size 3.
    std::uint32_t luck = 0;
    play(tally, 200, [&](std::uint32_t point, std::uint64_t) {
        if (point == 0) luck = static_cast<std::uint32_t>(100 * dice.uniform());
        const bool fast = point >= 3;
        const std::uint32_t size = point % 3;
        const auto own = static_cast<std::uint32_t>(3 * dice.uniform());
        return game_with(100 + luck + own + (fast ? 10 : 0) + 5 * size +
                         (fast && size == 2 ? 7 : 0));
    });
    const SweepSummary summary = tally.summary({}, {});
    const std::size_t length = column(summary, "length");
    ASSERT_EQ(summary.points.size(), 6U);
    const auto change = [&](const SweepCell& cell) { return cell.judgement->change; };
    const SweepCell& last = summary.points[5].cells[length];
    EXPECT_NEAR(*last.difference.value, 27, 0.3);
    EXPECT_LT(*last.difference.high - *last.difference.low, 1) << "the luck is the same";
    EXPECT_EQ(change(last), Change::Higher);
    EXPECT_FALSE(summary.points[0].cells[length].judgement);
    ASSERT_EQ(summary.effects.size(), 3U);
    EXPECT_NEAR(*summary.effects[0].cells[length].difference.value, 10 + 7.0 / 3, 0.3);
    EXPECT_NEAR(*summary.effects[1].cells[length].difference.value, 5, 0.3);
    EXPECT_NEAR(*summary.effects[2].cells[length].difference.value, 10 + 7.0 / 2, 0.3);
    ASSERT_EQ(summary.interactions.size(), 2U);
    const SweepCell& none = summary.interactions[0].cells[length];
    const SweepCell& seven = summary.interactions[1].cells[length];
    EXPECT_EQ(summary.interactions[1].other, 1U);
    EXPECT_EQ(summary.interactions[1].other_value, 2U);
    EXPECT_NEAR(*none.difference.value, 0, 0.5);
    EXPECT_EQ(change(none), Change::Undecided);
    EXPECT_NEAR(*seven.difference.value, 7, 0.5);
    EXPECT_EQ(change(seven), Change::Higher);
    EXPECT_EQ(summary.games, 1200U);
}

// A wins 80 % at the first point, and 60, 20 and 50 % at the others.
TEST(results_sweep, the_gap_between_seats_counts_whoever_wins_more) {
    const RunFacts facts = facts_of(2, {"a", "b"});
    SweepTally tally(facts, one_factor(4), {}, 1000, 1, false);
    constexpr std::array kWins{0.8, 0.6, 0.2, 0.5};
    Dice dice(2);
    double luck = 0;
    play(tally, 1000, [&](std::uint32_t point, std::uint64_t) {
        if (point == 0) luck = dice.uniform();
        return game_with(10, luck < kWins.at(point));
    });
    const SweepSummary summary = tally.summary(std::array<std::string, 1>{"seats"}, {});
    ASSERT_EQ(summary.metrics.size(), 1U);
    EXPECT_EQ(title_of(summary.metrics[0]), "seat gap");
    const auto cell = [&](std::size_t point) { return summary.points[point].cells[0]; };
    EXPECT_NEAR(*cell(0).value.value, 0.6, 0.06);
    EXPECT_LE(*cell(0).value.low, 0.6);
    EXPECT_GE(*cell(0).value.high, 0.6);
    EXPECT_NEAR(*cell(1).difference.value, -0.4, 0.07);
    EXPECT_EQ(cell(1).judgement->change, Change::Lower);
    EXPECT_LT(*cell(1).difference.high - *cell(1).difference.low, 0.11)
        << "paired: A leads in both";
    EXPECT_NEAR(*cell(2).value.value, 0.6, 0.06) << "B leads by as much";
    EXPECT_EQ(cell(2).judgement->change, Change::Undecided);
    EXPECT_NEAR(*cell(3).value.value, 0, 0.07);
    EXPECT_EQ(*cell(3).value.low, 0);
    EXPECT_EQ(cell(3).judgement->change, Change::Lower);
}

TEST(results_sweep, points_that_are_surely_worse_are_given_up) {
    const RunFacts facts = facts_of(2, {"a", "b"});
    const std::vector<Sought> sought{{"length", "", Goal::Near, 140}};
    SweepTally tally(facts, one_factor(6), sought, 256, 1, false);
    Dice dice(3);
    std::vector<std::uint64_t> looks{tally.look()};
    std::map<std::uint32_t, std::uint64_t> played;
    play(tally, 256, [&](std::uint32_t point, std::uint64_t) {
        if (looks.back() != tally.look()) looks.push_back(tally.look());
        ++played[point];
        return game_with(100 + 20 * point + static_cast<std::uint32_t>(21 * dice.uniform()) - 10);
    });
    EXPECT_EQ(looks, (std::vector<std::uint64_t>{32, 64, 128, 256}));
    // Means are 100, 120, 140, ..: the first plays on, as all are compared with it.
    EXPECT_EQ(played[0], 256U);
    EXPECT_EQ(played[2], 256U);
    for (const std::uint32_t point : {1U, 3U, 4U, 5U})
        EXPECT_EQ(played[point], 32U) << point;
    const SweepSummary summary = tally.summary({}, {});
    EXPECT_EQ(summary.games, 2 * 256 + 4 * 32U);
    EXPECT_EQ(title_of(summary.metrics[0]), "length") << "what is sought comes first";
    for (std::size_t point = 0; point < 6; ++point) {
        EXPECT_EQ(summary.points[point].among_best, point == 2) << point;
        EXPECT_EQ(summary.points[point].on_front, point == 2) << point;
        EXPECT_EQ(summary.points[point].given_up, point == 1 || point > 2) << point;
    }
    EXPECT_FALSE(summary.points[4].cells[0].judgement) << "it was given up because of its games";
}

// Short games with unfair seats, long ones with fair seats, and one that is worse in both.
TEST(results_sweep, of_two_that_are_sought_the_front_keeps_both) {
    const RunFacts facts = facts_of(2, {"a", "b"});
    const std::vector<Sought> sought{{"length", "", Goal::Least, 0}, {"seats", "", Goal::Least, 0}};
    SweepTally tally(facts, one_factor(3), sought, 800, 1, false);
    constexpr std::array<std::uint32_t, 3> kLengths{40, 20, 41};
    constexpr std::array kWins{0.5, 0.9, 0.95};
    Dice dice(4);
    play(tally, 800, [&](std::uint32_t point, std::uint64_t) {
        return game_with(kLengths.at(point) + static_cast<std::uint32_t>(2 * dice.uniform()),
                         dice.chance(kWins.at(point)));
    });
    const SweepSummary summary = tally.summary({}, {});
    EXPECT_TRUE(summary.points[0].on_front && summary.points[0].among_best);
    EXPECT_TRUE(summary.points[1].on_front && summary.points[1].among_best);
    EXPECT_FALSE(summary.points[2].on_front || summary.points[2].among_best);
    EXPECT_TRUE(summary.points[2].given_up);
}

TEST(results_sweep, a_point_whose_games_are_aborted_is_not_the_best) {
    const RunFacts facts = facts_of(2, {"a", "b"});
    const std::vector<Sought> sought{{"length", "", Goal::Least, 0}};
    SweepTally tally(facts, one_factor(3), sought, 256, 1, false);
    play(tally, 256, [&](std::uint32_t point, std::uint64_t block) {
        GameRecord game = game_with(point == 2 ? 1 : 50 + static_cast<std::uint32_t>(block % 3));
        if (point == 2) game.end = End::Aborted, game.seats[0].place = game.seats[1].place = 0;
        return game;
    });
    const SweepSummary summary = tally.summary({}, {});
    EXPECT_TRUE(summary.points[2].given_up);
    EXPECT_FALSE(summary.points[2].among_best || summary.points[2].on_front);
    EXPECT_TRUE(summary.points[0].among_best && summary.points[1].among_best);
}

// Half of the points are alike: about 5 % of what is called higher or lower may be wrong, and the
// best point may be lost in 5 % of sweeps.
TEST(results_sweep, errors_are_as_rare_as_stated) {
    constexpr int kSweeps = 120;
    constexpr std::uint32_t kPoints = 12;
    const RunFacts facts = facts_of(2, {"a", "b"});
    Dice dice(5);
    double wrong = 0;      // shares of wrong verdicts, added up
    double wrong_gaps = 0; // the same of gaps between seats
    int found = 0;
    int lost = 0;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        SweepTally plain(facts, one_factor(kPoints), {}, 256, 1, false);
        SweepTally seeking(facts, one_factor(kPoints), {{"win", "P0", Goal::Most, 0}}, 256, 1,
                           false);
        const auto game = [&](std::uint32_t point, std::uint64_t) {
            return game_with(10, dice.chance(point >= kPoints / 2 ? 0.65 : 0.5));
        };
        play(plain, 256, game);
        play(seeking, 256, [&](std::uint32_t point, std::uint64_t) { // the last one is the best
            return game_with(10, dice.chance(point + 1 == kPoints ? 0.55 : 0.5));
        });
        SweepTally gaps(facts, one_factor(kPoints), {}, 256, 1, false);
        play(gaps, 256,
             [&](std::uint32_t point, std::uint64_t) { // one seat leads in the first half
                 return game_with(10, dice.chance(point < kPoints / 2 ? 0.65 : 0.5));
             });
        const SweepSummary gap = gaps.summary(std::array<std::string, 1>{"seats"}, {});
        int gaps_called = 0;
        int false_gaps = 0;
        for (std::uint32_t point = 1; point < kPoints; ++point) {
            const Change change = gap.points[point].cells[0].judgement->change;
            if (change != Change::Higher && change != Change::Lower) continue;
            ++gaps_called;
            false_gaps += point >= kPoints / 2 && change == Change::Lower ? 0 : 1;
        }
        wrong_gaps += gaps_called > 0 ? static_cast<double>(false_gaps) / gaps_called : 0;
        const SweepSummary told = plain.summary(std::array<std::string, 1>{"win"}, {});
        const std::size_t win = column(told, "win P0");
        int called = 0;
        int false_ones = 0;
        for (std::uint32_t point = 1; point < kPoints; ++point) {
            const Change change = told.points[point].cells[win].judgement->change;
            if (change != Change::Higher && change != Change::Lower) continue;
            ++called;
            const bool truth = point >= kPoints / 2 && change == Change::Higher;
            false_ones += truth ? 0 : 1;
            found += truth ? 1 : 0;
        }
        wrong += called > 0 ? static_cast<double>(false_ones) / called : 0;
        const SweepSummary best = seeking.summary(std::array<std::string, 1>{"win"}, {});
        lost += best.points[kPoints - 1].among_best ? 0 : 1;
    }
    const double error = std::sqrt(0.05 * 0.95 / kSweeps);
    EXPECT_LT(wrong / kSweeps, 0.05 + 3 * error);
    EXPECT_LT(wrong_gaps / kSweeps, 0.05 + 3 * error);
    EXPECT_LT(static_cast<double>(lost) / kSweeps, 0.05 + 3 * error);
    EXPECT_GT(found, kSweeps * 3) << "verdicts that are right are found, too";
}

} // namespace
} // namespace croupier::results
