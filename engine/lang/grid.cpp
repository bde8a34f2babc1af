// Steps on grids.
#include "engine/lang/grid.h"

namespace croupier::engine {

std::string_view name_of(Ways ways) {
    switch (ways) {
    case Ways::King:
        return "king";
    case Ways::Rook:
        return "rook";
    case Ways::Bishop:
        return "bishop";
    case Ways::None:
        break;
    }
    return {};
}

std::optional<Ways> ways_of(std::string_view name) {
    for (const Ways ways : {Ways::King, Ways::Rook, Ways::Bishop})
        if (name == name_of(ways)) return ways;
    return std::nullopt;
}

bool lead(Ways ways, const Direction& direction) {
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

} // namespace croupier::engine
