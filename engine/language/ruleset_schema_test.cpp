// The schema of rulesets with the options and types of one ruleset.
#include "engine/language/ruleset_schema.h"

#include "engine/language/testing.h"

#include <string>
#include <vector>

namespace croupier::engine {
namespace {

constexpr const char* kSchema =
    R"({"$defs": {"shape": {"type": "string"}, "ruleset": {"properties": {
    "options": {"type": "object"},
    "option_values": {"type": "object", "additionalProperties": {"type": "array"}}}}}})";

// The schema for these files laid over each other, on one line.
Document schema(const std::vector<std::string>& paths, const Files& files) {
    const Loaded loaded = load_ruleset(paths, opener(files));
    EXPECT_TRUE(loaded.ruleset) << format(loaded.diagnostics.sorted().at(0), loaded.sources);
    Sources sources;
    Diagnostics diagnostics;
    const auto base = read_json(sources, sources.add("schema", kSchema), diagnostics);
    return schema_for(*loaded.ruleset, loaded.sources, *base);
}

std::string at(const Document& document, const std::vector<std::string>& keys) {
    const Document* here = &document;
    for (const std::string& key : keys) {
        const Member* next = here->find(key);
        if (next == nullptr) return "nothing";
        here = &next->value;
    }
    return write_json(*here, -1);
}

TEST(ruleset_schema, says_of_each_option_what_it_may_be) {
    const Document made = schema({"f"}, {{"f", R"({
        "types": {"Seat": ["A", "B"], "Place": 4},
        "options": {"list": "a", "range": 3, "from": 1, "any_int": 0, "seat": "B", "place": 2,
                    "flag": true, "text": "", "part": 0.5, "free": [1], "told": 1},
        "option_values": {"list": ["a", "b", 2], "range": "1..9", "any_int": "int", "seat": "Seat",
                          "place": "Place", "flag": "bool", "text": "string", "part": "number",
                          "told": {"values": [1, 2], "doc": "A sentence."}},
        "rules": []})"}});
    const auto option = [&](const char* name) {
        return at(made, {"$defs", "ruleset", "properties", "options", "properties", name});
    };
    EXPECT_EQ(option("list"), R"({"enum":["a","b",2],"default":"a"})");
    EXPECT_EQ(option("range"), R"({"type":"integer","minimum":1,"maximum":9,"default":3})");
    EXPECT_EQ(option("any_int"), R"({"type":"integer","default":0})");
    EXPECT_EQ(option("seat"), R"({"enum":["A","B"],"default":"B"})");
    EXPECT_EQ(option("place"), R"({"type":"integer","minimum":0,"maximum":3,"default":2})");
    EXPECT_EQ(option("flag"), R"({"type":"boolean","default":true})");
    EXPECT_EQ(option("text"), R"({"type":"string","default":""})");
    EXPECT_EQ(option("part"), R"({"type":"number","default":0.5})");
    EXPECT_EQ(option("free"), R"({"default":[1]})");
    EXPECT_EQ(option("told"), R"({"enum":[1,2],"default":1,"description":"A sentence."})");
    EXPECT_EQ(option("other"), "nothing");
    EXPECT_EQ(at(made, {"$defs", "ruleset", "properties", "option_values", "properties", "free"}),
              R"({"type":"array"})");
    EXPECT_EQ(at(made, {"$defs", "shape"}), R"({"type":"string","examples":["Seat","Place"]})");
}

TEST(ruleset_schema, knows_what_a_revision_has_changed) {
    const Files files = {
        {"a", R"({"options": {"x": 1}, "option_values": {"x": [1, 2]}, "rules": []})"},
        {"b", R"({"options": {"x": 3}, "option_values": {"x": [1, 2, 3]}})"}};
    EXPECT_EQ(at(schema({"a", "b"}, files),
                 {"$defs", "ruleset", "properties", "options", "properties", "x"}),
              R"({"enum":[1,2,3],"default":3})");
}

TEST(ruleset_schema, stays_as_it_is_where_nothing_has_a_name) {
    const Document made = schema({"f"}, {{"f", R"([{"name": "x", "action": {"n": 1}}])"}});
    EXPECT_EQ(at(made, {"$defs", "shape"}), R"({"type":"string"})");
    EXPECT_EQ(at(made, {"$defs", "ruleset", "properties", "options"}),
              R"({"type":"object","properties":{}})");
}

} // namespace
} // namespace croupier::engine
