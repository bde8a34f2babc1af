#include "engine/text/diagnostic.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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

// Mistyped words, and words that must not be suggested.

namespace {

using Words = std::vector<std::string>;

TEST(nearest, finds_one_wrong_missing_or_extra_letter) {
    const Words words{"check", "match", "apply", "why"};
    EXPECT_EQ(nearest("chekc", words), "check");
    EXPECT_EQ(nearest("mach", words), "match");
    EXPECT_EQ(nearest("applyy", words), "apply");
    EXPECT_EQ(nearest("whi", words), "why");
}

TEST(nearest, counts_two_swapped_letters_as_one_edit) {
    // Counted as two edits, this would be too far for so short a word.
    EXPECT_EQ(nearest("wyh", Words{"why"}), "why");
    EXPECT_EQ(nearest("@nto", Words{"@not"}), "@not");
}

TEST(nearest, ignores_case_but_returns_the_known_spelling) {
    EXPECT_EQ(nearest("BELOT", Words{"Belote"}), "Belote");
    EXPECT_EQ(nearest("check", Words{"CHECK"}), "CHECK");
}

TEST(nearest, suggests_nothing_for_an_unrelated_word) {
    EXPECT_EQ(nearest("frobnicate", Words{"check", "match", "apply", "why"}), std::nullopt);
    EXPECT_EQ(nearest("dog", Words{"why"}), std::nullopt);
    EXPECT_EQ(nearest("x", Words{"y"}), std::nullopt);
    EXPECT_EQ(nearest("ab", Words{"xy"}), std::nullopt);
}

TEST(nearest, prefers_the_closest_and_then_the_first) {
    EXPECT_EQ(nearest("salienc", Words{"valence", "salience"}), "salience");
    EXPECT_EQ(nearest("bat", Words{"cat", "hat"}), "cat");
    EXPECT_EQ(nearest("hat", Words{"cat", "hat"}), "hat");
}

TEST(nearest, bears_empty_and_enormous_words) {
    EXPECT_EQ(nearest("", Words{"a"}), std::nullopt);
    EXPECT_EQ(nearest("a", Words{}), std::nullopt);
    EXPECT_EQ(nearest("word", Words{""}), std::nullopt);
    EXPECT_EQ(nearest(std::string(1'000'000, 'a'), Words{"aa"}), std::nullopt);
    EXPECT_EQ(nearest("aa", Words{std::string(1'000'000, 'a')}), std::nullopt);
}

} // namespace

} // namespace croupier::engine
