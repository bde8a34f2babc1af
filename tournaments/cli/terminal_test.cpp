// Colour, wrapping, and a stream that refuses output.
#include "tournaments/cli/terminal.h"

#include <gtest/gtest.h>

#include <sstream>
#include <streambuf>
#include <string>

namespace croupier::cli {
namespace {

struct Printed {
    std::ostringstream out;
    std::ostringstream err;
};

std::string heading_with(const TerminalFacts& facts, ColorMode mode) {
    Printed printed;
    Terminal terminal(printed.out, printed.err, facts);
    terminal.choose_color(mode);
    terminal.out().heading("x");
    return printed.out.str();
}

TEST(terminal, colour_follows_terminal_then_wish_then_option) {
    const std::string plain = "x\n";
    const std::string bold = "\x1b[1mx\x1b[0m\n";
    TerminalFacts pipe;
    TerminalFacts screen;
    screen.out_is_terminal = true;
    TerminalFacts no_color = screen;
    no_color.color_unwanted = true;
    EXPECT_EQ(heading_with(pipe, ColorMode::Auto), plain);
    EXPECT_EQ(heading_with(screen, ColorMode::Auto), bold);
    EXPECT_EQ(heading_with(no_color, ColorMode::Auto), plain);
    EXPECT_EQ(heading_with(no_color, ColorMode::Always), bold);
    EXPECT_EQ(heading_with(pipe, ColorMode::Always), bold);
    EXPECT_EQ(heading_with(screen, ColorMode::Never), plain);
}

TEST(terminal, each_stream_decides_for_itself) {
    Printed printed;
    TerminalFacts facts;
    facts.out_is_terminal = true; // croupier 2>log
    Terminal terminal(printed.out, printed.err, facts);
    terminal.error("croupier", "bad");
    EXPECT_EQ(printed.err.str(), "croupier: bad\n");
}

TEST(terminal, paragraphs_wrap_and_lines_do_not) {
    std::ostringstream out;
    Page page(out, false, 24);
    page.paragraph("aaaa bbbb cccc dddd eeee", 2);
    page.line({"aaaa bbbb cccc dddd eeee ffff"});
    EXPECT_EQ(out.str(), "  aaaa bbbb cccc dddd\n  eeee\naaaa bbbb cccc dddd eeee ffff\n");
}

TEST(terminal, only_raw_output_is_left_alone) {
    std::ostringstream out;
    Page page(out, false, 80);
    page.line({"\x1b"});
    page.paragraph("\x1b");
    page.table({{{""}}, {{"\x1b"}}});
    page.raw("\x1b");
    EXPECT_EQ(out.str(), "\\x1b\n\\x1b\n\\x1b\n\x1b");
}

// A full disk.
class Full : public std::streambuf {};

TEST(terminal, a_stream_that_takes_no_more_is_not_ignored) {
    Full full;
    std::ostream out(&full);
    Page page(out, false, 80);
    EXPECT_THROW(page.line({"x"}), OutputFailed);
    EXPECT_THROW(page.flush(), OutputFailed);
}

TEST(terminal, an_error_survives_two_dead_streams) {
    Full full;
    std::ostream out(&full);
    std::ostringstream err;
    Terminal half_dead(out, err, {});
    half_dead.error("croupier", "bad");
    EXPECT_EQ(err.str(), "croupier: bad\n");
    Terminal dead(out, out, {});
    dead.error("croupier", "bad");
}

} // namespace
} // namespace croupier::cli
