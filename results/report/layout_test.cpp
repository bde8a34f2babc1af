// Widths, wrapping and tables at critical sizes.
#include "results/report/layout.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace croupier::results {
namespace {

using Lines = std::vector<std::string>;

TEST(layout, width_counts_columns_not_bytes) {
    EXPECT_EQ(display_width("abc"), 3U);
    EXPECT_EQ(display_width("\u00e9t\u00e9"), 3U); // precomposed accents
    EXPECT_EQ(display_width("e\u0301"), 1U);       // a combining one
    EXPECT_EQ(display_width("\u2660\u2665"), 2U);  // card suits
    EXPECT_EQ(display_width("\u5c06\u68cb"), 4U);  // two Han characters
    EXPECT_EQ(display_width("a\xff\xc3"), 3U);     // malformed, and cut in the middle
    EXPECT_EQ(display_width("\xed\x95\x9c"), 2U);  // Hangul
}

TEST(layout, printable_disarms_escape_sequences) {
    EXPECT_EQ(printable("a\x1b[31mb"), "a\\x1b[31mb");
    EXPECT_EQ(printable("\r\a\x7f"), "\\x0d\\x07\\x7f");
    EXPECT_EQ(printable("line\nline\tx"), "line\nline x");
    EXPECT_EQ(printable("\u00e9\u2660"), "\u00e9\u2660");
    EXPECT_EQ(printable("\xff"), "\\xff");
    EXPECT_EQ(printable("\u009b31m"), "\\u009b31m"); // the one-character form of ESC [
}

TEST(layout, wraps_at_spaces_within_the_width) {
    EXPECT_EQ(wrap("one two three", 7), (Lines{"one two", "three"}));
    EXPECT_EQ(wrap("one two three", 6), (Lines{"one", "two", "three"}));
    EXPECT_EQ(wrap("one two", 80), (Lines{"one two"}));
    EXPECT_EQ(wrap("", 80), (Lines{""}));
    EXPECT_EQ(wrap("    \nb", 2), (Lines{"", "b"}));
    EXPECT_EQ(wrap("a\n\nb", 80), (Lines{"a", "", "b"}));
}

TEST(layout, wrapped_lines_keep_the_indent_of_their_first) {
    EXPECT_EQ(wrap("  one two", 6), (Lines{"  one", "  two"}));
}

TEST(layout, a_path_too_long_is_kept_whole_unless_it_must_fit) {
    EXPECT_EQ(wrap("see games/belote/rules.json now", 8),
              (Lines{"see", "games/belote/rules.json", "now"}));
    EXPECT_EQ(wrap("abcdefgh ij", 3, LongWords::Break), (Lines{"abc", "def", "gh", "ij"}));
    EXPECT_EQ(wrap("\u5c06\u68cb", 1, LongWords::Break), (Lines{"\u5c06", "\u68cb"}));
}

TEST(layout, numbers_stand_right_and_words_left) {
    const TextTable table{{{"agent", Align::Left}, {"wins", Align::Right}},
                          {{"random", "7"}, {"r\u00e9gle", "1234"}}};
    const LaidOut laid_out = lay_out(table, 80);
    EXPECT_EQ(laid_out.title, (Lines{"agent   wins"}));
    EXPECT_EQ(laid_out.body, (Lines{"random     7", "r\u00e9gle   1234"}));
}

TEST(layout, a_table_shrinks_its_widest_words_and_keeps_its_numbers) {
    const TextTable table{{{"rule", Align::Left}, {"doc", Align::Left}, {"firings", Align::Right}},
                          {{"follow_suit", "a card of the led suit must be played", "123456789"}}};
    const LaidOut laid_out = lay_out(table, 40);
    ASSERT_GT(laid_out.body.size(), 1U);
    for (const std::string& line : laid_out.body)
        EXPECT_LE(display_width(line), 40U) << line;
    EXPECT_NE(laid_out.body[0].find("123456789"), std::string::npos);
    EXPECT_NE(laid_out.body[0].find("follow_suit"), std::string::npos);
}

TEST(layout, a_table_too_narrow_loses_nothing) {
    const TextTable table{{{"a", Align::Right}, {"b", Align::Left}}, {{"123456", "abcdef"}}};
    EXPECT_EQ(lay_out(table, 3).body, (Lines{"123456  abcdef"}));
}

TEST(layout, a_short_row_and_an_empty_table_are_fine) {
    EXPECT_EQ(lay_out(TextTable{{{"a"}, {"b"}}, {{"x"}}}, 80).body, (Lines{"x"}));
    EXPECT_TRUE(lay_out(TextTable{}, 80).body.empty());
    EXPECT_TRUE(lay_out(TextTable{{{""}, {""}}, {{"x", "y"}}}, 80).title.empty());
}

} // namespace
} // namespace croupier::results
