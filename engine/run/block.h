// Rows in the words of a state's block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace croupier::engine {

inline std::uint64_t load_word(const std::byte* from) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    return word;
}

// Those rows are present as well.
inline void merge_rows(std::byte* place, std::uint64_t mask) {
    const std::uint64_t all = load_word(place) | mask;
    std::memcpy(place, &all, sizeof all);
}

} // namespace croupier::engine
