// Writes and drops a field of the root of which everything is known beforehand.
#pragma once

#include "engine/tree/state.h"

namespace croupier::engine {

// From a list of children: a count, then entries, two bytes each. What goes is mostly what came
// last.
inline void erase_listed(std::byte* order, std::uint16_t entry) {
    const auto at = [order](std::size_t i) { return order + 2 * i; };
    const auto load = [&at](std::size_t i) {
        std::uint16_t found = 0;
        std::memcpy(&found, at(i), sizeof found);
        return found;
    };
    const std::uint16_t count = load(0);
    std::uint16_t i = count;
    while (i > 0 && load(i) != entry) {
        --i;
    }
    if (i == 0) {
        return;
    }
    for (; i < count; ++i) {
        std::memcpy(at(i), at(i + 1u), 2);
    }
    // The freed place is zeroed: equal states are equal bytes.
    std::memset(at(count), 0, 2);
    const auto left = static_cast<std::uint16_t>(count - 1);
    std::memcpy(order, &left, sizeof left);
}

// Absent means that all its bytes are zero, present that some are not: no look at what kind of node
// it is. What a field has are few words, mostly: too few for a call.
inline void State::drop_field(const RootField& field) {
    constexpr std::uint32_t kFew = 64;
    if (field.end - field.begin > kFew) {
        drop_large_field(field);
        return;
    }
    std::uint64_t held = 0;
    std::uint32_t at = field.begin;
    for (; at + 8 <= field.end; at += 8) {
        held |= load<std::uint64_t>(at);
        store<std::uint64_t>(at, 0);
    }
    for (; at < field.end; ++at) {
        held |= load<std::uint8_t>(at);
        store<std::uint8_t>(at, 0);
    }
    if (held != 0) {
        erase_listed(data() + layout_->order_of_root(), field.slot);
    }
}

inline void State::put_byte(const RootField& leaf, std::uint8_t code) {
    if (load<std::uint8_t>(leaf.begin) == 0) {
        append_entry(layout_->order_of_root(), leaf.slot);
    }
    store(leaf.begin, code);
}

} // namespace croupier::engine
