// How numbers are distributed, in bounded memory: whole numbers of any size, and any others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace croupier::results {

struct Bin {
    std::uint64_t low = 0;  // smallest number in it
    std::uint64_t high = 0; // largest
    std::uint64_t count = 0;
};

// Counts every number below 4096 by itself; when a larger one comes, bins are joined in pairs until
// it fits. A function of the numbers, not of their order.
class Histogram {
  public:
    void add(std::uint64_t number);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] std::optional<double> mean() const;
    [[nodiscard]] std::optional<std::uint64_t> least() const;
    [[nodiscard]] std::optional<std::uint64_t> most() const;
    // The smallest number that at least the share q does not exceed; the upper end of its bin.
    [[nodiscard]] std::optional<std::uint64_t> quantile(double q) const;
    // At most `most_bins` of equal width, from that of the least to that of the largest number.
    [[nodiscard]] std::vector<Bin> bins(std::size_t most_bins) const;

  private:
    std::vector<std::uint64_t> counts_;
    unsigned shift_ = 0; // a bin is 2^shift_ wide
    std::uint64_t count_ = 0;
    double sum_ = 0;
    std::uint64_t least_ = 0;
    std::uint64_t most_ = 0;
};

// How numbers are distributed, whatever their sign and size, in bounded memory.

struct SpreadBin {
    double low = 0;
    double high = 0; // whole numbers: the largest in it; else where the next begins
    std::uint64_t count = 0;
};

// Counts each number by itself until there are too many different ones; then those of one stretch
// of 1, 2, 4, .. together. A function of the numbers, not of their order.
class Spread {
  public:
    void add(double number);
    // All that the other has counted.
    void add(const Spread& other);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    // At most so many, of equal width and with round ends, from the least to the largest number.
    [[nodiscard]] std::vector<SpreadBin> bins(std::size_t most_bins) const;
    // Its own counts in the bins of one that holds its numbers and others.
    [[nodiscard]] std::vector<SpreadBin> bins_of(const Spread& all, std::size_t most_bins) const;

  private:
    void join();

    std::map<double, std::uint64_t> counts_;
    double width_ = 0; // 0: each by itself
    bool whole_ = true;
    std::uint64_t count_ = 0;
};

} // namespace croupier::results
