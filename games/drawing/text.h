// A drawn position as lines of text, independent of terminals: each piece of a line has a meaning,
// and the caller chooses its colour.
#pragma once

#include "games/drawing/drawing.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::games {

// The letters of a drawing show everything without colours, too.
enum class Ink : std::uint8_t {
    Plain,
    Faint,  // frame, empty places, names
    Strong, // the player to move
    First,  // of the first player, and so on
    Second,
    Third,
    Fourth,
    Born,  // appeared with the last move
    Dying, // disappeared with the last move
    Red,   // hearts and diamonds
};

struct Stroke {
    std::string text;
    Ink ink = Ink::Plain;
};
using TextLine = std::vector<Stroke>;

struct TextStyle {
    std::size_t width = 80;                // not for boards
    bool ascii = false;                    // letters for suits
    std::vector<std::string> players = {}; // by seat
};

// Boards, then cards, then facts. If `before`, the position one move ago, is given, boards mark new
// pieces with + and removed ones with -.
std::vector<TextLine> text_of(const Drawing& drawing, const Drawing* before,
                              const TextStyle& style);
// A board only: rows from the top down, row 1 lowest, cells named as `"grid"` names them.
std::vector<TextLine> text_of(const DrawnBoard& board, const DrawnBoard* before);

Stroke stroke_of(const DrawnCard& card, bool ascii);
// Columns needed, with combining and wide characters counted right.
std::size_t width_of(std::string_view text);
// "a" to "z", then "aa", "ab", ..
std::string column_name(std::uint32_t column);

} // namespace croupier::games
