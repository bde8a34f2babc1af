#include "engine/text/document.h"
#include "engine/text/source.h"

#include <gtest/gtest.h>

namespace croupier::engine {

namespace {

TEST(source, lines_and_columns_count_characters) {
    Sources sources;
    const auto file = sources.add("a.json", "one\r\ntwo \xC3\xA9 x\n\n");
    EXPECT_EQ(sources.place({file, 0, 1}), "a.json:1:1");
    EXPECT_EQ(sources.place({file, 5, 6}), "a.json:2:1");
    EXPECT_EQ(sources.place({file, 12, 13}), "a.json:2:7"); // the x after a two-byte letter
    EXPECT_EQ(sources.place({file, 14, 14}), "a.json:3:1");
    EXPECT_EQ(sources.place({file, 15, 15}), "a.json:4:1"); // after the last line end
    EXPECT_EQ(sources.place({file, 999, 999}), "a.json:4:1");
    EXPECT_EQ(sources.line_at(file, 2), "one");
    EXPECT_EQ(sources.line_at(file, 7), "two \xC3\xA9 x");
    EXPECT_EQ(sources.line_at(file, 15), "");
}

TEST(source, a_byte_order_mark_takes_no_column) {
    Sources sources;
    const auto file = sources.add("a.json", "\xEF\xBB\xBF{}");
    EXPECT_EQ(sources.place({file, 3, 4}), "a.json:1:1");
}

TEST(source, empty_text_has_one_line) {
    Sources sources;
    const auto file = sources.add("a.json", "");
    EXPECT_EQ(sources.place({file, 0, 0}), "a.json:1:1");
    EXPECT_EQ(sources.line_at(file, 0), "");
}

} // namespace

namespace {

// The part of the file that holds text[begin, end) of the string literal.
std::string piece(const std::string& literal, std::size_t begin, std::size_t end) {
    Sources sources;
    Diagnostics diagnostics;
    const auto file = sources.add("f", "  " + literal);
    const auto document = read_json(sources, file, diagnostics);
    EXPECT_TRUE(document);
    const Quoted quoted(sources, document->text(), document->span);
    const Span span = quoted.span(begin, end);
    return std::string(sources.text(file).substr(span.begin, span.end - span.begin));
}

TEST(quoted, plain_strings_map_one_to_one) {
    EXPECT_EQ(piece(R"("abcdef")", 1, 3), "bc");
    EXPECT_EQ(piece(R"("abcdef")", 0, 6), "abcdef");
    EXPECT_EQ(piece(R"("abcdef")", 6, 6), "");
    EXPECT_EQ(piece(R"("abcdef")", 4, 99), "ef");
}

TEST(quoted, escapes_map_to_all_their_characters) {
    EXPECT_EQ(piece(R"("a\"b")", 1, 2), R"(\")");
    EXPECT_EQ(piece(R"("a\"b")", 2, 3), "b");
    EXPECT_EQ(piece(R"("\u0041x")", 0, 1), R"(\u0041)");
    EXPECT_EQ(piece(R"("\u00e9x")", 2, 3), "x");
    EXPECT_EQ(piece(R"("\u20ACx")", 0, 3), R"(\u20AC)");
    EXPECT_EQ(piece(R"("\ud83c\udca1x")", 0, 4), R"(\ud83c\udca1)");
    EXPECT_EQ(piece(R"("\ud83c\udca1x")", 4, 5), "x");
    EXPECT_EQ(piece(R"("\n\\\/x")", 3, 4), "x");
}

TEST(quoted, a_text_that_no_file_holds_has_one_place) {
    Sources sources;
    const auto file = sources.add("f", "\"abc\" 17");
    EXPECT_EQ(Quoted(sources, "other text", {file, 0, 5}).span(2, 3), (Span{file, 0, 5}));
    EXPECT_EQ(Quoted(sources, "17", {file, 6, 8}).span(0, 1), (Span{file, 6, 8}));
    EXPECT_EQ(Quoted(sources, "x", {7, 0, 3}).span(0, 1), (Span{7, 0, 3}));
}

} // namespace

} // namespace croupier::engine
