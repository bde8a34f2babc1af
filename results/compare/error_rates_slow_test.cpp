// The same at length; prints the table of results/README.md.
#include "results/compare/error_rates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

namespace croupier::results {
namespace {

constexpr std::array kBlocks{4, 6, 8, 20, 100, 200, 400, 1000};

int runs_of(const ErrorRate& what, int blocks) {
    const int most = blocks <= 20 ? 10000 : blocks <= 100 ? 6000 : 2500;
    return std::max(500, most / std::min(what.slowness, 8));
}

TEST(slow_error_rates, are_kept_by_every_interval_and_verdict) {
    for (const auto of : {ErrorRate::Of::Interval, ErrorRate::Of::Verdict}) {
        std::string head = of == ErrorRate::Of::Interval ? "\n| 95 % interval of | blocks |"
                                                         : "\n| false verdict | blocks |";
        std::string rule = "|---|---|";
        for (const int blocks : kBlocks) {
            head += " " + std::to_string(blocks) + " |";
            rule += "---:|";
        }
        std::printf("%s\n%s\n", head.c_str(), rule.c_str());
        for (const ErrorRate& what : error_rates()) {
            if (what.of != of) continue;
            std::printf("| %s | %s |", what.what.c_str(), what.where.c_str());
            for (const int blocks : kBlocks) {
                const int runs = runs_of(what, blocks);
                const double rate = rate_of(what, blocks, runs);
                std::printf(" %.1f |", 100 * rate);
                if (blocks >= what.holds_from) {
                    EXPECT_TRUE(is_kept(what, rate, runs))
                        << what.what << ", " << what.where << ", " << blocks << ": " << rate;
                }
            }
            std::printf("\n");
            std::fflush(stdout);
        }
    }
}

} // namespace
} // namespace croupier::results
