// A table of sets as shifts: where the rows of each set lie, seen from the row that has it.
#pragma once

#include "engine/ir/ir.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace croupier::engine::ir {

// So many rows after it each of these rows has a row of its set.
struct Shift {
    std::int64_t by = 0;
    std::vector<std::uint64_t> rows;
};

struct Shifts {
    std::vector<Shift> all;
    std::uint32_t most = 0; // rows that a row's set has
};

// Of a table with a set of `size` rows for each code of a list. A board's relations are a few
// shifts, whatever its size; nothing where there are so many that it is better to go from row to
// row.
std::optional<Shifts> shifts_of(const Table& table, std::uint32_t size);

} // namespace croupier::engine::ir
