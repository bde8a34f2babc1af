// Places and limits; cases/bad/json_* test the wording of errors.
#include "engine/text/document.h"
#include "engine/text/source.h"

#include <gtest/gtest.h>

namespace croupier::engine {
namespace {

struct Read {
    Sources sources;
    Diagnostics diagnostics;
    std::optional<Document> document;
};

Read read(std::string text, const ReadLimits& limits = {}) {
    Read result;
    const auto file = result.sources.add("f", std::move(text));
    result.document = read_json(result.sources, file, result.diagnostics, limits);
    return result;
}

// "E0003@1:5", or the document on one line.
std::string outcome(std::string text, const ReadLimits& limits = {}) {
    const Read result = read(std::move(text), limits);
    if (result.document) return write_json(*result.document, -1);
    std::string codes;
    for (const Diagnostic& diagnostic : result.diagnostics.sorted()) {
        const auto at = result.sources.line_column(diagnostic.span.file, diagnostic.span.begin);
        codes += (codes.empty() ? "" : " ") + diagnostic.code + '@' + std::to_string(at.line) +
                 ':' + std::to_string(at.column);
    }
    return codes;
}

TEST(json_reader, keeps_order_kinds_and_numbers) {
    const std::string text =
        R"({"b":1,"a":[true,false,null,-0.5,2.0,1e+22,"é\n\"\\"],"":{},"c":[]})";
    EXPECT_EQ(outcome(text), text);
    EXPECT_EQ(outcome("[9223372036854775807,-9223372036854775808]"),
              "[9223372036854775807,-9223372036854775808]");
    EXPECT_EQ(outcome("[1.7976931348623157e308,5e-324,0.1,-0.0,1E2,1e-400]"),
              "[1.7976931348623157e+308,5e-324,0.1,-0.0,100.0,0.0]");
}

TEST(json_reader, every_value_and_key_knows_its_place) {
    const std::string text = "// c\n{\"a\" /* : */ : [10, true, \"x\\\"y\"], \"b\":{}}";
    const Read result = read(text);
    ASSERT_TRUE(result.document);
    const auto piece = [&](Span span) { return text.substr(span.begin, span.end - span.begin); };
    const Document& root = *result.document;
    EXPECT_EQ(piece(root.span), text.substr(5));
    EXPECT_EQ(piece(root.members[0].key_span), "\"a\"");
    const Document& list = root.members[0].value;
    EXPECT_EQ(piece(list.span), "[10, true, \"x\\\"y\"]");
    EXPECT_EQ(piece(list.members[0].value.span), "10");
    EXPECT_EQ(piece(list.members[0].key_span), "10");
    EXPECT_EQ(piece(list.members[1].value.span), "true");
    EXPECT_EQ(piece(list.members[2].value.span), "\"x\\\"y\"");
    EXPECT_EQ(piece(root.members[1].value.span), "{}");
}

TEST(json_reader, comments_stand_anywhere) {
    EXPECT_EQ(outcome("/**/[/*1*/1/*2*/,//x\n2/*,*/]//end"), "[1,2]");
    EXPECT_EQ(outcome("[\"// no comment\", \"/* nor */\"]"), R"(["// no comment","/* nor */"])");
    EXPECT_EQ(outcome("[1 //x\r, 2,]"), "E0003@1:12") << "where the parser ends it";
    EXPECT_EQ(outcome(std::string("[1 //x\0, 2,]", 12)), "E0003@1:12");
}

TEST(json_reader, a_byte_order_mark_is_passed_over) {
    EXPECT_EQ(outcome("\xEF\xBB\xBF{\"a\":1}"), "{\"a\":1}");
    EXPECT_EQ(outcome("\xEF\xBB\xBF{\"a\":}"), "E0003@1:6");
}

TEST(json_reader, mistakes_have_places) {
    EXPECT_EQ(outcome(""), "E0002@1:1");
    EXPECT_EQ(outcome(" \n /* */ "), "E0002@1:1");
    EXPECT_EQ(outcome("{\"a\":1,}"), "E0003@1:8");
    EXPECT_EQ(outcome("[1,\n,2]"), "E0003@2:1");
    EXPECT_EQ(outcome("[1 /* , */ 2]"), "E0003@1:12");
    EXPECT_EQ(outcome("{\"a\":1"), "E0004@1:7");
    EXPECT_EQ(outcome("[[1,2"), "E0004@1:6");
    EXPECT_EQ(outcome("[1]]"), "E0005@1:4");
    EXPECT_EQ(outcome("{}, "), "E0005@1:3");
    EXPECT_EQ(outcome("1 2"), "E0005@1:3");
    EXPECT_EQ(outcome("[\"a\nb\"]"), "E0007@1:2");
    EXPECT_EQ(outcome("[\"\\u12G4\"]"), "E0007@1:7");
    EXPECT_EQ(outcome("[18446744073709551616]"), "E0009@1:2");
    EXPECT_EQ(outcome("[-9223372036854775809]"), "E0009@1:2");
    EXPECT_EQ(outcome("[-]"), "E0003@1:2");
    EXPECT_EQ(outcome("[1.]"), "E0003@1:2");
    EXPECT_EQ(outcome("[00]"), "E0003@1:3");
    EXPECT_EQ(outcome("[nul]"), "E0003@1:2");
    EXPECT_EQ(outcome(std::string("[1]\0[2]", 7)), "E0005@1:4");
    EXPECT_EQ(outcome(std::string("[\0]", 3)), "E0003@1:2");
    EXPECT_EQ(outcome("}"), "E0003@1:1");
}

TEST(json_reader, duplicate_keys_are_all_found) {
    EXPECT_EQ(outcome(R"({"a":1,"b":{"c":1,"c":2},"a":3,"a":4})"),
              "E0008@1:19 E0008@1:26 E0008@1:32");
    // Equal once decoded.
    EXPECT_EQ(outcome(R"({"a":1,"\u0061":2})"), "E0008@1:8");
}

TEST(json_reader, stops_early_at_its_limits) {
    EXPECT_EQ(outcome("[[[1]]]", {.max_depth = 3}), "[[[1]]]");
    EXPECT_EQ(outcome("[[[[1]]]]", {.max_depth = 3}), "E0010@1:4");
    EXPECT_EQ(outcome(std::string(100'000, '[')), "E0010@1:501");
    std::string objects;
    for (int i = 0; i < 100'000; ++i)
        objects += "{\"a\":";
    EXPECT_EQ(outcome(objects), "E0010@1:2501");
    EXPECT_EQ(outcome("[1,2,3]", {.max_bytes = 6}), "E0011@1:1");
    EXPECT_EQ(outcome("[\"abcd\"]", {.max_string = 3}), "E0011@1:2");
    EXPECT_EQ(outcome("{\"abcd\":1}", {.max_string = 3}), "E0011@1:2");
    EXPECT_EQ(outcome("[1,2,3]", {.max_values = 3}), "E0011@1:6");
}

TEST(json_reader, text_is_made_utf8_and_cut_between_characters) {
    EXPECT_EQ(valid_utf8("a\xC3\xA9\xE2\x99\xA0"), "a\xC3\xA9\xE2\x99\xA0");
    EXPECT_EQ(valid_utf8("a\xFF\xC3z\xE2\x82"),
              "a\xEF\xBF\xBD\xEF\xBF\xBDz\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_EQ(valid_utf8("ab\xC3\xA9", 4), "ab\xC3\xA9");
    EXPECT_EQ(valid_utf8("ab\xC3\xA9", 3), "ab");
    EXPECT_EQ(valid_utf8("ab\xFF", 4), "ab");
    EXPECT_EQ(valid_utf8("", 0), "");
}

TEST(json_reader, utf8_is_checked_everywhere) {
    EXPECT_EQ(outcome("[1] // \xC3\x28"), "E0006@1:8");
    EXPECT_EQ(outcome("[\"\xC0\xAF\"]"), "E0006@1:3");
    EXPECT_EQ(find_invalid_utf8("\xED\xA0\x80"), 0U);     // half a surrogate pair
    EXPECT_EQ(find_invalid_utf8("\xF4\x90\x80\x80"), 0U); // past the last character
    EXPECT_EQ(find_invalid_utf8("\xE2\x82"), 0U);
    EXPECT_EQ(find_invalid_utf8("a\xF0\x9F\x82\xA1\xE2\x99\xA0\xC3\xA9"), std::string_view::npos);
}

TEST(json_reader, finds_members) {
    const Read result = read(R"({"a":1,"b":2})");
    ASSERT_TRUE(result.document);
    ASSERT_NE(result.document->find("b"), nullptr);
    EXPECT_EQ(result.document->find("b")->value.scalar, Scalar(std::int64_t{2}));
    EXPECT_EQ(result.document->find("c"), nullptr);
}

TEST(json_writer, is_pretty_on_request) {
    const Read result = read(R"({"a":[1,2],"b":{"c":[{}]},"d":{},"e":[]})");
    ASSERT_TRUE(result.document);
    EXPECT_EQ(write_json(*result.document), "{\n"
                                            "  \"a\": [1, 2],\n"
                                            "  \"b\": {\n"
                                            "    \"c\": [\n"
                                            "      {}\n"
                                            "    ]\n"
                                            "  },\n"
                                            "  \"d\": {},\n"
                                            "  \"e\": []\n"
                                            "}");
}

TEST(json_writer, escapes_what_it_must) {
    EXPECT_EQ(quoted_json("a\"\\\n\r\t\b\f\x01\x1f é"), R"("a\"\\\n\r\t\b\f\u0001\u001f é")");
    EXPECT_EQ(number_text(0.1), "0.1");
    EXPECT_EQ(number_text(-3), "-3.0");
    EXPECT_EQ(number_text(1e300), "1e+300");
    EXPECT_EQ(scalar_json(Scalar{}), "null");
}

} // namespace
} // namespace croupier::engine
