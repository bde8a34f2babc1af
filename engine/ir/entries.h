// The values of a table, of which few differ: each is kept once.
#pragma once

#include "engine/tree/value.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace croupier::engine::ir {

class Entries {
  public:
    // Different values that a table can have.
    static constexpr std::size_t kMost = std::size_t{1} << 16;

    Entries() = default;
    explicit Entries(std::size_t count, const Value& value = {}) : places_(count), values_{value} {}
    Entries(std::vector<std::uint16_t> places, std::vector<Value> values)
        : places_(std::move(places)), values_(std::move(values)) {}
    explicit Entries(const std::vector<Value>& all);

    [[nodiscard]] std::size_t size() const { return places_.size(); }
    [[nodiscard]] bool empty() const { return places_.empty(); }
    [[nodiscard]] const Value& operator[](std::size_t i) const { return values_[places_[i]]; }
    // The different values, each of which is an entry, and for each entry its place among them.
    [[nodiscard]] const std::vector<Value>& different() const { return values_; }
    [[nodiscard]] const std::vector<std::uint16_t>& places() const { return places_; }

  private:
    std::vector<std::uint16_t> places_;
    std::vector<Value> values_;
};

// Finds the places of different values, hints included, as they come up.
class Palette {
  public:
    std::uint32_t place_of(const Value& value) {
        const auto [at, is_new] =
            known_.try_emplace(value, static_cast<std::uint32_t>(values_.size()));
        if (is_new) {
            values_.push_back(value);
        }
        return at->second;
    }
    [[nodiscard]] const std::vector<Value>& values() const { return values_; }
    [[nodiscard]] std::vector<Value> take() { return std::move(values_); }

  private:
    struct Hash {
        std::size_t operator()(const Value& value) const {
            const auto integer = static_cast<std::uint64_t>(value.integer);
            const std::uint64_t form = static_cast<std::uint64_t>(value.tag) << 48 |
                                       std::uint64_t{value.domain} << 16 | value.row;
            return (integer ^ form * 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd >> 7;
        }
    };
    struct Same {
        bool operator()(const Value& a, const Value& b) const {
            return same_value(a, b) && a.domain == b.domain && a.row == b.row;
        }
    };
    std::unordered_map<Value, std::uint32_t, Hash, Same> known_;
    std::vector<Value> values_;
};

inline Entries::Entries(const std::vector<Value>& all) {
    Palette palette;
    for (const Value& each : all) {
        places_.push_back(static_cast<std::uint16_t>(palette.place_of(each)));
    }
    values_ = palette.take();
}

} // namespace croupier::engine::ir
