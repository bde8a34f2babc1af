// Random decisions of the generator.
#pragma once

#include "engine/run/random.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace croupier::engine::reference {

class Dice {
  public:
    explicit Dice(Random random) : random_(random) {}

    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_.below(n)); }
    // Both ends included.
    std::int64_t between(std::int64_t low, std::int64_t high) {
        return low +
               static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(high - low) + 1));
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
    Random random_;
};

} // namespace croupier::engine::reference
