// Sequential tests with many games in flight: error rates hold in schedule order, and only there.
#include "results/statistics/stop.h"

#include "results/statistics/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <vector>

namespace croupier::results {
namespace {

constexpr int kRuns = 1500;
constexpr double kAlpha = 0.05;
enum class Order { Schedule, Completion };

// One run: blocks finish when their games do, and a lost game lasts three times as long as a won
// one.
class SimulatedRun {
  public:
    SimulatedRun(std::uint64_t seed, std::size_t in_flight, std::uint32_t games_per_block)
        : sampler_(seed), games_(games_per_block) {
        for (std::size_t slot = 0; slot < in_flight; ++slot)
            start();
    }

    // Feeds the rule until it stops; returns after how many blocks.
    std::uint64_t play(StopRule& rule, Order order) {
        std::map<std::uint64_t, double> waiting; // finished before their turn
        std::uint64_t turn = 0;
        while (true) {
            const auto [time, block, score] = running_.top();
            running_.pop();
            now_ = time;
            start();
            if (order == Order::Completion) {
                ++turn;
                if (rule.feed({score, 1 - score})) return turn;
                continue;
            }
            waiting[block] = score;
            for (auto next = waiting.begin(); next != waiting.end() && next->first == turn;
                 next = waiting.erase(next)) {
                ++turn;
                if (rule.feed({next->second, 1 - next->second})) return turn;
            }
        }
    }

  private:
    // Results belong to blocks, so they are drawn in the order of the schedule.
    void start() {
        double halves = 0;
        double lasts = 0;
        for (std::uint32_t game = 0; game < games_; ++game) {
            const double score = sampler_.game(0.45, 0.1);
            halves += 2 * score;
            lasts += (score == 0 ? 3 : 1) * (0.9 + 0.2 * sampler_.uniform());
        }
        running_.emplace(now_ + lasts, next_++, halves / (2.0 * games_));
    }

    using Running = std::tuple<double, std::uint64_t, double>; // end, block, score
    std::priority_queue<Running, std::vector<Running>, std::greater<>> running_;
    Sampler sampler_;
    std::uint32_t games_;
    double now_ = 0;
    std::uint64_t next_ = 0;
};

struct Outcome {
    double accepted = 0; // share of runs that took H1
    std::vector<std::uint64_t> blocks;
};

Outcome run_all(std::size_t in_flight, Order order, std::uint32_t games_per_block, EloModel model) {
    Outcome outcome;
    for (int run = 0; run < kRuns; ++run) {
        Sprt rule({0, 30, kAlpha, 0.05, model}, games_per_block);
        SimulatedRun simulated(1000 + static_cast<std::uint64_t>(run), in_flight, games_per_block);
        outcome.blocks.push_back(simulated.play(rule, order));
        if (rule.status().verdict == "H1 accepted") outcome.accepted += 1.0 / kRuns;
    }
    return outcome;
}

// 99 % of runs of a sound test fall in here.
void expect_alpha(double rate) {
    EXPECT_NEAR(rate, kAlpha, 2.576 * std::sqrt(kAlpha * (1 - kAlpha) / kRuns));
}

TEST(slow_stop, equal_agents_are_accepted_as_often_as_alpha_says_with_any_number_in_flight) {
    const Outcome one = run_all(1, Order::Schedule, 1, EloModel::Logistic);
    expect_alpha(one.accepted);
    for (const std::size_t in_flight : {8U, 64U, 1024U}) {
        const Outcome many = run_all(in_flight, Order::Schedule, 1, EloModel::Logistic);
        EXPECT_EQ(many.blocks, one.blocks) << in_flight; // to the block
        EXPECT_EQ(many.accepted, one.accepted);
    }
}

TEST(slow_stop, pairs_and_the_normalized_model_keep_alpha) {
    expect_alpha(run_all(64, Order::Schedule, 2, EloModel::Normalized).accepted);
}

TEST(slow_stop, in_completion_order_alpha_means_nothing) {
    const double one = run_all(1, Order::Completion, 1, EloModel::Logistic).accepted;
    expect_alpha(one);
    EXPECT_GT(run_all(8, Order::Completion, 1, EloModel::Logistic).accepted, one);
    EXPECT_GT(run_all(64, Order::Completion, 1, EloModel::Logistic).accepted, 0.9);
    EXPECT_GT(run_all(1024, Order::Completion, 1, EloModel::Logistic).accepted, 0.99);
}

// The other error: elo1 is the truth, H0 is accepted as often as beta says.
TEST(slow_stop, a_stronger_agent_is_missed_as_often_as_beta_says) {
    const double won = 1 / (1 + std::pow(10, -30.0 / 400));
    double missed = 0;
    for (int run = 0; run < kRuns; ++run) {
        Sampler sampler(7000 + static_cast<std::uint64_t>(run));
        Sprt rule({0, 30, 0.05, kAlpha, EloModel::Logistic}, 1);
        bool stopped = false;
        while (!stopped) {
            const double score = sampler.chance(won) ? 1 : 0;
            stopped = rule.feed({score, 1 - score});
        }
        if (rule.status().verdict == "H0 accepted") missed += 1.0 / kRuns;
    }
    expect_alpha(missed);
}

// The interval that the rule stops on covers as often as it says, though N is chosen by the data.
TEST(slow_stop, the_interval_at_the_width_that_was_asked_for_covers) {
    int covered = 0;
    for (int run = 0; run < kRuns; ++run) {
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
    EXPECT_NEAR(covered / double{kRuns}, 0.95, 0.0145);
}

} // namespace
} // namespace croupier::results
