// Simulated runs of known truth, for tests: how often each printed interval covers it, and how
// often each verdict is false.
#pragma once

#include "results/statistics/sampling.h"

#include <functional>
#include <string>
#include <vector>

namespace croupier::results {

struct ErrorRate {
    enum class Of { Interval, Verdict }; // covers (at least 95 %), is false (at most 5 %)
    Of of = Of::Interval;
    std::string what;  // "score"
    std::string where; // how blocks are distributed
    // One run of so many blocks: whether the interval covers, or the verdict is false.
    std::function<bool(Sampler&, int blocks)> run;
    int slowness = 1; // relative to the others
    // From so many blocks on what is promised must hold; below it is measured only.
    int holds_from = 6;
};

std::vector<ErrorRate> error_rates();

// Of so many runs, the share in which it is true.
double rate_of(const ErrorRate& what, int blocks, int runs);

// What a rate may be, three standard errors of the simulation included; coverage may be a point
// short.
bool is_kept(const ErrorRate& what, double rate, int runs);

} // namespace croupier::results
