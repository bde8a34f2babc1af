// Reads of a state's block at the places that ops address, with operands as opcodes.def names them.
#pragma once

#include "engine/plan/op.h"
#include "engine/tree/value.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace croupier::engine {

inline std::uint64_t load_word(const std::byte* from) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    return word;
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

inline bool bit_at(const std::byte* data, const Value* values, const Op& op) {
    const std::uint32_t row = values[op.c].row + op.t;
    const std::size_t group = op.x + std::size_t{values[op.b].row} * op.s;
    return ((load_word(data + group + row / 64 * 8) >> (row % 64)) & 1) != 0;
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
