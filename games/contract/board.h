// Draws boards: rows of cells with the names of columns and rows around them.
#pragma once

#include "games/contract/picture.h"

#include <cstdint>
#include <functional>
#include <string>

namespace croupier::games {

// What stands on a cell: nothing, or a piece of a player (by his number), shown as a letter.
struct Piece {
    std::string letter; // empty: nothing
    std::uint32_t player = 0;

    friend bool operator==(const Piece&, const Piece&) = default;
};

using Board = std::function<Piece(std::uint32_t column, std::uint32_t row)>;

// Rows from the top down, row 1 lowest, cells named as `"grid"` names them. With `before`, what
// came is marked + and what went stands there once more, marked -.
void draw_board(Picture& picture, std::uint32_t columns, std::uint32_t rows, const Board& now,
                const Board& before = {});

// "a" to "z", then "aa", "ab", ..
std::string column_name(std::uint32_t column);

} // namespace croupier::games
