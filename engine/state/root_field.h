// Writes and drops a field of the root whose place in the block is known beforehand.
#pragma once

#include "engine/state/state.h"

#include <cstring>

namespace croupier::engine {

inline std::uint16_t entry_at(const std::byte* at) {
    std::uint16_t found = 0;
    std::memcpy(&found, at, sizeof found);
    return found;
}

// Removes `entry` from a list of children: a count, then entries, two bytes each. Zeroes the freed
// place, since equal states must have equal bytes.
void erase_from_within(std::byte* order, std::uint16_t entry);
// The same, fast if it is the last entry, as is usual.
inline void erase_listed(std::byte* order, std::uint16_t entry) {
    const std::uint16_t count = entry_at(order);
    std::byte* const last = order + 2 * std::size_t{count};
    if (count == 0 || entry_at(last) != entry) {
        erase_from_within(order, entry);
        return;
    }
    std::memset(last, 0, 2);
    const auto left = static_cast<std::uint16_t>(count - 1);
    std::memcpy(order, &left, sizeof left);
}

// Removes several entries, all of them in the list: bit i stands for entry i.
void erase_all_listed(std::byte* order, std::uint64_t entries);

// Zeroes the field and returns whether it was present: any byte not zero. Needs no look at the
// node's kind; a leaf or a set of few rows needs no call.
[[gnu::always_inline]] inline bool State::clear_field(const RootField& field) {
    const std::uint32_t size = field.end - field.begin;
    if (size == 1) {
        const auto held = load<std::uint8_t>(field.begin);
        store<std::uint8_t>(field.begin, 0);
        return held != 0;
    }
    if (size < 8 || size > 16) return clear_any_field(field);
    // Two words, which may overlap.
    const auto held = load<std::uint64_t>(field.begin) | load<std::uint64_t>(field.end - 8);
    store<std::uint64_t>(field.begin, 0);
    store<std::uint64_t>(field.end - 8, 0);
    return held != 0;
}

inline void State::drop_field(const RootField& field) {
    if (clear_field(field)) erase_listed(data() + field.order, field.slot);
}

// Fast if both are the last two entries, in this order, as is usual.
[[gnu::always_inline]] inline void State::drop_fields(const RootField& first,
                                                      const RootField& second) {
    std::byte* const order = data() + first.order;
    const std::uint16_t count = entry_at(order);
    std::byte* const last = order + 2 * std::size_t{count};
    // Each entry was just written by itself, so a load of both would wait for both.
    if (count >= 2 && entry_at(last) == second.slot && entry_at(last - 2) == first.slot) {
        clear_field(first);
        clear_field(second);
        std::memset(last - 2, 0, 4);
        const auto left = static_cast<std::uint16_t>(count - 2);
        std::memcpy(order, &left, sizeof left);
        return;
    }
    const bool had_first = clear_field(first);
    const bool had_second = clear_field(second);
    if (had_first && had_second && first.slot < 64 && second.slot < 64) {
        erase_all_listed(order, std::uint64_t{1} << first.slot | std::uint64_t{1} << second.slot);
        return;
    }
    if (had_second) erase_listed(order, second.slot);
    if (had_first) erase_listed(order, first.slot);
}

inline void State::put_byte(const RootField& leaf, std::uint8_t code) {
    if (load<std::uint8_t>(leaf.begin) == 0) append_entry(leaf.order, leaf.slot);
    store(leaf.begin, code);
}

} // namespace croupier::engine
