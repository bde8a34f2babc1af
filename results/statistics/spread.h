// How numbers are distributed, whatever their sign and size, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace croupier::results {

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
