// Error rates of the sequential test with 1, 8, 64 and 1024 games in flight, over the real runner.
#include "tournaments/runner/in_flight.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace croupier::tournaments {
namespace {

constexpr int kRuns = 400;

// 99 % of runs of a sound test fall in here.
bool is_alpha(double rate) {
    return std::abs(rate - kAlpha) <= 2.576 * std::sqrt(kAlpha * (1 - kAlpha) / kRuns);
}

TEST(slow_in_flight, equal_agents_are_accepted_as_often_as_alpha_says) {
    std::vector<std::uint64_t> blocks;
    for (const std::size_t workers : {1U, 8U, 64U, 1024U}) {
        double accepted = 0;
        const int runs = workers > 64 ? kRuns / 10 : kRuns; // a thousand threads take their time
        for (int run = 0; run < runs; ++run) {
            const SimulatedRun one = run_in_flight(static_cast<std::uint64_t>(run), workers);
            if (one.verdict == "H1 accepted") accepted += 1.0 / runs;
            if (workers == 1)
                blocks.push_back(one.blocks);
            else
                EXPECT_EQ(one.blocks, blocks[static_cast<std::size_t>(run)]) << workers;
        }
        std::printf("%zu in flight: accepted %.1f %%\n", workers, 100 * accepted);
        if (runs == kRuns) {
            EXPECT_TRUE(is_alpha(accepted)) << workers << ": " << accepted;
        }
    }
}

// What the order of the schedule is for: fed as blocks finish, the same results say something else.
TEST(slow_in_flight, in_the_order_of_completion_alpha_means_nothing) {
    double accepted = 0;
    for (int run = 0; run < kRuns / 4; ++run) {
        const auto finished = completion_order(static_cast<std::uint64_t>(run), 64, 1000);
        if (verdict_of_order(finished) == "H1 accepted") accepted += 4.0 / kRuns;
    }
    std::printf("64 in flight, as they finish: accepted %.1f %%\n", 100 * accepted);
    EXPECT_GT(accepted, 0.9);
}

} // namespace
} // namespace croupier::tournaments
