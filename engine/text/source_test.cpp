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
    EXPECT_EQ(sources.place({file, 15, 15}), "a.json:4:1"); // behind the last line end
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
} // namespace croupier::engine
