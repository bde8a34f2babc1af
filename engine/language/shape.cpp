// Names of ways and shapes, and steps on grids.
#include "engine/language/shape.h"

namespace croupier::engine {

std::string_view name_of(Ways ways) {
    constexpr std::string_view kNames[] = {"", "king", "rook", "bishop", "hex"};
    return kNames[static_cast<std::size_t>(ways)];
}

std::optional<Ways> ways_of(std::string_view name) {
    for (const Ways ways : {Ways::King, Ways::Rook, Ways::Bishop, Ways::Hex})
        if (name == name_of(ways)) return ways;
    return std::nullopt;
}

bool lead(Ways ways, const Direction& direction) {
    if (ways == Ways::Hex) return direction.across != direction.up;
    return ways == Ways::King || ways == (direction.is_diagonal() ? Ways::Bishop : Ways::Rook);
}

std::optional<std::uint32_t> Grid::beyond(std::uint32_t cell, const Direction& direction) const {
    const auto width = static_cast<std::int64_t>(columns);
    const auto height = static_cast<std::int64_t>(rows);
    std::int64_t x = cell % width + direction.across;
    std::int64_t y = cell / width + direction.up;
    if (wrap) {
        x = (x + width) % width;
        y = (y + height) % height;
    }
    if (x < 0 || x >= width || y < 0 || y >= height) return std::nullopt;
    const auto reached = static_cast<std::uint32_t>(y * width + x);
    return reached == cell ? std::nullopt : std::optional(reached);
}

std::string_view name_of(ShapeKind kind) {
    constexpr std::string_view kNames[] = {"any",  "true",   "int",    "double", "number",
                                           "bool", "string", "member", "record", "map"};
    return kNames[static_cast<std::size_t>(kind)];
}

} // namespace croupier::engine
