// Stop rules: when they stop, and that they stay stopped.
#include "results/statistics/ratings.h"
#include "results/statistics/stop.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace croupier::results {

// Log-likelihood ratios compared with published values, with their definition, and in edge cases.

namespace {

using Pentanomial = std::array<std::uint64_t, 5>;

std::optional<double> llr(std::span<const std::uint64_t> counts, double elo0, double elo1,
                          EloModel model) {
    return log_likelihood_ratio(ScoreCounts(counts), {elo0, elo1, 0.05, 0.05, model});
}

TEST(statistics_gsprt, is_as_published) {
    EXPECT_NEAR(*llr(Pentanomial{365, 16618, 36229, 16974, 390}, 0, 2, EloModel::Normalized), 2.25,
                0.005);
    EXPECT_NEAR(*llr(Pentanomial{223, 9863, 21279, 10037, 246}, 0.5, 2.5, EloModel::Logistic),
                -3.07, 0.005);
}

// Two outcomes leave no choice: the most likely distribution with mean s is (1 - s, s), and the
// ratio is that of the plain sequential test.
TEST(statistics_gsprt, of_two_outcomes_is_walds_ratio) {
    ScoreCounts counts(1);
    counts.add(0, 40);
    counts.add(1, 60);
    const double s0 = score_of_elo(0);
    const double s1 = score_of_elo(50);
    const double wald = 60 * std::log(s1 / s0) + 40 * std::log((1 - s1) / (1 - s0));
    const SprtBounds bounds{0, 50, 0.05, 0.05, EloModel::Logistic};
    EXPECT_NEAR(*log_likelihood_ratio(counts, bounds), wald, 1e-4);
}

TEST(statistics_gsprt, changes_sign_with_the_hypotheses_and_with_the_players) {
    const Pentanomial counts{10, 30, 60, 45, 15};
    const Pentanomial mirrored{15, 45, 60, 30, 10};
    for (const auto model : {EloModel::Logistic, EloModel::Normalized}) {
        const double ratio = *llr(counts, -3, 12, model);
        EXPECT_GT(ratio, 0);
        EXPECT_NEAR(*llr(counts, 12, -3, model), -ratio, 1e-9);
        EXPECT_NEAR(*llr(mirrored, 3, -12, model), ratio, 1e-9);
    }
}

// Bounds far from 0 exclude the uniform distribution that the search usually starts from. With only
// wins and losses, the one with t has (1 + t / sqrt(1 + t^2)) / 2 wins.
TEST(statistics_gsprt, decides_between_bounds_that_are_far_apart) {
    const SprtBounds bounds{0, 600, 0.05, 0.05, EloModel::Normalized};
    const auto ratio = [&](const std::array<std::uint64_t, 3>& counts) {
        return log_likelihood_ratio(ScoreCounts(counts), bounds);
    };
    const double t = 600 / kNormalizedElo;
    const double wins = (1 + t / std::sqrt(1 + t * t)) / 2;
    EXPECT_NEAR(*ratio({0, 0, 50}), 50 * std::log(wins / 0.5), 0.01);
    EXPECT_NEAR(*ratio({25, 0, 25}), 25 * std::log(wins * (1 - wins) / 0.25), 0.01);
    EXPECT_EQ(verdict_of(ratio({0, 0, 50}), bounds), SprtVerdict::AcceptH1);
    EXPECT_EQ(verdict_of(ratio({0, 50, 0}), bounds), SprtVerdict::AcceptH0);
}

// k = 2 in t = sqrt(k) nElo ln10 / 800: the same counts of single games with a scale of sqrt(2).
TEST(statistics_gsprt, normalized_is_per_game) {
    const Pentanomial counts{10, 30, 60, 45, 15};
    ScoreCounts single(1);
    ScoreCounts pairs{std::span<const std::uint64_t>(counts)};
    for (std::size_t i = 0; i < counts.size(); ++i)
        single.add(static_cast<double>(i) / 4, counts[i]);
    const double root = std::sqrt(2.0);
    EXPECT_NEAR(*log_likelihood_ratio(pairs, {0, 10, 0.05, 0.05, EloModel::Normalized}),
                *log_likelihood_ratio(single, {0, 10 * root, 0.05, 0.05, EloModel::Normalized}),
                1e-9);
}

// Any scores: thirds are not in a pentanomial.
TEST(statistics_gsprt, takes_scores_as_they_come) {
    ScoreCounts counts(2);
    for (int i = 0; i < 30; ++i)
        counts.add((i % 4) / 3.0);
    counts.add(1.0, 10);
    EXPECT_EQ(counts.counts().size(), 7U); // five, and two thirds that were seen
    EXPECT_GT(*log_likelihood_ratio(counts, {0, 20, 0.05, 0.05, EloModel::Logistic}), 0);
}

TEST(statistics_gsprt, ends_with_a_number_or_undefined_whatever_comes) {
    for (const auto model : {EloModel::Logistic, EloModel::Normalized}) {
        EXPECT_FALSE(llr(Pentanomial{}, 0, 2, model));
        for (const Pentanomial& counts : {Pentanomial{0, 0, 0, 0, 1},
                                          {0, 0, 0, 0, 1000000000},
                                          {1, 0, 0, 0, 0},
                                          {0, 0, 1000000, 0, 0},
                                          {500, 0, 0, 0, 500}}) {
            for (const double elo1 : {1e-6, 2.0, 400.0, 4000.0, 1e6, 1e300}) {
                const auto ratio = llr(counts, 0, elo1, model);
                EXPECT_TRUE(!ratio || std::isfinite(*ratio)) << elo1;
                EXPECT_TRUE(ratio || elo1 > 2) << elo1;
            }
        }
    }
    EXPECT_GT(*llr(Pentanomial{0, 0, 0, 0, 100}, 0, 10, EloModel::Logistic), 0);
    EXPECT_LT(*llr(Pentanomial{100, 0, 0, 0, 0}, 0, 10, EloModel::Normalized), 0);
}

TEST(statistics_gsprt, counts_have_a_mean) {
    const Pentanomial counts{1, 0, 2, 0, 1};
    const BlockMean mean = ScoreCounts(std::span<const std::uint64_t>(counts)).mean();
    EXPECT_EQ(mean.blocks(), 4U);
    EXPECT_DOUBLE_EQ(*mean.mean(), 0.5);
    EXPECT_DOUBLE_EQ(*mean.variance(), 0.125);
}

TEST(statistics_gsprt, says_what_is_no_test) {
    EXPECT_FALSE(wrong_with({-3, 1, 0.05, 0.1, EloModel::Logistic}));
    EXPECT_EQ(*wrong_with({2, 2}), "elo0 must be below elo1");
    EXPECT_EQ(*wrong_with({0, 2, 0}), "alpha must lie between 0 and 1");
    EXPECT_EQ(*wrong_with({0, 2, 0.05, 1.5}), "beta must lie between 0 and 1");
    EXPECT_EQ(*wrong_with({0, 2, 0.5, 0.5}), "alpha and beta must be less than 1 together");
    EXPECT_TRUE(wrong_with({0, std::numeric_limits<double>::infinity()}));
    EXPECT_TRUE(wrong_with({0, std::numeric_limits<double>::quiet_NaN()}));
    EXPECT_TRUE(wrong_with({0, 2, std::numeric_limits<double>::quiet_NaN()}));
}

TEST(statistics_gsprt, bounds_are_walds) {
    const SprtBounds bounds{0, 2, 0.05, 0.1, EloModel::Normalized};
    EXPECT_NEAR(lower_bound(bounds), std::log(0.1 / 0.95), 1e-12);
    EXPECT_NEAR(upper_bound(bounds), std::log(0.9 / 0.05), 1e-12);
    EXPECT_EQ(verdict_of(2.89, bounds), SprtVerdict::Undecided);
    EXPECT_EQ(verdict_of(2.90, bounds), SprtVerdict::AcceptH1);
    EXPECT_EQ(verdict_of(-2.26, bounds), SprtVerdict::AcceptH0);
    EXPECT_EQ(verdict_of(std::nullopt, bounds), SprtVerdict::Undecided);
}

TEST(statistics_stop, sprt_stops_where_the_ratio_of_its_counts_crosses) {
    const SprtBounds bounds{0, 50, 0.05, 0.05, EloModel::Logistic};
    Sprt rule(bounds, 2);
    ScoreCounts counts(2);
    bool stopped = false;
    while (!stopped) {
        const double score = counts.blocks() % 3 == 0 ? 0.5 : 0.75;
        counts.add(score);
        stopped = rule.feed({score, 1 - score});
        const auto llr = log_likelihood_ratio(counts, bounds);
        EXPECT_EQ(rule.status().value, llr);
        EXPECT_EQ(stopped, *llr >= upper_bound(bounds));
        ASSERT_LT(counts.blocks(), 1000U);
    }
    EXPECT_GT(counts.blocks(), 3U);
    EXPECT_EQ(rule.status().verdict, "H1 accepted");
    EXPECT_TRUE(rule.feed({0.0, 1.0})) << "what is decided stays so";
    EXPECT_EQ(rule.status().blocks, counts.blocks());
}

TEST(statistics_stop, sprt_passes_over_blocks_without_a_score) {
    Sprt rule({}, 2);
    EXPECT_FALSE(rule.feed({std::nullopt, std::nullopt}));
    EXPECT_FALSE(rule.feed({}));
    EXPECT_EQ(rule.status().blocks, 0U);
    EXPECT_FALSE(rule.status().value) << "undefined, not 0";
}

TEST(statistics_stop, sprt_accepts_h0_for_a_loser) {
    Sprt rule({0, 50, 0.05, 0.05, EloModel::Normalized}, 2);
    int fed = 0;
    while (!rule.feed({fed % 2 == 0 ? 0.25 : 0.5, 0.0}))
        ASSERT_LT(++fed, 1000);
    EXPECT_EQ(rule.status().verdict, "H0 accepted");
    EXPECT_LE(*rule.status().value, rule.status().low);
}

// Alternating 0 and 1 has variance 1/4: 2 * 1.96 * sqrt((1/4 + 1/N) / N) <= 0.2 from N = 100 on.
TEST(statistics_stop, width_stops_when_the_interval_is_narrow_enough) {
    IntervalWidth rule(0.2);
    int blocks = 0;
    while (!rule.feed({blocks % 2 == 0 ? 0.0 : 1.0, blocks % 2 == 0 ? 1.0 : 0.0}))
        ASSERT_LT(++blocks, 1000);
    EXPECT_EQ(rule.status().blocks, 100U);
    EXPECT_LE(*rule.status().value, 0.2);
    EXPECT_EQ(rule.status().verdict, "reached");
}

TEST(statistics_stop, width_does_not_take_a_few_equal_blocks_for_certainty) {
    IntervalWidth rule(0.2);
    for (int block = 0; block < 19; ++block)
        EXPECT_FALSE(rule.feed({0.5, 0.5})) << block;
    EXPECT_TRUE(rule.feed({0.5, 0.5})); // 2 * 1.96 / 20 is just below
}

TEST(statistics_stop, width_waits_for_the_slowest_contestant) {
    IntervalWidth rule(0.2, 3);
    for (int block = 0; block < 200; ++block)
        EXPECT_FALSE(
            rule.feed({0.5, block % 100 == 0 ? std::optional(block / 100.0) : std::nullopt, 0.5}));
}

TEST(statistics_stop, width_waits_for_who_has_not_played_yet) {
    IntervalWidth rule(0.2, 3);
    for (int block = 0; block < 200; ++block)
        EXPECT_FALSE(rule.feed({0.5, 0.5, std::nullopt}));
    EXPECT_FALSE(rule.status().value);
}

} // namespace

} // namespace croupier::results
