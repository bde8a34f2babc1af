// Layout by display columns; see layout.h. Independent of any terminal.
#include "results/report/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <utility>

namespace croupier::results {
namespace {

constexpr std::size_t kColumnGap = 2;
// Narrower columns of words are unreadable; the line becomes too long instead.
constexpr std::size_t kNarrowestColumn = 10;

struct CodePoint {
    std::uint32_t value;
    std::size_t bytes;
};

// The first code point of non-empty text. Each malformed byte is U+FFFD.
CodePoint decode(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return {first, 1};
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
    if (length == 0 || first > 0xF4 || text.size() < length) return {0xFFFD, 1};
    std::uint32_t value = first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {0xFFFD, 1};
        value = (value << 6) | (byte(i) & 0x3FU);
    }
    return {value, length};
}

struct Range {
    std::uint32_t first;
    std::uint32_t last;
};

constexpr std::array kZeroWidth{
    Range{0x0300, 0x036F}, Range{0x200B, 0x200F}, Range{0x20D0, 0x20FF},
    Range{0xFE00, 0xFE0F}, Range{0xFEFF, 0xFEFF},
};
constexpr std::array kDoubleWidth{
    Range{0x1100, 0x115F},   Range{0x2E80, 0xA4CF},   Range{0xAC00, 0xD7A3},
    Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},
    Range{0x1F300, 0x1F64F}, Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD},
};

std::size_t columns_of(std::uint32_t code_point) {
    const auto holds = [&](const Range& range) {
        return code_point >= range.first && code_point <= range.last;
    };
    if (std::ranges::any_of(kZeroWidth, holds)) return 0;
    return std::ranges::any_of(kDoubleWidth, holds) ? 2 : 1;
}

// Bytes of the longest prefix of non-empty text that fits; at least one code point.
std::size_t bytes_that_fit(std::string_view text, std::size_t width) {
    std::size_t used = 0;
    std::size_t end = 0;
    while (end < text.size()) {
        const CodePoint next = decode(text.substr(end));
        const std::size_t columns = columns_of(next.value);
        if (end > 0 && used + columns > width) break;
        used += columns;
        end += next.bytes;
    }
    return end;
}

void wrap_line(std::string_view line, std::size_t width, LongWords long_words,
               std::vector<std::string>& lines) {
    const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
    if (start == line.size()) {
        lines.emplace_back();
        return;
    }
    const std::string indent(line.substr(0, start));
    std::string current = indent;
    std::size_t used = indent.size();
    bool has_word = false;
    std::size_t at = start;
    while (at < line.size()) {
        const std::size_t gap_end = std::min(line.find_first_not_of(' ', at), line.size());
        const std::size_t word_end = std::min(line.find(' ', gap_end), line.size());
        const std::size_t gap = gap_end - at;
        std::string_view word = line.substr(gap_end, word_end - gap_end);
        at = word_end;
        if (word.empty()) break;
        std::size_t word_width = display_width(word);
        if (has_word && used + gap + word_width > width) {
            lines.push_back(std::exchange(current, indent));
            used = indent.size();
            has_word = false;
        }
        if (has_word) {
            current.append(gap, ' ');
            used += gap;
        }
        // At least two, for the widest characters.
        const std::size_t room = std::max<std::size_t>(2, width - std::min(width, indent.size()));
        while (long_words == LongWords::Break && word_width > room) {
            const std::size_t head = bytes_that_fit(word, room);
            lines.push_back(indent + std::string(word.substr(0, head)));
            word.remove_prefix(head);
            word_width = display_width(word);
        }
        current += word;
        used += word_width;
        has_word = true;
    }
    lines.push_back(std::move(current));
}

std::string trimmed_right(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

std::vector<std::size_t> natural_widths(const TextTable& table) {
    std::vector<std::size_t> widths;
    for (const Column& column : table.columns)
        widths.push_back(display_width(column.title));
    for (const auto& row : table.rows) {
        for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i)
            for (const std::string& line : wrap(row[i], SIZE_MAX))
                widths[i] = std::max(widths[i], display_width(line));
    }
    return widths;
}

// Repeatedly narrows the widest column of words by one until the table fits.
void shrink(const TextTable& table, std::size_t width, std::vector<std::size_t>& widths) {
    const std::size_t gaps = widths.empty() ? 0 : kColumnGap * (widths.size() - 1);
    std::size_t total = std::accumulate(widths.begin(), widths.end(), table.indent + gaps);
    while (total > width) {
        std::size_t widest = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i) {
            if (table.columns[i].align != Align::Left || widths[i] <= kNarrowestColumn) continue;
            if (widest == widths.size() || widths[i] > widths[widest]) widest = i;
        }
        if (widest == widths.size()) return;
        --widths[widest];
        --total;
    }
}

void lay_out_row(const TextTable& table, const std::vector<std::size_t>& widths,
                 const std::vector<std::string>& row, std::vector<std::string>& lines) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::string_view text = i < row.size() ? std::string_view(row[i]) : "";
        cells.push_back(wrap(text, std::max<std::size_t>(1, widths[i]), LongWords::Break));
        height = std::max(height, cells.back().size());
    }
    for (std::size_t y = 0; y < height; ++y) {
        std::string line(table.indent, ' ');
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string_view text = y < cells[i].size() ? std::string_view(cells[i][y]) : "";
            const std::size_t taken = std::min(widths[i], display_width(text));
            const std::string padding(widths[i] - taken, ' ');
            if (i > 0) line.append(kColumnGap, ' ');
            if (table.columns[i].align == Align::Right) line += padding;
            line += text;
            if (table.columns[i].align == Align::Left) line += padding;
        }
        lines.push_back(trimmed_right(std::move(line)));
    }
}

} // namespace

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) {
        const CodePoint next = decode(text);
        width += columns_of(next.value);
        text.remove_prefix(next.bytes);
    }
    return width;
}

std::string printable(std::string_view text) {
    std::string visible;
    visible.reserve(text.size());
    while (!text.empty()) {
        const CodePoint next = decode(text);
        const bool malformed = next.value == 0xFFFD && next.bytes == 1;
        if (next.value == '\t')
            visible += ' ';
        else if (malformed || (next.value < 0x20 && next.value != '\n') || next.value == 0x7F)
            visible += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
        else if (next.value >= 0x80 && next.value <= 0x9F)
            visible += fmt::format("\\u{:04x}", next.value);
        else
            visible += text.substr(0, next.bytes);
        text.remove_prefix(next.bytes);
    }
    return visible;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width, LongWords long_words) {
    std::vector<std::string> lines;
    while (true) {
        const std::size_t end = text.find('\n');
        wrap_line(text.substr(0, end), width, long_words, lines);
        if (end == std::string_view::npos) return lines;
        text.remove_prefix(end + 1);
    }
}

LaidOut lay_out(const TextTable& table, std::size_t width) {
    std::vector<std::size_t> widths = natural_widths(table);
    shrink(table, width, widths);
    LaidOut laid_out;
    std::vector<std::string> titles;
    for (const Column& column : table.columns)
        titles.push_back(column.title);
    if (std::ranges::any_of(titles, [](const auto& title) { return !title.empty(); }))
        lay_out_row(table, widths, titles, laid_out.title);
    for (const auto& row : table.rows)
        lay_out_row(table, widths, row, laid_out.body);
    return laid_out;
}

} // namespace croupier::results
