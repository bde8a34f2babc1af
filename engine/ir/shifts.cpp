// A table of sets as shifts.
#include "engine/ir/shifts.h"

#include "engine/tree/layout.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <utility>

namespace croupier::engine::ir {

namespace {

constexpr std::size_t kMostShifts = 64;
// On small domains a shift costs no more than a few rows.
constexpr std::size_t kFewShifts = 8;

} // namespace

std::optional<Shifts> shifts_of(const Table& table, std::uint32_t size) {
    const std::uint32_t rows = table.sizes[0] - 1;
    const std::size_t words = words_for(size);
    const std::size_t allowed = std::clamp<std::size_t>(rows / 2, kFewShifts, kMostShifts);
    std::map<std::int64_t, std::vector<std::uint64_t>> found;
    Shifts made;
    for (std::uint32_t row = 0; row < rows; ++row) {
        std::uint32_t count = 0;
        for (std::size_t w = 0; w < words; ++w) {
            std::uint64_t left = table.words[(row + std::size_t{1}) * words + w];
            for (; left != 0; left &= left - 1, ++count) {
                const auto other =
                    static_cast<std::int64_t>(w * kWordRows) + std::countr_zero(left);
                auto& of = found[other - std::int64_t{row}];
                of.resize(words_for(rows));
                of[row / kWordRows] |= std::uint64_t{1} << row % kWordRows;
            }
        }
        if (found.size() > allowed) {
            return std::nullopt;
        }
        made.most = std::max(made.most, count);
    }
    if (found.empty()) {
        return std::nullopt;
    }
    for (auto& [by, of] : found) {
        made.all.push_back({by, std::move(of)});
    }
    return made;
}

} // namespace croupier::engine::ir
