// The basis of intervals: blocks, not games; uniform p-values; the bootstrap.
// compare/error_rates_test.cpp measures coverage.
#include "results/statistics/means.h"
#include "results/statistics/ratings.h"
#include "results/statistics/stop.h"
#include "results/statistics/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace croupier::results {

namespace {

constexpr int kRuns = 4000;
const double kZ = two_sided_z(0.95);

// Pairs on one deal, like real ones: the deal favours a side by luck, and seats are swapped. `luck`
// above 0: the good seat wins, so the games of a pair tend to opposite results; below 0: to equal
// ones. The mean score is 0.5 + edge.
BlockMean simulated_pairs(Dice& dice, int blocks, double edge, double luck) {
    BlockMean scores;
    for (int block = 0; block < blocks; ++block) {
        const double tilt = luck * (dice.uniform() - 0.5);
        const double other = luck > 0 ? -tilt : tilt;
        scores.add(dice.game(0.4 + edge + tilt, 0.2) + dice.game(0.4 + edge + other, 0.2), 2);
    }
    return scores;
}

class Coverage {
  public:
    void see(const Estimate& estimate, double truth) {
        ++seen_;
        if (estimate.low && estimate.high && *estimate.low <= truth && truth <= *estimate.high)
            ++covered_;
    }
    // Within three standard errors of the nominal value, plus half a percent for being asymptotic.
    void expect_nominal() const {
        const double rate = static_cast<double>(covered_) / seen_;
        EXPECT_NEAR(rate, 0.95, 0.005 + 3 * std::sqrt(0.95 * 0.05 / seen_));
    }

  private:
    int seen_ = 0;
    int covered_ = 0;
};

// The error that blocks prevent.
TEST(slow_coverage, is_lost_where_games_of_a_block_are_taken_for_independent) {
    Dice dice(3);
    int covered = 0;
    for (int run = 0; run < kRuns; ++run) {
        BlockMean games;
        for (int block = 0; block < 200; ++block) {
            const double score = dice.game(0.4, 0.2); // the deal decides: four equal games
            for (int game = 0; game < 4; ++game)
                games.add(score);
        }
        const Estimate estimate = games.estimate(kZ);
        covered += *estimate.low <= 0.5 && 0.5 <= *estimate.high ? 1 : 0;
    }
    EXPECT_LT(covered / double{kRuns}, 0.75);
}

// Wilson's coverage oscillates with n and p but is right on average, for small n too.
TEST(slow_coverage, of_wilson_for_few_games) {
    Coverage rate;
    Dice dice(5);
    for (int run = 0; run < 4 * kRuns; ++run) {
        const double p = 0.02 + 0.96 * dice.uniform();
        int won = 0;
        for (int game = 0; game < 20; ++game)
            won += dice.chance(p) ? 1 : 0;
        rate.see(wilson(won / 20.0, 20, kZ), p);
    }
    rate.expect_nominal();
}

// Kolmogorov's distance of the A/A p-values from uniform; 1.63 / sqrt(n) is exceeded by one in 100.
TEST(slow_coverage, p_values_of_equal_agents_are_uniform) {
    for (const double luck : {-0.7, 0.0, 0.7}) {
        Dice dice(8);
        std::vector<double> p_values;
        p_values.reserve(2000);
        for (int run = 0; run < 2000; ++run)
            p_values.push_back(*likelihood_of_superiority(simulated_pairs(dice, 2000, 0, luck)));
        std::sort(p_values.begin(), p_values.end());
        double distance = 0;
        for (std::size_t i = 0; i < p_values.size(); ++i)
            distance =
                std::max(distance, std::abs(p_values[i] - (static_cast<double>(i) + 0.5) / 2000));
        EXPECT_LT(distance, 1.63 / std::sqrt(2000)) << luck;
    }
}

TEST(slow_coverage, bootstrap_error_is_that_of_the_formula) {
    Dice dice(9);
    double ratio = 0;
    constexpr int kData = 40;
    for (std::uint64_t data = 0; data < kData; ++data) {
        BlockMean mean;
        std::vector<double> sums(kReplicates);
        std::vector<double> weights(kReplicates);
        for (std::uint64_t block = 0; block < 500; ++block) {
            const double score = (dice.game(0.5, 0.2) + dice.game(0.5, 0.2)) / 2;
            mean.add(score);
            const ReplicateWeights drawn = replicate_weights(data, block);
            for (std::size_t i = 0; i < kReplicates; ++i) {
                sums[i] += drawn[i] * score;
                weights[i] += drawn[i];
            }
        }
        for (std::size_t i = 0; i < kReplicates; ++i)
            sums[i] /= weights[i];
        ratio += standard_deviation(sums) / *mean.standard_error() / kData;
    }
    // One bootstrap is accurate to 1 / sqrt(2 * 256), forty to a sixth of that.
    EXPECT_NEAR(ratio, 1, 3 / std::sqrt(2.0 * kReplicates * kData));
}

// Error rates of sequential tests, and the interval at which a run stops.

constexpr int kStoppedRuns = 1500;
constexpr double kAlpha = 0.05;

// 99 % of runs of a sound test are in this range.
void expect_alpha(double rate) {
    EXPECT_NEAR(rate, kAlpha, 2.576 * std::sqrt(kAlpha * (1 - kAlpha) / kStoppedRuns));
}

// Runs of equal agents, by pairs and by the normalized model, and with bounds so far apart that a
// few blocks decide; games in flight have their own tests (tournaments/runner/runner_test).
TEST(slow_stop, equal_agents_are_accepted_as_often_as_alpha_says) {
    for (const double elo1 : {60.0, 200.0})
        for (const EloModel model : {EloModel::Logistic, EloModel::Normalized}) {
            double accepted = 0;
            for (int run = 0; run < kStoppedRuns; ++run) {
                Dice dice(1000 + static_cast<std::uint64_t>(run));
                Sprt rule({0, elo1, kAlpha, 0.05, model}, 2);
                bool stopped = false;
                // For extreme bounds no distribution may exist: then no verdict is ever reached.
                for (int block = 0; block < 4000 && !stopped; ++block) {
                    const double score = (dice.game(0.45, 0.1) + dice.game(0.45, 0.1)) / 2;
                    stopped = rule.feed({score, 1 - score});
                }
                if (rule.status().verdict == "H1 accepted") accepted += 1.0 / kStoppedRuns;
            }
            if (elo1 < 100)
                expect_alpha(accepted);
            else
                EXPECT_LE(accepted, kAlpha + 0.015) << elo1 << " " << to_string(model);
        }
}

// The other error: elo1 is true, and H0 is accepted as often as beta says.
TEST(slow_stop, a_stronger_agent_is_missed_as_often_as_beta_says) {
    const double won = 1 / (1 + std::pow(10, -30.0 / 400));
    double missed = 0;
    for (int run = 0; run < kStoppedRuns; ++run) {
        Dice dice(7000 + static_cast<std::uint64_t>(run));
        Sprt rule({0, 30, 0.05, kAlpha, EloModel::Logistic}, 1);
        bool stopped = false;
        while (!stopped) {
            const double score = dice.chance(won) ? 1 : 0;
            stopped = rule.feed({score, 1 - score});
        }
        if (rule.status().verdict == "H0 accepted") missed += 1.0 / kStoppedRuns;
    }
    expect_alpha(missed);
}

// The interval at which the rule stops has its stated coverage, though the data determine N.
TEST(slow_stop, the_interval_at_the_width_that_was_asked_for_covers) {
    int covered = 0;
    for (int run = 0; run < kStoppedRuns; ++run) {
        Dice dice(9000 + static_cast<std::uint64_t>(run));
        IntervalWidth rule(0.1);
        BlockMean mean;
        bool stopped = false;
        while (!stopped) {
            const double score = (dice.game(0.5, 0.2) + dice.game(0.5, 0.2)) / 2;
            mean.add(score);
            stopped = rule.feed({score, 1 - score});
        }
        if (std::abs(*mean.mean() - 0.6) <= 0.05) ++covered;
    }
    EXPECT_NEAR(covered / double{kStoppedRuns}, 0.95, 0.0145);
}

} // namespace

} // namespace croupier::results
