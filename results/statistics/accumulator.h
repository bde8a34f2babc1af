// Means over blocks of games: the only place where a variance is taken.
#pragma once

#include <cstdint>
#include <optional>

namespace croupier::results {

// A number that was measured. What cannot be said is absent: no data, or no variance to judge by.
struct Estimate {
    std::optional<double> value;
    std::optional<double> error; // one standard error
    std::optional<double> low;   // bounds of the interval
    std::optional<double> high;
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
    [[nodiscard]] double values() const { return count_; }
    [[nodiscard]] std::optional<double> mean() const;
    // The mean squared deviation of a block's mean, weighted by the square of its size.
    [[nodiscard]] std::optional<double> variance() const;
    // Absent with fewer than two blocks, or when all agree.
    [[nodiscard]] std::optional<double> standard_error() const;
    // The mean and an interval of z standard errors to each side.
    [[nodiscard]] Estimate estimate(double z) const;

  private:
    std::uint64_t blocks_ = 0;
    double origin_ = 0;
    double count_ = 0;         // of values
    double sum_ = 0;           // of deviations from the origin
    double sum_squared_ = 0;   // of the blocks' sums of deviations, squared
    double cross_ = 0;         // of the blocks' sums times their sizes
    double count_squared_ = 0; // of the blocks' sizes
};

} // namespace croupier::results
