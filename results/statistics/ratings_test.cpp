// Joint ratings: the fit, comparable groups, bootstrap errors.
#include "results/statistics/means.h"
#include "results/statistics/ratings.h"
#include "results/statistics/testing.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace croupier::results {

// Elo, nElo, LOS and Wilson compared with published values.

namespace {

const double kZ = two_sided_z(0.95);

TEST(statistics_elo, maps_scores_both_ways) {
    EXPECT_NEAR(*elo_of_score(0.75), 190.848502, 1e-6);
    EXPECT_NEAR(score_of_elo(-100), 0.3599350, 1e-7);
    EXPECT_FALSE(elo_of_score(0));
    EXPECT_FALSE(elo_of_score(1));
}

// W 136, L 96, D 111, single games: 40.70 +/- 30.43, nElo 49.77 +/- 36.77, LOS 99.60 %.
TEST(statistics_elo, of_a_published_trinomial) {
    const BlockMean scores = mean_of_counts(std::array<std::uint64_t, 3>{96, 111, 136});
    const Estimate elo = elo_of(scores, kZ);
    EXPECT_NEAR(*elo.value, 40.70, 0.005);
    EXPECT_NEAR(kZ * *elo.error, 30.43, 0.005);
    EXPECT_GT(*elo.high - *elo.value, *elo.value - *elo.low) << "mapped, not symmetric";
    const Estimate normalized = normalized_elo_of(scores, 1, kZ);
    EXPECT_NEAR(*normalized.value, 49.77, 0.005);
    EXPECT_NEAR(*normalized.high - *normalized.value, 36.77, 0.005);
    EXPECT_NEAR(*likelihood_of_superiority(scores), 0.9960, 0.00005);
}

// The same blocks as pairs: nElo is per game, so it falls by the root of two.
TEST(statistics_elo, normalized_is_per_game) {
    const BlockMean scores = mean_of_counts(std::array<std::uint64_t, 5>{1, 4, 10, 8, 3});
    EXPECT_NEAR(*normalized_elo_of(scores, 1, kZ).value,
                *normalized_elo_of(scores, 2, kZ).value * std::numbers::sqrt2, 1e-9);
}

TEST(statistics_elo, without_variance_is_undefined) {
    for (const auto& counts : {std::array<std::uint64_t, 3>{0, 0, 0}, {0, 0, 50}, {0, 50, 0}}) {
        const BlockMean scores = mean_of_counts(counts);
        EXPECT_FALSE(elo_of(scores, kZ).value);
        EXPECT_FALSE(normalized_elo_of(scores, 1, kZ).value);
        EXPECT_FALSE(likelihood_of_superiority(scores));
    }
}

TEST(statistics_elo, bounds_beyond_certainty_are_undefined_not_infinite) {
    const Estimate elo = elo_of(mean_of_counts(std::array<std::uint64_t, 3>{1, 0, 3}), kZ);
    EXPECT_NEAR(*elo.value, 190.8485, 1e-4);
    EXPECT_TRUE(elo.low);
    EXPECT_FALSE(elo.high) << "0.75 + 1.96 * 0.22 is more than a game can give";
    EXPECT_FALSE(elo.error);
}

TEST(statistics_wilson, of_8_in_10_is_as_published) {
    const Estimate rate = wilson(0.8, 10, kZ);
    EXPECT_NEAR(*rate.low, 0.490162, 5e-7);
    EXPECT_NEAR(*rate.high, 0.943318, 5e-7);
}

// From the exact interval of ten blocks: 0.05^(1/10) = 0.741 for one side.
TEST(statistics_elo, of_who_only_won_or_lost_is_a_bound_to_one_side) {
    BlockMean won;
    BlockMean lost;
    for (int block = 0; block < 10; ++block) {
        won.add(1);
        lost.add(0);
    }
    const Estimate high = elo_of(won.moments(kShare));
    EXPECT_TRUE(high.one_sided);
    EXPECT_FALSE(high.value);
    EXPECT_FALSE(high.high);
    EXPECT_NEAR(*high.low, *elo_of_score(std::pow(0.05, 0.1)), 1e-9);
    EXPECT_NEAR(*elo_of(lost.moments(kShare)).high, -*high.low, 1e-9);
    won.add(0.5);
    const Estimate all_but_one = elo_of(won.moments(kShare));
    EXPECT_FALSE(all_but_one.one_sided);
    EXPECT_TRUE(all_but_one.low && all_but_one.value && all_but_one.high);
    EXPECT_GT(*all_but_one.high, 700) << "wide, and yet a number";
}

TEST(statistics_elo, of_a_run_is_by_t_and_has_no_verdict_below_six_blocks) {
    const BlockMean scores = mean_of_counts(std::array<std::uint64_t, 3>{1, 2, 3});
    const Estimate normalized = normalized_elo_of_run(scores, 2);
    const double d = (*scores.mean() - 0.5) / std::sqrt(*scores.variance());
    const double unit = kNormalizedElo / std::sqrt(2);
    EXPECT_NEAR(*normalized.value, d * unit, 1e-9);
    const double skewness = -7.0 / 36 / 6 / std::pow(5.0 / 36, 1.5);
    EXPECT_NEAR(*normalized.high,
                (d + 2.570582 * std::sqrt((1 - d * skewness + d * d / 2) / 5)) * unit, 1e-3);
    // Below the mean the scores are skewed by 0.384, so the mean is 0.623 errors above one half,
    // not 1.
    EXPECT_NEAR(*likelihood_of_superiority(scores.moments(kShare)), student_cdf(0.62326, 5), 1e-5);
    EXPECT_FALSE(likelihood_of_superiority(
        mean_of_counts(std::array<std::uint64_t, 3>{1, 2, 2}).moments(kShare)));
    const BlockMean won = mean_of_counts(std::array<std::uint64_t, 2>{0, 8});
    EXPECT_NEAR(*likelihood_of_superiority(won.moments(kShare)), 1 - std::pow(0.5, 8), 1e-12);
}

// Scores of 1/2 and 3/4 with errors of 0.1 and 0.15 (divisor N), uncorrelated: slopes 400 / ln 10 *
// 4 and
// * 16/3.
TEST(statistics_elo, a_difference_of_two_has_the_errors_of_both) {
    PairedDifference scores;
    scores.add(0.3, 0.45);
    scores.add(0.3, 1.05);
    scores.add(0.7, 0.45);
    scores.add(0.7, 1.05);
    const Estimate difference = elo_difference(scores);
    EXPECT_NEAR(*difference.value, 400 * std::log10(3), 1e-9);
    const double unit = 400 / std::numbers::ln10;
    EXPECT_NEAR(*difference.error, unit * std::hypot(4 * 0.1, 16.0 / 3 * 0.15) * std::sqrt(4.0 / 3),
                1e-9);
    EXPECT_GT(*difference.high - *difference.value, 3.18 * *difference.error) << "t of 3";
    // The deal's luck cancels: if both rise and fall together, little is left.
    PairedDifference together;
    together.add(0.3, 0.4);
    together.add(0.7, 0.8);
    together.add(0.3, 0.41);
    EXPECT_LT(*elo_difference(together).error, *difference.error / 5);
    PairedDifference lost;
    for (int block = 0; block < 40; ++block)
        lost.add(0, block % 2);
    const Estimate bound = elo_difference(lost);
    EXPECT_FALSE(bound.value) << "no number is large enough";
    EXPECT_TRUE(bound.one_sided);
    EXPECT_FALSE(bound.high);
    const double at_most = 1 - std::pow(0.025, 1.0 / 40);
    EXPECT_NEAR(*bound.low,
                *elo_of_score(*lower_limit(lost.under_b().moments(kShare), 0.025)) -
                    *elo_of_score(at_most),
                1e-9);
}

// Expected results for these strengths, 100 halves per couple.
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

// A schedule in which one meets weak opponents and one strong ones: pooled scores are equal.
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

// Blocks of four equal games: four times as many games as single ones, but no more information.
TEST(statistics_ratings, errors_are_those_of_blocks) {
    MeetingTable single;
    MeetingTable fourfold;
    for (std::uint64_t block = 0; block < 600; ++block) {
        const auto first = static_cast<Contestant>(block % 3 == 0 ? 1 : 0);
        const auto second = static_cast<Contestant>(block % 3 == 1 ? 1 : 2);
        const std::uint32_t won = block / 3 % 2 == 0 ? 1 : 0;
        single.add(1, block, std::vector{Meeting{first, second, 2 * won, 1}});
        fourfold.add(1, block, std::vector{Meeting{first, second, 8 * won, 4}});
    }
    const auto one = single.ratings(3);
    const auto four = fourfold.ratings(3);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(*one[i].elo, 0, 1e-6);
        EXPECT_NEAR(*one[i].error, *four[i].error, 1e-6);
        // Information of 200 games per couple at even strength: var = 4 / 200 / 4.5 in logits.
        EXPECT_NEAR(*one[i].error, 400 / std::log(10) * std::sqrt(2.0 / 3 * 4 / 600), 1.5);
    }
}

TEST(statistics_ratings, are_a_function_of_seed_and_blocks) {
    MeetingTable one;
    MeetingTable same;
    MeetingTable other;
    for (std::uint64_t block = 0; block < 50; ++block) {
        const std::vector<Meeting> meetings{{0, 1, static_cast<std::uint32_t>(block % 3), 1},
                                            {1, 2, static_cast<std::uint32_t>(block % 2), 1}};
        one.add(1, block, meetings);
        same.add(1, block, meetings);
        other.add(2, block, meetings);
    }
    EXPECT_EQ(*one.ratings(3)[2].error, *same.ratings(3)[2].error);
    EXPECT_NE(*one.ratings(3)[2].error, *other.ratings(3)[2].error);
    EXPECT_EQ(*one.ratings(3)[2].elo, *other.ratings(3)[2].elo);
}

TEST(statistics_ratings, of_an_anchor_are_differences_from_it) {
    MeetingTable table;
    for (std::uint64_t block = 0; block < 300; ++block)
        for (const Contestant first : {0U, 1U})
            table.add(1, block,
                      std::vector{Meeting{first, first + 1, block % 10 < 7 - first ? 2U : 0U, 1}});
    const auto free = table.ratings(3);
    const auto anchored = table.ratings(3, 2);
    EXPECT_EQ(*anchored[2].elo, 0);
    EXPECT_FALSE(anchored[2].error);
    EXPECT_NEAR(*anchored[0].elo, *free[0].elo - *free[2].elo, 1e-9);
    // A chain: 70 % and 60 % of the wins, and the errors of both links.
    EXPECT_NEAR(*anchored[0].elo, *elo_of_score(0.7) + *elo_of_score(0.6), 1e-6);
    EXPECT_GT(*anchored[0].error, *anchored[1].error);
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

// Replicates must be independent: variance of a block's summed weights over many blocks.
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
