// Error rates of sequential tests, and the interval that a run stops on.
#include "results/statistics/stop.h"

#include "results/statistics/sampling.h"

#include <gtest/gtest.h>

#include <cmath>

namespace croupier::results {
namespace {

constexpr int kStoppedRuns = 1500;
constexpr double kAlpha = 0.05;

// 99 % of runs of a sound test fall in here.
void expect_alpha(double rate) {
    EXPECT_NEAR(rate, kAlpha, 2.576 * std::sqrt(kAlpha * (1 - kAlpha) / kStoppedRuns));
}

// Runs of equal agents, by pairs and by the normalized model, and with bounds so far apart that a
// few blocks decide; what is in flight has tests of its own
// (tournaments/runner/in_flight_slow_test).
TEST(slow_stop, equal_agents_are_accepted_as_often_as_alpha_says) {
    for (const double elo1 : {60.0, 200.0})
        for (const EloModel model : {EloModel::Logistic, EloModel::Normalized}) {
            double accepted = 0;
            for (int run = 0; run < kStoppedRuns; ++run) {
                Sampler sampler(1000 + static_cast<std::uint64_t>(run));
                Sprt rule({0, elo1, kAlpha, 0.05, model}, 2);
                bool stopped = false;
                // No distribution may have what extreme bounds ask for: then nothing is ever
                // decided.
                for (int block = 0; block < 4000 && !stopped; ++block) {
                    const double score = (sampler.game(0.45, 0.1) + sampler.game(0.45, 0.1)) / 2;
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

// The other error: elo1 is the truth, H0 is accepted as often as beta says.
TEST(slow_stop, a_stronger_agent_is_missed_as_often_as_beta_says) {
    const double won = 1 / (1 + std::pow(10, -30.0 / 400));
    double missed = 0;
    for (int run = 0; run < kStoppedRuns; ++run) {
        Sampler sampler(7000 + static_cast<std::uint64_t>(run));
        Sprt rule({0, 30, 0.05, kAlpha, EloModel::Logistic}, 1);
        bool stopped = false;
        while (!stopped) {
            const double score = sampler.chance(won) ? 1 : 0;
            stopped = rule.feed({score, 1 - score});
        }
        if (rule.status().verdict == "H0 accepted") missed += 1.0 / kStoppedRuns;
    }
    expect_alpha(missed);
}

// The interval that the rule stops on covers as often as it says, though N is chosen by the data.
TEST(slow_stop, the_interval_at_the_width_that_was_asked_for_covers) {
    int covered = 0;
    for (int run = 0; run < kStoppedRuns; ++run) {
        Sampler sampler(9000 + static_cast<std::uint64_t>(run));
        IntervalWidth rule(0.1);
        BlockMean mean;
        bool stopped = false;
        while (!stopped) {
            const double score = (sampler.game(0.5, 0.2) + sampler.game(0.5, 0.2)) / 2;
            mean.add(score);
            stopped = rule.feed({score, 1 - score});
        }
        if (std::abs(*mean.mean() - 0.6) <= 0.05) ++covered;
    }
    EXPECT_NEAR(covered / double{kStoppedRuns}, 0.95, 0.0145);
}

} // namespace
} // namespace croupier::results
