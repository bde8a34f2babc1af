// Reads of a state's block at the places that ops address, with operands as opcodes.def names them.
#pragma once

#include "engine/plan/op.h"
#include "engine/tree/value.h"

#include <bit>
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

inline std::size_t address(const Value* values, const Op& op) {
    return op.x + std::size_t{values[op.b].row} * op.s + std::size_t{values[op.c].row} * op.t;
}

inline std::uint8_t byte(const std::byte* data, std::size_t offset) {
    return static_cast<std::uint8_t>(data[offset]);
}

inline std::uint64_t word_at(const std::byte* data, const Value* values, const Op& op) {
    return load_word(data + address(values, op));
}

// A bit's row, and where the words of its group begin.
struct BitPlace {
    std::uint32_t row;
    std::size_t group;

    [[nodiscard]] std::size_t word() const { return group + std::size_t{row / 64} * 8; }
    [[nodiscard]] std::uint64_t mask() const { return std::uint64_t{1} << (row % 64); }
};

inline BitPlace bit_place(const Value* values, const Op& op) {
    return {values[op.c].row + op.t, op.x + std::size_t{values[op.b].row} * op.s};
}

inline bool bit_at(const std::byte* data, const Value* values, const Op& op) {
    const BitPlace bit = bit_place(values, op);
    return (load_word(data + bit.word()) & bit.mask()) != 0;
}

// Of an op whose c counts words, 64 rows each, and whose y are all rows.
inline std::uint32_t rows_of_word(const Value* values, const Op& op) {
    const std::uint32_t left = op.y - 64u * values[op.c].row;
    return left < 64 ? left : 64;
}

// Where the key of the mask's first row stands in the table at x; b counts words.
inline std::size_t row_of_word(const Value* values, const Op& op, std::uint64_t mask) {
    return op.x + 64u * values[op.b].row + static_cast<unsigned>(std::countr_zero(mask));
}

// ByteRows: the byte less one is the row; none has no rows.
inline std::uint64_t byte_rows(const std::byte* data, const Op& op) {
    const std::uint64_t code = byte(data, op.y);
    const std::uint64_t some = code != 0 ? 1 : 0;
    return load_word(data + op.x + (code - some) * op.s) & (0 - some);
}

inline std::uint64_t byte_rows_table(const std::byte* data, const std::uint64_t* masks,
                                     const Op& op) {
    return byte_rows(data, op) & masks[op.t + byte(data, op.a)];
}

} // namespace croupier::engine
