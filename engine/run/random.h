// The only source of chance: a counter-based generator keyed by a stream. No stream depends on the
// use of another, and any draw can be repeated from (key, counter).
#pragma once

#include <cstdint>

namespace croupier::engine {

class Random {
  public:
    explicit Random(std::uint64_t key = 0, std::uint64_t counter = 0)
        : key_(key), counter_(counter) {}

    std::uint64_t next() { return mix(key_ + 0x9e3779b97f4a7c15u * ++counter_); }

    // Uniform in 0..n-1 without bias; n >= 1. Mostly one multiplication.
    std::uint64_t below(std::uint64_t n) {
        const Wide product = static_cast<Wide>(next()) * n;
        const bool is_even = static_cast<std::uint64_t>(product) >= n; // then free of bias
        return static_cast<std::uint64_t>((is_even ? product : even(product, n)) >> 64);
    }

    // An independent stream for each (this key, word): deals, purposes, seats.
    [[nodiscard]] Random stream(std::uint64_t word) const {
        return Random(mix(mix(key_ ^ 0x5851f42d4c957f2du) + mix(word)));
    }

    [[nodiscard]] std::uint64_t counter() const { return counter_; }

  private:
    __extension__ using Wide = unsigned __int128;

    // The product, or that of the first later number that is free of bias.
    [[gnu::noinline]] Wide even(Wide product, std::uint64_t n) {
        while (static_cast<std::uint64_t>(product) < (0 - n) % n)
            product = static_cast<Wide>(next()) * n;
        return product;
    }

    // David Stafford's variant 13 of the 64-bit finalizer.
    static std::uint64_t mix(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return x ^ (x >> 31);
    }

    std::uint64_t key_;
    std::uint64_t counter_;
};

} // namespace croupier::engine
