// Removes an entry from a list of children.
#include "engine/state/root_field.h"

#include <algorithm>
#include <array>
#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace croupier::engine {
namespace {

// Entries compared at once, from the end: a removed entry is mostly a recent one.
constexpr std::size_t kEntries = 8;

void store_entry(std::byte* at, std::uint16_t entry) {
    std::memcpy(at, &entry, sizeof entry);
}

#if defined(__SSE2__)

// Removes `entry` from the eight and moves later ones up. Returns false if it is not there.
[[gnu::always_inline]] inline bool erase_among(__m128i& entries, std::uint16_t entry) {
    static constexpr auto kBytes = [] {
        std::array<std::uint8_t, 4 * kEntries> bytes{};
        std::fill_n(bytes.begin(), 2 * kEntries, std::uint8_t{0xff});
        return bytes;
    }();
    const __m128i same = _mm_cmpeq_epi16(entries, _mm_set1_epi16(static_cast<short>(entry)));
    const auto found = static_cast<unsigned>(_mm_movemask_epi8(same));
    if (found == 0) return false;
    const std::uint8_t* const kept = kBytes.data() + 2 * kEntries - std::countr_zero(found);
    const __m128i before = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kept));
    entries = _mm_or_si128(_mm_and_si128(before, entries),
                           _mm_andnot_si128(before, _mm_srli_si128(entries, 2)));
    return true;
}

#endif

} // namespace

void erase_from_within(std::byte* order, std::uint16_t entry) {
    const std::uint16_t count = entry_at(order);
    std::byte* const last = order + 2 * std::size_t{count};
#if defined(__SSE2__)
    if (count >= kEntries) {
        auto* const place = reinterpret_cast<__m128i*>(last - 2 * (kEntries - 1));
        __m128i entries = _mm_loadu_si128(place);
        if (erase_among(entries, entry)) {
            _mm_storeu_si128(place, entries);
            store_entry(order, static_cast<std::uint16_t>(count - 1));
            return;
        }
    }
#endif
    for (std::byte* at = last; at != order; at -= 2) {
        if (entry_at(at) == entry) {
            std::memmove(at, at + 2, static_cast<std::size_t>(last - at));
            store_entry(last, 0);
            store_entry(order, static_cast<std::uint16_t>(count - 1));
            return;
        }
    }
}

void erase_all_listed(std::byte* order, std::uint64_t entries) {
#if defined(__SSE2__)
    std::uint16_t count = entry_at(order);
    if (count >= kEntries) {
        auto* const place =
            reinterpret_cast<__m128i*>(order + 2 * (std::size_t{count} - (kEntries - 1)));
        __m128i last = _mm_loadu_si128(place);
        for (; entries != 0; entries &= entries - 1) {
            if (!erase_among(last, static_cast<std::uint16_t>(std::countr_zero(entries)))) break;
            --count;
        }
        _mm_storeu_si128(place, last);
        store_entry(order, count);
    }
#endif
    for (; entries != 0; entries &= entries - 1)
        erase_from_within(order, static_cast<std::uint16_t>(std::countr_zero(entries)));
}

} // namespace croupier::engine
