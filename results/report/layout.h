// Lays text out for people: widths as a terminal counts them, wrapped paragraphs, tables.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

// Columns that UTF-8 text takes on a terminal: combining marks none, East Asian and emoji two.
// A byte that is not UTF-8 counts one.
std::size_t display_width(std::string_view text);

// The text with control characters (all but newline) made visible as \x1b, so that nothing read
// from a file or an argument can drive the terminal. A tab becomes a space.
std::string printable(std::string_view text);

enum class LongWords { Keep, Break };

// Lines of at most `width` columns, broken at spaces; newlines in the text stay. Leading spaces of
// a line are repeated on its continuations. A word that is too long stands alone and sticks out, as
// a broken path cannot be copied, unless it is to be broken.
std::vector<std::string> wrap(std::string_view text, std::size_t width,
                              LongWords long_words = LongWords::Keep);

enum class Align { Left, Right };

struct Column {
    std::string title;
    Align align = Align::Left; // numbers stand right and are never broken
};

struct TextTable {
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows;
    std::size_t indent = 0;
};

struct LaidOut {
    std::vector<std::string> title; // empty when no column has one
    std::vector<std::string> body;
};

// The table in `width` columns: left-aligned columns give way, the widest first, their cells
// continuing on the next line. Nothing is cut off, so a hopelessly narrow terminal gets long lines.
LaidOut lay_out(const TextTable& table, std::size_t width);

} // namespace croupier::results
