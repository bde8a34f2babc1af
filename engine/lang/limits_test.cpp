// What a hostile or broken file can cost: an end, bounded memory, and one message at least.
#include "engine/lang/testing.h"

namespace croupier::engine {
namespace {

std::string repeated(const std::string& text, std::size_t count) {
    std::string result;
    for (std::size_t i = 0; i < count; ++i)
        result += text;
    return result;
}

std::string first_code(const Loaded& loaded) {
    const auto all = loaded.diagnostics.sorted();
    return all.empty() ? "" : all[0].code;
}

TEST(limits, nesting_of_every_kind) {
    EXPECT_EQ(first_code(load_ruleset_text("f", repeated("[", 100'000))), "E0010");
    EXPECT_EQ(first_code(load_ruleset_text("f", repeated(R"({"a":)", 100'000))), "E0010");
    EXPECT_EQ(first_code(load_pattern_text("f", repeated(R"({"@not":)", 100'000))), "E0010");
    // As deep as a file may be.
    EXPECT_EQ(first_code(
                  load_pattern_text("f", repeated(R"({"@not":)", 499) + "{}" + repeated("}", 499))),
              "");
    EXPECT_EQ(first_code(load_ruleset_text("f", R"({"shape": )" + repeated(R"({"a":)", 498) +
                                                    "\"int\"" + repeated("}", 499))),
              "");
    EXPECT_EQ(first_code(load_ruleset_text("f", R"([{"action": )" + repeated(R"({"a":)", 490) +
                                                    "1" + repeated("}", 491) + "]")),
              "");
}

TEST(limits, long_chains_of_patterns) {
    // Each pattern nests deep and uses the next; together far deeper than a file may be.
    std::string patterns;
    for (int i = 0; i < 2000; ++i) {
        patterns += "\"p" + std::to_string(i) + "\": " + repeated(R"({"@not":)", 100) +
                    "{\"@use\": \"p" + std::to_string(i + 1) + "\"}" + repeated("}", 100) + ",\n";
    }
    const std::string text = "{\"patterns\": {" + patterns + R"("p2000": {}},
        "rules": [{"condition": {"@use": "p0"}}]})";
    EXPECT_EQ(first_code(load_ruleset_text("f", text)), "E0216");
}

// Seven times four times what `entry` holds.
Loaded load_doubled(const std::string& entry) {
    std::string patterns = "\"p0\": {" + entry + "}";
    for (int i = 1; i <= 7; ++i) {
        const std::string inner = "\"p" + std::to_string(i - 1) + "\"";
        patterns += ",\n\"p" + std::to_string(i) + "\": {\"@use\": [" + inner + ", " + inner +
                    ", " + inner + ", " + inner + "]}";
    }
    return load_ruleset_text("f", "{\"patterns\": {" + patterns +
                                      R"(}, "rules": [{"condition": {"@use": "p7"}}]})");
}

TEST(limits, long_values_in_patterns_that_multiply) {
    // Few entries, but gigabytes if each use had its own copy.
    EXPECT_EQ(first_code(load_doubled("\"a\": \"" + repeated("x", 100'000) + "\"")), "E0216");
    EXPECT_EQ(first_code(load_doubled("\"a\": [" + repeated("\"x\", ", 400) + "\"y\"]")), "E0216");
    EXPECT_EQ(first_code(load_doubled("\"_\": \"1" + repeated(" + 1", 150) + " > 0\"")), "E0216");
    EXPECT_EQ(first_code(load_doubled("\"" + repeated("k", 100'000) + "\": 1")), "E0216");
    EXPECT_EQ(first_code(load_doubled("\"@path(a" + repeated(".b", 90) + ")\": 1")), "E0216");
}

TEST(limits, conditions_that_would_take_minutes_to_compile) {
    const auto condition = [](int entries, const std::string& value) {
        std::string text = R"([{"action": {"b": 1}, "condition": {"a": 1)";
        for (int i = 1; i < entries; ++i)
            text += ", \"$_A" + std::to_string(i) + "\": " + value;
        return first_code(load_ruleset_text("f", text + "}}]"));
    };
    EXPECT_EQ(condition(1000, "1"), "");
    EXPECT_EQ(condition(2001, "1"), "E0216");
    EXPECT_EQ(condition(500, "[1, 2, 3, 4]"), "E0216") << "values count, too";
    EXPECT_EQ(first_code(load_doubled(R"("a": 1)")), "E0216") << "after all uses: 4 to the 7th";
}

TEST(limits, many_mistakes_are_counted_but_not_all_kept) {
    const Loaded loaded =
        load_ruleset_text("f", R"({"rules": [)" + repeated(R"({"conditoin": {}},)", 5000) + "{}]}");
    EXPECT_EQ(loaded.diagnostics.sorted().size(), 1000U);
    EXPECT_TRUE(loaded.diagnostics.full());
    EXPECT_FALSE(loaded.ruleset);
}

TEST(limits, large_rulesets_take_no_quadratic_time) {
    // A second of a slow machine would already be a hundred times what this takes.
    std::string rules;
    std::string keys;
    for (int i = 0; i < 10'000; ++i) {
        const std::string number = std::to_string(i);
        rules += "{\"name\": \"r" + number + "\", \"condition\": {\"k" + number +
                 "\": \"$A\", \"x" + number + "\": \"< $A\"}},\n";
        keys += "\"k" + number + "\": 1, \"x" + number + "\": 2,\n";
    }
    const std::string state = "{" + keys + "\"end\": 0}";
    const Loaded loaded =
        load_ruleset_text("f", "{\"rules\": [" + rules + "{}], \"state\": " + state +
                                   ", \"shape\": {\"k0\": \"int\"}}");
    EXPECT_EQ(shown(loaded), "");
    const Files files = {{"a", "{\"rules\": [" + rules + "{}]}"},
                         {"b", "{\"rules\": [" + rules + "{}]}"}};
    EXPECT_EQ(load_files({"a", "b"}, files).ruleset->groups[0].rules.size(), 10'002U);
}

} // namespace
} // namespace croupier::engine
