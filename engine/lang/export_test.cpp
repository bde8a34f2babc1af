// What is exported says the same as the files, in strict JSON.
#include "engine/lang/export.h"
#include "engine/lang/testing.h"

namespace croupier::engine {
namespace {

std::string exported(const std::vector<std::string>& paths, const Files& files) {
    const Exported result = export_rules(paths, opener(files));
    std::string text;
    for (const Diagnostic& each : result.diagnostics.sorted())
        text += format(each, result.sources);
    return text.empty() ? write_json(*result.document, -1) : text;
}

TEST(export_rules, resolves_includes_and_keeps_order_numbers_and_texts) {
    const Files files = {
        {"a", "// of a game\n{\"@include\": [\"b\"], \"z\": [], /* between */ \"state\": "
              "{\"y\": 2.0, \"x\": 1e3, \"t\": \"\\u00e9 // none\", \"n\": 9223372036854775807}}"},
        {"b", R"({"state": {"w": 2, "y": 1}, "options": {"o": null}})"}};
    EXPECT_EQ(exported({"a"}, files),
              "{\"state\":{\"w\":2,\"y\":2.0,\"x\":1000.0,\"t\":\"\u00e9 // none\",\"n\":"
              "9223372036854775807},\"options\":{\"o\":null},\"z\":[]}");
}

TEST(export_rules, puts_rules_where_they_go_and_no_longer_says_so) {
    const Files files = {
        {"a", R"({"play": [{"name": "x"}, {"name": "y"}]})"},
        {"b", R"({"play": [{"name": "z", "after": "x"}, {"name": "y", "@remove": true}]})"}};
    EXPECT_EQ(exported({"a", "b"}, files), R"({"play":[{"name":"x"},{"name":"z"}]})");
}

TEST(export_rules, keeps_a_part_for_the_file_that_it_is_laid_over) {
    const Files files = {{"a", R"({"play": [{"name": "x"}]})"},
                         {"b", R"({"play": [{"name": "z", "before": "x"}]})"}};
    EXPECT_EQ(exported({"b"}, files), R"({"play":[{"name":"z","before":"x"}]})");
    EXPECT_NE(exported({"b", "a"}, files).find("E0106"), std::string::npos);
}

TEST(export_rules, tells_copies_of_a_rule_apart) {
    const Files files = {{"a", R"({"play": [{"@include": "b"}], "score": [{"@include": "b"}]})"},
                         {"b", R"([{"name": "x", "action": {"n": 1}}])"}};
    EXPECT_EQ(
        exported({"a"}, files),
        R"({"play":[{"name":"x","action":{"n":1}}],"score":[{"name":"score/x","action":{"n":1}}]})");
    EXPECT_EQ(exported({"b"}, files), R"([{"name":"x","action":{"n":1}}])");
}

TEST(export_rules, says_what_cannot_be_read) {
    const std::string said = exported({"a"}, {{"a", R"({"@include": "nowhere"})"}});
    EXPECT_NE(said.find("a:1:14: error[E0102]"), std::string::npos) << said;
    EXPECT_NE(exported({"gone"}, {}).find("E0001"), std::string::npos);
}

} // namespace
} // namespace croupier::engine
