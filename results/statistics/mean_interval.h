// Intervals and tests of a mean over blocks that hold for few blocks and for rare differences.
#pragma once

#include "results/statistics/accumulator.h"
#include "results/statistics/normal.h"

#include <cstdint>
#include <optional>

namespace croupier::results {

// Fewer blocks than this give an interval, and no verdict.
constexpr std::uint64_t kFewestBlocks = 6;
// Where the range is not known, the interval is doubtful with fewer blocks than this, or if one
// block has more than half of the sum of squares: what a few blocks in a hundred add to the mean
// has then hardly been seen.
constexpr std::uint64_t kFewestUnbounded = 20;

// The interval of the mean:
//     high = mean + A + sqrt(A^2 + t^2 SE^2), A = (t^2 + 2) / 3 * skew / N
// and low likewise, with t of Student for N - 1 degrees of freedom. Without A it is the usual one;
// A is Cornish and Fisher's correction for skewness, by which the bounds of a rare event are those
// of the exact test (Poisson) to a percent. `skew`, the third central moment over the second,
// counts one block more than were seen, at the end of the range: what has not happened yet may.
// Where all blocks agree, the bound is exact: (1 - q)^N = alpha for the share q of blocks that
// would not.
Estimate mean_estimate(const BlockMoments& blocks, double confidence = kConfidence);
// The bound to one side alone.
std::optional<double> lower_limit(const BlockMoments& blocks, double alpha);
std::optional<double> upper_limit(const BlockMoments& blocks, double alpha);

// One-sided p-values of the same tests: the chance of a mean as low (high) as this, were the true
// one at least (at most) the limit. Absent where nothing can be said.
std::optional<double> p_at_least(const BlockMoments& blocks, double limit);
std::optional<double> p_at_most(const BlockMoments& blocks, double limit);

} // namespace croupier::results
