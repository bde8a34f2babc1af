// Steps on grids; see grid.h.
#include "engine/lang/grid.h"

#include <numeric>

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

std::size_t Grid::ray_steps() const {
    std::size_t all = 0;
    for (const Direction& direction : kDirections) {
        if (!lead(ray, direction)) continue;
        const bool across = direction.across != 0, up = direction.up != 0;
        if (wrap) { // as far as the cell before the one where it began
            const std::size_t round = across && up ? std::lcm(columns, rows)
                                      : across     ? columns
                                                   : rows;
            all += std::size_t{columns} * rows * (round - 1);
            continue;
        }
        // So many cells have a cell that many steps that way.
        for (std::size_t steps = 1; (!across || steps < columns) && (!up || steps < rows); ++steps)
            all += (columns - (across ? steps : 0)) * (rows - (up ? steps : 0));
    }
    return all;
}

} // namespace croupier::engine
