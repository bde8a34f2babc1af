// Styled, wrapped output to a pair of streams.
#include "tournaments/cli/terminal.h"

#include <algorithm>
#include <ostream>

namespace croupier::cli {
namespace {

// Below this width, wrapping makes text harder to read.
constexpr std::size_t kNarrowest = 20;

std::string_view escape_sequence(Style style) {
    switch (style) {
    case Style::Plain:
        return "";
    case Style::Bold:
        return "\x1b[1m";
    case Style::Dim:
        return "\x1b[2m";
    case Style::Good:
        return "\x1b[32m";
    case Style::Bad:
        return "\x1b[31m";
    case Style::Notice:
        return "\x1b[33m";
    }
    return "";
}

constexpr std::string_view kPlainAgain = "\x1b[0m";

} // namespace

Page::Page(std::ostream& stream, bool is_terminal, std::size_t width)
    : stream_(stream), is_terminal_(is_terminal), width_(std::max(width, kNarrowest)) {}

void Page::write(std::string_view text, Style style) {
    const bool styled = color_ && style != Style::Plain && !text.empty();
    if (styled) raw(escape_sequence(style));
    raw(text);
    if (styled) raw(kPlainAgain);
}

void Page::line(std::span<const Piece> pieces) {
    for (const Piece& piece : pieces)
        write(printable(piece.text), piece.style);
    raw("\n");
}

void Page::heading(std::string_view text) {
    line({{text, Style::Bold}});
}

void Page::paragraph(std::string_view text, std::size_t indent) {
    const std::size_t room = width_ > indent + kNarrowest ? width_ - indent : kNarrowest;
    for (const std::string& wrapped : wrap(printable(text), room)) {
        if (!wrapped.empty()) raw(std::string(indent, ' '));
        raw(wrapped);
        raw("\n");
    }
}

void Page::table(const TextTable& table) {
    TextTable shown = table;
    for (Column& column : shown.columns)
        column.title = printable(column.title);
    for (auto& row : shown.rows)
        for (std::string& cell : row)
            cell = printable(cell);
    const LaidOut laid_out = lay_out(shown, width_);
    for (const std::string& text : laid_out.title) {
        write(text, Style::Bold);
        raw("\n");
    }
    for (const std::string& text : laid_out.body) {
        raw(text);
        raw("\n");
    }
}

void Page::raw(std::string_view text) {
    stream_ << text;
    if (!stream_) throw OutputFailed("cannot write");
}

std::string Page::colored(std::string text, std::initializer_list<Piece> pieces) const {
    if (!color_) return text;
    for (const Piece& piece : pieces) {
        const std::string styled =
            std::string(escape_sequence(piece.style)).append(piece.text).append(kPlainAgain);
        for (std::size_t at = text.find(piece.text); at != std::string::npos;
             at = text.find(piece.text, at + styled.size()))
            text.replace(at, piece.text.size(), styled);
    }
    return text;
}

void Page::flush() {
    stream_.flush();
    if (!stream_) throw OutputFailed("cannot write");
}

Terminal::Terminal(std::ostream& out, std::ostream& err, const TerminalFacts& facts)
    : facts_(facts), out_(out, facts.out_is_terminal, facts.width),
      err_(err, facts.err_is_terminal, facts.width) {
    choose_color(ColorMode::Auto);
    out_.use_ascii(facts.ascii);
}

void Terminal::choose_color(ColorMode mode) {
    const auto wanted = [&](bool is_terminal) {
        if (mode != ColorMode::Auto) return mode == ColorMode::Always;
        return is_terminal && !facts_.color_unwanted;
    };
    out_.use_color(wanted(facts_.out_is_terminal));
    err_.use_color(wanted(facts_.err_is_terminal));
}

void Terminal::error(std::string_view who, std::string_view message) noexcept {
    try {
        out_.flush();
    } catch (...) { // NOLINT(bugprone-empty-catch): the error below matters more
    }
    try {
        err_.line({{who, Style::Bad}, ": ", message});
        err_.flush();
    } catch (...) { // NOLINT(bugprone-empty-catch): nowhere left to complain
    }
}

void Terminal::warning(std::string_view who, std::string_view message) {
    out_.flush();
    err_.line({{who, Style::Notice}, ": ", {"warning:", Style::Notice}, " ", message});
    err_.flush();
}

} // namespace croupier::cli
