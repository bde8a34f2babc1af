// What a solver knows of positions, by hash: bounds of their worth, and for which gains these hold.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace croupier::agents {

// So many numbers that players win are kept apart from positions; where a game has more, all of
// them are part of the position.
inline constexpr std::size_t kMaxGains = 4;
// As the side sees them that solves: its own as they are, those of others negative, so that more is
// never worse. What a game has not is 0.
using Gains = std::array<std::int32_t, kMaxGains>;

inline bool are_no_less(const Gains& these, const Gains& those) {
    bool no_less = true;
    for (std::size_t i = 0; i < kMaxGains; ++i)
        no_less = no_less && these[i] >= those[i];
    return no_less;
}

// A position is worth at least `least` with gains of `at_least` or more, and at most `most` with
// gains of `at_most` or less. The two are never taken for one another, nor for the worth.
struct Bounds {
    std::uint64_t hash = 0;
    std::uint32_t stamp = 0;
    std::uint16_t best = 0; // index of the move that was best
    std::uint16_t ply = 0;
    double least = 0;
    double most = 0;
    Gains at_least{};
    Gains at_most{};
};

// Entries are stamped by the solution that they are part of, so that the table is emptied at once
// and what was solved before has no influence. Two positions of the same hash are taken for one.
class BoundsTable {
  public:
    // Empty, with 2^bits entries.
    void begin(unsigned bits) {
        const std::size_t size = std::size_t{1} << bits;
        if (entries_.size() < size) entries_.resize(size);
        mask_ = size - 1;
        if (++stamp_ != 0) return;
        entries_.assign(entries_.size(), {}); // the stamps begin again
        stamp_ = 1;
    }
    [[nodiscard]] const Bounds* find(std::uint64_t hash) const {
        const std::size_t first = hash & mask_ & ~std::size_t{1};
        for (std::size_t i = first; i < first + 2; ++i)
            if (entries_[i].hash == hash && entries_[i].stamp == stamp_) return &entries_[i];
        return nullptr;
    }
    // The entry of that position, made if there is none: of its two places it takes the one whose
    // position has fewer moves to come.
    Bounds& at(std::uint64_t hash, std::size_t ply) {
        Bounds* const pair = &entries_[hash & mask_ & ~std::size_t{1}];
        const auto is_here = [&](const Bounds& each) {
            return each.hash == hash && each.stamp == stamp_;
        };
        if (is_here(pair[0])) return pair[0];
        if (is_here(pair[1])) return pair[1];
        const auto value = [&](const Bounds& each) {
            return each.stamp == stamp_ ? -int{each.ply} : -0x10000;
        };
        Bounds& entry = value(pair[0]) < value(pair[1]) ? pair[0] : pair[1];
        entry = {};
        entry.hash = hash;
        entry.stamp = stamp_;
        entry.ply = static_cast<std::uint16_t>(ply);
        entry.best = kNoMove;
        entry.least = -std::numeric_limits<double>::infinity();
        entry.most = std::numeric_limits<double>::infinity();
        return entry;
    }
    static constexpr std::uint16_t kNoMove = 0xffff;

  private:
    std::vector<Bounds> entries_;
    std::size_t mask_ = 0;
    std::uint32_t stamp_ = 0;
};

} // namespace croupier::agents
