// Sequential tests over the real runner, with workers for whom a lost game lasts longer than a won
// one.
#include "tournaments/runner/in_flight.h"

#include <gtest/gtest.h>

namespace croupier::tournaments {
namespace {

// The same block, whatever is in flight; the other order is another test.
TEST(in_flight, a_test_stops_at_the_same_block_for_any_number_of_workers) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const SimulatedRun one = run_in_flight(seed, 1);
        EXPECT_NE(one.verdict, "undecided");
        for (const std::size_t workers : {2U, 8U, 64U}) {
            const SimulatedRun many = run_in_flight(seed, workers);
            EXPECT_EQ(many.blocks, one.blocks) << workers;
            EXPECT_EQ(many.verdict, one.verdict) << workers;
        }
    }
}

TEST(in_flight, blocks_do_finish_in_another_order) {
    std::size_t early = 0; // won blocks among the first that finish
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const std::vector<double> finished = completion_order(seed, 64, 200);
        for (std::size_t i = 0; i < 40; ++i)
            early += finished[i] > 0.5 ? 1 : 0;
    }
    EXPECT_GT(early, 12U * 40 * 6 / 10) << "the durations of this test say nothing";
}

} // namespace
} // namespace croupier::tournaments
