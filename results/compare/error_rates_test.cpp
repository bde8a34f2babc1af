// Intervals cover and verdicts err as often as they say: shortly, with fixed seeds.
#include "results/compare/error_rates.h"

#include <gtest/gtest.h>

namespace croupier::results {
namespace {

TEST(error_rates, are_kept_with_few_blocks_and_with_some) {
    for (const ErrorRate& what : error_rates()) {
        const int runs = what.slowness > 10 ? 20 : 250 / what.slowness + 40;
        for (const int blocks : {4, 6, 8, 20, 100}) {
            if (blocks < what.holds_from) continue;
            const double rate = rate_of(what, blocks, runs);
            EXPECT_TRUE(is_kept(what, rate, runs))
                << what.what << ", " << what.where << ", " << blocks << " blocks: " << rate;
        }
    }
}

// What must be said where the data are clear: caution alone would pass the test above.
TEST(error_rates, verdicts_are_given_where_the_data_suffice) {
    for (const ErrorRate& what : error_rates()) {
        if (what.of != ErrorRate::Of::Verdict) continue;
        if (what.what.starts_with("equivalent")) {
            EXPECT_GT(rate_of(what, 1000, 400), 0.005) << what.where << ": alpha is used";
        }
    }
}

} // namespace
} // namespace croupier::results
