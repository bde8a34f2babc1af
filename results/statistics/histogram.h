// Distributions of numbers in bounded memory: of natural numbers of any size, and of any numbers.
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

// Counts every number below 4096 in its own bin; for larger ones, bins are merged in pairs until
// the number fits. A function of the numbers, not of their order.
class Histogram {
  public:
    void add(std::uint64_t number);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] std::optional<double> mean() const;
    [[nodiscard]] std::optional<std::uint64_t> least() const;
    [[nodiscard]] std::optional<std::uint64_t> most() const;
    // The smallest number that at least the share q does not exceed; the upper end of its bin.
    [[nodiscard]] std::optional<std::uint64_t> quantile(double q) const;
    // At most `most_bins` bins of equal width, from the least to the largest number.
    [[nodiscard]] std::vector<Bin> bins(std::size_t most_bins) const;

  private:
    std::vector<std::uint64_t> counts_;
    unsigned shift_ = 0; // bins are 2^shift_ wide
    std::uint64_t count_ = 0;
    double sum_ = 0;
    std::uint64_t least_ = 0;
    std::uint64_t most_ = 0;
};

// The distribution of numbers of any sign and size, in bounded memory.

struct SpreadBin {
    double low = 0;
    double high = 0; // for whole numbers the largest in it; otherwise the start of the next
    std::uint64_t count = 0;
};

// Counts each number separately until there are too many different ones; then by intervals of width
// 1, 2, 4, .. A function of the numbers, not of their order.
class Spread {
  public:
    void add(double number);
    // Adds all counts of the other.
    void add(const Spread& other);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    // At most `most_bins` bins of equal width with round ends, from the least to the largest
    // number.
    [[nodiscard]] std::vector<SpreadBin> bins(std::size_t most_bins) const;
    // Its counts in the bins of `all`, which contains its numbers and others.
    [[nodiscard]] std::vector<SpreadBin> bins_of(const Spread& all, std::size_t most_bins) const;

  private:
    void join();

    std::map<double, std::uint64_t> counts_;
    double width_ = 0; // 0 while numbers are separate
    bool whole_ = true;
    std::uint64_t count_ = 0;
};

} // namespace croupier::results
