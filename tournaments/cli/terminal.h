// All output for people goes through here: colour, width, wrapping, errors.
#pragma once

#include "results/report/layout.h"

#include <cstddef>
#include <initializer_list>
#include <iosfwd>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace croupier::cli {

// Names for the text layout shared with reports.

using results::Align;
using results::Column;
using results::display_width;
using results::LaidOut;
using results::lay_out;
using results::LongWords;
using results::printable;
using results::TextTable;
using results::wrap;

enum class Style { Plain, Bold, Dim, Good, Bad, Notice };

// Part of a line in one style.
struct Piece {
    Piece(const char* words) : text(words) {}
    Piece(std::string_view words, Style its_style = Style::Plain) : text(words), style(its_style) {}
    Piece(const std::string& words) : text(words) {}

    std::string_view text; // refers to the caller's text
    Style style = Style::Plain;
};

enum class ColorMode { Auto, Always, Never };

// Facts about the output, found by main; tests set them directly.
struct TerminalFacts {
    bool out_is_terminal = false;
    bool err_is_terminal = false;
    bool color_unwanted = false; // NO_COLOR is set or TERM is dumb
    bool ascii = false;          // out is a terminal whose locale is not UTF-8
    std::size_t width = 80;
};

// The stream refused output. The stream's owner knows why.
struct OutputFailed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A stream for people. All text is made printable(), except in raw(). Every call throws
// OutputFailed if the stream refuses it.
class Page {
  public:
    Page(std::ostream& stream, bool is_terminal, std::size_t width);

    // Prints pieces unchanged and unwrapped: source lines, aligned text.
    void line(std::initializer_list<Piece> pieces) {
        line(std::span(pieces.begin(), pieces.size()));
    }
    void line(std::span<const Piece> pieces);
    void line() { line(std::span<const Piece>()); }
    void heading(std::string_view text);
    // Wraps to the width and indents each line.
    void paragraph(std::string_view text, std::size_t indent = 0);
    void table(const TextTable& table);
    // For machines (JSON, CSV): unchanged, no newline added.
    void raw(std::string_view text);
    void flush();
    // Styles these pieces wherever they occur; returns the text unchanged without colour.
    [[nodiscard]] std::string colored(std::string text, std::initializer_list<Piece> pieces) const;

    [[nodiscard]] bool is_terminal() const { return is_terminal_; }
    [[nodiscard]] std::size_t width() const { return width_; }
    void use_color(bool color) { color_ = color; }
    // Whether drawings must avoid "♠" and similar characters.
    [[nodiscard]] bool ascii() const { return ascii_; }
    void use_ascii(bool ascii) { ascii_ = ascii; }

  private:
    void write(std::string_view text, Style style);

    std::ostream& stream_;
    bool is_terminal_;
    bool color_ = false;
    bool ascii_ = false;
    std::size_t width_;
};

class Terminal {
  public:
    Terminal(std::ostream& out, std::ostream& err, const TerminalFacts& facts);

    void choose_color(ColorMode mode);
    Page& out() { return out_; }
    Page& err() { return err_; }

    // Prints a message to standard error, "croupier: ..." or, in a subcommand, "croupier check:
    // ...", after flushing earlier output. Never throws: there is no other place to report to.
    void error(std::string_view who, std::string_view message) noexcept;
    void warning(std::string_view who, std::string_view message);

  private:
    TerminalFacts facts_;
    Page out_;
    Page err_;
};

} // namespace croupier::cli
