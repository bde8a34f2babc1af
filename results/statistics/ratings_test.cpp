// Joint ratings: the fit, who can be compared, bootstrap errors.
#include "results/statistics/ratings.h"

#include "results/statistics/elo.h"

#include <gtest/gtest.h>

#include <cmath>

namespace croupier::results {
namespace {

// What is expected of these strengths, 100 halves a couple.
WinTable expected_of(const std::vector<double>& elo) {
    WinTable table(elo.size());
    for (std::size_t i = 0; i < elo.size(); ++i)
        for (std::size_t j = 0; j < elo.size(); ++j)
            if (i != j) table.at(i, j) = 100 * score_of_elo(elo[i] - elo[j]);
    return table;
}

TEST(statistics_ratings, give_back_the_strengths_of_expected_results) {
    const std::vector<double> truth{300, 20, -20, -300, 0};
    WinTable table = expected_of(truth);
    table.at(0, 3) = table.at(3, 0) = 0; // these two never met
    const auto fit = fit_ratings(table, comparable_groups(table));
    for (std::size_t i = 0; i < truth.size(); ++i)
        EXPECT_NEAR(*fit[i], truth[i], 1e-6) << i;
}

TEST(statistics_ratings, of_two_are_the_elo_of_their_score) {
    WinTable table(2);
    table.at(0, 1) = 75;
    table.at(1, 0) = 25;
    const auto fit = fit_ratings(table, comparable_groups(table));
    EXPECT_NEAR(*fit[0] - *fit[1], *elo_of_score(0.75), 1e-9);
    EXPECT_NEAR(*fit[0] + *fit[1], 0, 1e-9);
}

// A schedule that gives a weak field to one and a strong one to the other: pooled scores are equal.
TEST(statistics_ratings, are_no_pooled_scores) {
    WinTable table(4);
    table.at(0, 2) = 60, table.at(2, 0) = 40; // 0 meets the strong
    table.at(1, 3) = 60, table.at(3, 1) = 40; // 1 meets the weak
    table.at(2, 3) = 90, table.at(3, 2) = 10;
    const auto fit = fit_ratings(table, comparable_groups(table));
    EXPECT_NEAR(*fit[0] - *fit[1], *elo_of_score(0.9), 1e-6);
}

TEST(statistics_ratings, know_who_met_and_who_can_be_compared) {
    WinTable table(6);
    table.at(0, 1) = 5, table.at(1, 0) = 3;
    table.at(2, 0) = 8;                     // 2 won all
    table.at(3, 4) = 1, table.at(4, 3) = 1; // an island; 5 did not play
    EXPECT_EQ(met_groups(table), (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 2}));
    const auto groups = comparable_groups(table);
    EXPECT_EQ(groups, (std::vector<std::uint32_t>{0, 0, 1, 2, 2, 3}));
    const auto fit = fit_ratings(table, groups);
    EXPECT_NEAR(*fit[0] - *fit[1], *elo_of_score(5.0 / 8), 1e-6);
    EXPECT_FALSE(fit[2]) << "better by no number";
    EXPECT_EQ(*fit[3], 0);
    EXPECT_FALSE(fit[5]);
}

TEST(statistics_ratings, a_circle_of_wins_is_comparable) {
    WinTable table(3);
    table.at(0, 1) = table.at(1, 2) = table.at(2, 0) = 10;
    EXPECT_EQ(comparable_groups(table), (std::vector<std::uint32_t>{0, 0, 0}));
    for (const auto& rating : fit_ratings(table, comparable_groups(table)))
        EXPECT_NEAR(*rating, 0, 1e-9);
}

TEST(statistics_ratings, survive_extreme_results) {
    WinTable table(3);
    table.at(0, 1) = 1e6, table.at(1, 0) = 1;
    table.at(1, 2) = 1e6, table.at(2, 1) = 1;
    const auto fit = fit_ratings(table, comparable_groups(table));
    EXPECT_NEAR(*fit[0] - *fit[1], 2400, 1e-3);
    EXPECT_NEAR(*fit[0] - *fit[2], 4800, 1e-3);
}

// Blocks of four games that end alike: four times the games of single ones, no more knowledge.
TEST(statistics_ratings, errors_are_those_of_blocks) {
    MeetingTable single(1);
    MeetingTable fourfold(1);
    for (std::uint64_t block = 0; block < 600; ++block) {
        const auto first = static_cast<Contestant>(block % 3 == 0 ? 1 : 0);
        const auto second = static_cast<Contestant>(block % 3 == 1 ? 1 : 2);
        const std::uint32_t won = block / 3 % 2 == 0 ? 1 : 0;
        single.add(block, std::vector{Meeting{first, second, 2 * won, 1}});
        fourfold.add(block, std::vector{Meeting{first, second, 8 * won, 4}});
    }
    const auto one = single.ratings(3);
    const auto four = fourfold.ratings(3);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(*one[i].elo, 0, 1e-6);
        EXPECT_NEAR(*one[i].error, *four[i].error, 1e-6);
        // Information of 200 games a couple at even strength: var = 4 / 200 / 4.5 in logits.
        EXPECT_NEAR(*one[i].error, 400 / std::log(10) * std::sqrt(2.0 / 3 * 4 / 600), 1.5);
    }
}

TEST(statistics_ratings, are_a_function_of_seed_and_blocks) {
    MeetingTable one(1);
    MeetingTable same(1);
    MeetingTable other(2);
    for (std::uint64_t block = 0; block < 50; ++block) {
        const std::vector<Meeting> meetings{{0, 1, static_cast<std::uint32_t>(block % 3), 1},
                                            {1, 2, static_cast<std::uint32_t>(block % 2), 1}};
        one.add(block, meetings);
        same.add(block, meetings);
        other.add(block, meetings);
    }
    EXPECT_EQ(*one.ratings(3)[2].error, *same.ratings(3)[2].error);
    EXPECT_NE(*one.ratings(3)[2].error, *other.ratings(3)[2].error);
    EXPECT_EQ(*one.ratings(3)[2].elo, *other.ratings(3)[2].elo);
}

TEST(statistics_bootstrap, weights_are_poisson_of_mean_one) {
    std::array<double, 5> seen{};
    double sum = 0;
    for (std::uint64_t block = 0; block < 2000; ++block)
        for (const std::uint8_t weight : replicate_weights(9, block)) {
            sum += weight;
            if (weight < seen.size()) ++seen[weight];
        }
    const double n = 2000.0 * kReplicates;
    EXPECT_NEAR(sum / n, 1, 4 / std::sqrt(n));
    double factorial = 1;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        factorial *= i == 0 ? 1 : static_cast<double>(i);
        const double expected = std::exp(-1) / factorial;
        EXPECT_NEAR(seen[i] / n, expected, 4 * std::sqrt(expected / n)) << i;
    }
}

// Replicates must not move together: variance of a block's summed weights over many blocks.
TEST(statistics_bootstrap, weights_are_independent_across_replicates_and_blocks) {
    double squares = 0;
    double neighbours = 0;
    ReplicateWeights last{};
    for (std::uint64_t block = 0; block < 4000; ++block) {
        const ReplicateWeights weights = replicate_weights(3, block);
        double sum = 0;
        for (std::size_t i = 0; i < kReplicates; ++i) {
            sum += weights[i] - 1.0;
            if (block > 0) neighbours += (weights[i] - 1.0) * (last[i] - 1.0);
        }
        squares += sum * sum;
        last = weights;
    }
    EXPECT_NEAR(squares / 4000 / kReplicates, 1, 0.1);
    EXPECT_NEAR(neighbours / 4000 / kReplicates, 0, 4 / std::sqrt(4000.0 * kReplicates));
}

} // namespace
} // namespace croupier::results
