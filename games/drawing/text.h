// A drawn position as lines of text, without a word on terminals: each piece of a line has a
// meaning, and whoever prints it chooses the colours.
#pragma once

#include "games/drawing/drawing.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::games {

// A drawing says everything in its letters, too, for those who see no colours.
enum class Ink : std::uint8_t {
    Plain,
    Faint,  // frame, empty places, names
    Strong, // who is to move
    First,  // of the first player, the second and so on
    Second,
    Third,
    Fourth,
    Born,  // came by the last move
    Dying, // went by the last move
    Red,   // hearts and diamonds
};

struct Stroke {
    std::string text;
    Ink ink = Ink::Plain;
};
using TextLine = std::vector<Stroke>;

struct TextStyle {
    std::size_t width = 80;                // boards keep theirs
    bool ascii = false;                    // letters in place of suits' signs
    std::vector<std::string> players = {}; // names of the seats
};

// All of it: boards, then cards, then facts. With `before`, the position a move ago, boards mark
// what came with + and what went with -.
std::vector<TextLine> text_of(const Drawing& drawing, const Drawing* before,
                              const TextStyle& style);
// A board alone: rows from the top down, row 1 lowest, cells named as `"grid"` names them.
std::vector<TextLine> text_of(const DrawnBoard& board, const DrawnBoard* before);

Stroke stroke_of(const DrawnCard& card, bool ascii);
// Columns that it takes, combining and wide signs apart.
std::size_t width_of(std::string_view text);
// "a" to "z", then "aa", "ab", ..
std::string column_name(std::uint32_t column);

} // namespace croupier::games
