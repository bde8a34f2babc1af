// Means over blocks of games: the only place where a variance is taken.
#pragma once

#include "results/statistics/moments.h"

#include <cstdint>
#include <optional>

namespace croupier::results {

// A number that was measured. What cannot be said is absent: no data, or nothing to judge by.
struct Estimate {
    std::optional<double> value;
    std::optional<double> error; // one standard error
    std::optional<double> low;   // bounds of the interval
    std::optional<double> high;
    // There is no value, as none is large (small) enough, and the one bound that there is holds
    // with the confidence of the interval.
    bool one_sided = false;
    // The blocks do not show how far others may lie: the interval covers less often than it says if
    // rare ones lie far off (mean_interval.h).
    bool doubtful = false;
};

// What a block's value can be at all.
struct Range {
    double low = 0;
    double high = 1;
};
constexpr Range kShare{0, 1};

// What a mean over blocks is judged by. Where blocks have different sizes, a block's value is the
// mean and its part in the deviation of the ratio of sums.
struct BlockMoments {
    std::uint64_t blocks = 0;
    std::optional<double> mean;
    double squares = 0; // of deviations, summed over blocks; 0: all blocks agree
    double cubes = 0;
    double low = 0; // the ends of what can be; where nobody knows them, of what has been
    double high = 0;
    bool bounded = false; // they are known
    double reach = 1;     // of the largest block over that of a mean one
    double effective = 0; // number of blocks of one size that would know as much

    // With the divisor N - 1. Absent with fewer than two blocks, or when all agree.
    [[nodiscard]] std::optional<double> error() const;
};

// Mean of something that a block has `count` values of. Blocks are independent, what is inside one
// is not: the standard error is that of a ratio of sums over blocks, which for blocks of one size
// is sqrt(var / N) with var the mean squared deviation of the blocks' means.
// Sums are kept relative to the first value, so equal values have a variance of exactly 0.
class BlockMean {
  public:
    // One block: the sum of its values and how many there were. Blocks without any do not count.
    void add(double sum, double count = 1);
    // So many blocks of one value each, all the same.
    void add_equal(double value, std::uint64_t blocks);

    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    [[nodiscard]] double values() const { return sums_.sum(1); }
    [[nodiscard]] std::optional<double> mean() const;
    // The mean squared deviation of a block's mean, weighted by the square of its size.
    [[nodiscard]] std::optional<double> variance() const;
    // Absent with fewer than two blocks, or when all agree.
    [[nodiscard]] std::optional<double> standard_error() const;
    // The mean and an interval of z standard errors to each side: of counts, as published.
    [[nodiscard]] Estimate estimate(double z) const;
    // For intervals and tests of runs: mean_interval.h.
    [[nodiscard]] BlockMoments moments(std::optional<Range> range = {}) const;

  private:
    [[nodiscard]] double
    squares() const; // of the deviations of sums; 0 where rounding alone made it

    std::uint64_t blocks_ = 0;
    double origin_ = 0;
    double least_ = 0; // values of blocks
    double most_ = 0;
    double largest_ = 0;    // count
    LinearMoments<2> sums_; // of deviations from the origin, and counts
};

} // namespace croupier::results
