#include "engine/text/diagnostic.h"

#include <gtest/gtest.h>

namespace croupier::engine {
namespace {

std::string shown(const std::string& text, std::uint32_t begin, std::uint32_t end) {
    Sources sources;
    const auto file = sources.add("f", text);
    return format({"E0001", Severity::Error, {file, begin, end}, "", "wrong", ""}, sources);
}

TEST(diagnostic, shows_the_line_with_a_caret) {
    EXPECT_EQ(shown("one two three\nnext", 4, 7), "f:1:5: error[E0001]: wrong\n"
                                                  "    one two three\n"
                                                  "        ^~~\n");
}

TEST(diagnostic, names_rule_and_hint) {
    Sources sources;
    const auto file = sources.add("f", "x");
    const Diagnostic diagnostic{"W0001", Severity::Warning, {file, 0, 1}, "r", "odd", "mend it"};
    EXPECT_EQ(format(diagnostic, sources), "f:1:1: warning[W0001]: odd (rule r)\n"
                                           "    x\n"
                                           "    ^\n"
                                           "  hint: mend it\n");
}

TEST(diagnostic, tabs_are_spread_and_letters_count_once) {
    EXPECT_EQ(shown("\t\xC3\xA9\xC3\xA9 x", 6, 7), "f:1:5: error[E0001]: wrong\n"
                                                   "        \xC3\xA9\xC3\xA9 x\n"
                                                   "           ^\n");
}

TEST(diagnostic, long_lines_are_cut_around_the_caret) {
    std::string line(500, 'a');
    line[250] = 'B';
    const std::string text = shown(line, 250, 251);
    const std::size_t shown_line = text.find('\n') + 1;
    const std::size_t carets = text.find('\n', shown_line) + 1;
    EXPECT_LT(carets - shown_line, 120U);
    EXPECT_EQ(text[shown_line + (text.find('^') - carets)], 'B');
    EXPECT_NE(text.find("...a"), std::string::npos);
    EXPECT_NE(text.find("a...\n"), std::string::npos);
}

TEST(diagnostic, a_place_behind_the_last_character_has_its_caret_there) {
    EXPECT_EQ(shown("abc", 3, 3), "f:1:4: error[E0001]: wrong\n    abc\n       ^\n");
}

TEST(diagnostic, carets_end_with_the_line) {
    EXPECT_EQ(shown("ab\ncd", 1, 5), "f:1:2: error[E0001]: wrong\n    ab\n     ^\n");
}

TEST(diagnostic, bytes_that_disturb_a_terminal_are_not_shown) {
    EXPECT_EQ(shown("a\x1b[2J\xff"
                    "b",
                    0, 1),
              "f:1:1: error[E0001]: wrong\n    a?[2J?b\n    ^\n");
    Sources sources;
    const auto file = sources.add("f", "");
    EXPECT_EQ(format({"E0001", Severity::Error, {file, 0, 0}, "", "a\x1b[2J", ""}, sources),
              "f:1:1: error[E0001]: a?[2J\n");
}

TEST(diagnostic, sorted_by_place_and_equal_ones_once) {
    Diagnostics diagnostics;
    diagnostics.error("E0002", {0, 5, 6}, "b");
    diagnostics.error("E0001", {0, 5, 6}, "a", {}, "one rule");
    diagnostics.error("E0001", {0, 5, 6}, "a", {}, "another rule");
    diagnostics.warning("W0001", {0, 1, 2}, "c");
    const auto sorted = diagnostics.sorted();
    ASSERT_EQ(sorted.size(), 3U);
    EXPECT_EQ(sorted[0].code, "W0001");
    EXPECT_EQ(sorted[1].code, "E0001");
    EXPECT_EQ(sorted[2].code, "E0002");
    EXPECT_TRUE(diagnostics.has_errors());
}

TEST(diagnostic, warnings_are_no_errors) {
    Diagnostics diagnostics;
    EXPECT_TRUE(diagnostics.empty());
    diagnostics.warning("W0001", {}, "odd");
    EXPECT_FALSE(diagnostics.has_errors());
    EXPECT_FALSE(diagnostics.empty());
}

} // namespace
} // namespace croupier::engine
