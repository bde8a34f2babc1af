// What a person mistypes, and what must not be suggested.
#include "engine/text/nearest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace croupier::engine {
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
    // As two edits this would be too far for so short a word.
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
