// Decisions of the generator, random or read from the bytes that a fuzzer varies.
#pragma once

#include "engine/run/random.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace croupier::engine::reference {

class Dice {
  public:
    explicit Dice(Random random) : random_(random) {}
    // A decision takes a byte as long as there are any, so that a small change of the bytes is a
    // small change of the case. The bytes must outlive the dice.
    Dice(std::span<const std::uint8_t> choices, Random afterwards)
        : choices_(choices), random_(afterwards) {}

    std::size_t below(std::size_t n) { return static_cast<std::size_t>(draw(n)); }
    // Both ends included.
    std::int64_t between(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(draw(static_cast<std::uint64_t>(high - low) + 1));
    }
    bool chance(int percent) { return between(0, 99) < percent; }

    template <typename T>
    const T& pick(const std::vector<T>& from) {
        return from[below(from.size())];
    }
    template <typename T>
    T pick(std::initializer_list<T> from) {
        return *(from.begin() + below(from.size()));
    }
    // An index, each as likely as its weight says; at least one weight is positive.
    std::size_t weighted(std::initializer_list<int> weights) {
        std::int64_t total = 0;
        for (const int weight : weights) {
            total += weight;
        }
        std::int64_t rest = between(0, total - 1);
        std::size_t index = 0;
        for (const int weight : weights) {
            if (rest < weight) return index;
            rest -= weight;
            ++index;
        }
        return index;
    }
    template <typename T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t i = items.size(); i-- > 1;) {
            std::swap(items[i], items[below(i + 1)]);
        }
    }

  private:
    // In 0..n-1. A byte reaches 256 choices, which is more than nearly all decisions have.
    std::uint64_t draw(std::uint64_t n) {
        if (choices_.empty()) return random_.below(n);
        const std::uint64_t choice = choices_.front() % n;
        choices_ = choices_.subspan(1);
        return choice;
    }

    std::span<const std::uint8_t> choices_;
    Random random_;
};

} // namespace croupier::engine::reference
