// Lays out text for people: terminal widths, wrapped paragraphs, tables.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

// Columns of UTF-8 text on a terminal: 0 for combining marks, 2 for East Asian characters and
// emoji. A byte that is not UTF-8 counts 1.
std::size_t display_width(std::string_view text);

// Makes control characters (except newline) visible as \x1b, so that text from a file or an
// argument cannot control the terminal. A tab becomes a space.
std::string printable(std::string_view text);

enum class LongWords { Keep, Break };

// Lines of at most `width` columns, broken at spaces; newlines in the text stay. A line's leading
// spaces are repeated on its continuations. A word that is too long gets a line of its own and
// exceeds the width, as a broken path cannot be copied, unless `long_words` says to break it.
std::vector<std::string> wrap(std::string_view text, std::size_t width,
                              LongWords long_words = LongWords::Keep);

enum class Align { Left, Right };

struct Column {
    std::string title;
    Align align = Align::Left; // numbers are right-aligned and never broken
};

struct TextTable {
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows;
    std::size_t indent = 0;
};

struct LaidOut {
    std::vector<std::string> title; // empty if no column has a title
    std::vector<std::string> body;
};

// The table in `width` columns: left-aligned columns shrink, the widest first, and their cells
// continue on the next line. Nothing is cut off, so a very narrow terminal gets long lines.
LaidOut lay_out(const TextTable& table, std::size_t width);

} // namespace croupier::results
