// The one place through which everything for people goes: colour, width, wrapping, errors.
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

// The layout of text, which reports need as well: its names for the command line.

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

// A piece of a line in one style.
struct Piece {
    Piece(const char* words) : text(words) {}
    Piece(std::string_view words, Style its_style = Style::Plain) : text(words), style(its_style) {}
    Piece(const std::string& words) : text(words) {}

    std::string_view text; // refers to the caller's, like every view
    Style style = Style::Plain;
};

enum class ColorMode { Auto, Always, Never };

// What main found out about where the output goes; tests write it down instead.
struct TerminalFacts {
    bool out_is_terminal = false;
    bool err_is_terminal = false;
    bool color_unwanted = false; // NO_COLOR is set or TERM is dumb
    bool ascii = false;          // out is a terminal whose locale is not UTF-8
    std::size_t width = 80;
};

// The stream took no more. The stream's owner knows why.
struct OutputFailed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// One stream written for people. All text is made printable() on its way; raw() alone is not.
// Every call throws OutputFailed when the stream does not take it.
class Page {
  public:
    Page(std::ostream& stream, bool is_terminal, std::size_t width);

    // As it is, unwrapped: source lines, aligned things.
    void line(std::initializer_list<Piece> pieces) {
        line(std::span(pieces.begin(), pieces.size()));
    }
    void line(std::span<const Piece> pieces);
    void line() { line(std::span<const Piece>()); }
    void heading(std::string_view text);
    // Wrapped to the width, each line indented.
    void paragraph(std::string_view text, std::size_t indent = 0);
    void table(const TextTable& table);
    // For machines (JSON, CSV): no change whatever, no newline added.
    void raw(std::string_view text);
    void flush();
    // Gives these pieces their style wherever they occur; returns the text as it is without colour.
    [[nodiscard]] std::string colored(std::string text, std::initializer_list<Piece> pieces) const;

    [[nodiscard]] bool is_terminal() const { return is_terminal_; }
    [[nodiscard]] std::size_t width() const { return width_; }
    void use_color(bool color) { color_ = color; }
    // Whether drawings must do without "♠" and the like.
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

    // One message on standard error, "croupier: ..." or, inside a subcommand, "croupier check:
    // ...". What was printed before comes out before. Never throws: there is nowhere left to
    // complain.
    void error(std::string_view who, std::string_view message) noexcept;
    void warning(std::string_view who, std::string_view message);

  private:
    TerminalFacts facts_;
    Page out_;
    Page err_;
};

} // namespace croupier::cli
