// Rows in the words of a state's block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace croupier::engine {

// Those rows are present as well.
inline void merge_rows(std::byte* place, std::uint64_t mask) {
    std::uint64_t all = 0;
    std::memcpy(&all, place, sizeof all);
    all |= mask;
    std::memcpy(place, &all, sizeof all);
}

} // namespace croupier::engine
