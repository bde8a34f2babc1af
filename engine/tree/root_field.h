// Writes and drops a field of the root of which everything is known beforehand.
#pragma once

#include "engine/tree/state.h"

namespace croupier::engine {

// From a list of children: a count, then entries, two bytes each. What goes is mostly what came
// last.
inline void erase_listed(std::byte* order, std::uint16_t entry) {
    const auto load = [](const std::byte* at) {
        std::uint16_t found = 0;
        std::memcpy(&found, at, sizeof found);
        return found;
    };
    const std::uint16_t count = load(order);
    std::byte* const last = order + 2 * std::size_t{count};
    std::byte* at = last;
    for (; at != order && load(at) != entry; at -= 2) {
    }
    if (at == order) {
        return;
    }
    for (; at != last; at += 2) {
        std::memcpy(at, at + 2, 2);
    }
    // The freed place is zeroed: equal states are equal bytes.
    std::memset(last, 0, 2);
    const auto left = static_cast<std::uint16_t>(count - 1);
    std::memcpy(order, &left, sizeof left);
}

// Absent means that all its bytes are zero, present that some are not: no look at what kind of node
// it is. What a field has are few words, mostly: too few for a call.
inline void State::drop_field(const RootField& field) {
    constexpr std::uint32_t kFew = 64;
    if (field.end - field.begin == 1) {
        if (load<std::uint8_t>(field.begin) != 0) {
            store<std::uint8_t>(field.begin, 0);
            erase_listed(data() + layout_->order_of_root(), field.slot);
        }
        return;
    }
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
