// Files over files, includes, and repeated names of rules.
#include "engine/language/print.h"
#include "engine/language/reader.h"
#include "engine/language/ruleset.h"
#include "engine/language/testing.h"

namespace croupier::engine {

namespace {

// "name=log ..": each rule of the group with the value it writes to `log`.
std::string rules(const Loaded& loaded, const std::string& group = "rules") {
    if (!loaded.ruleset) return shown(loaded);
    const Group* found = loaded.ruleset->group(group);
    if (found == nullptr) return "no group";
    std::string text;
    for (const Rule& rule : found->rules) {
        text += (text.empty() ? "" : " ") + (rule.named ? rule.name : std::string("-")) + '=' +
                scalar_json(rule.action.tree.entries.at(0).node.expr.literal);
    }
    return text;
}

TEST(overlay, rules_included_twice_are_told_apart_by_what_stands_around_them) {
    const Files files = {
        {"part", R"([{"name": "a", "action": [{"name": "b", "action": {"n": 1}}]}])"},
        {"game", R"({"setup": [{"@include": "part"}],
                     "play": [{"name": "go", "action": [{"@include": "part"}]}],
                     "derive": [{"@include": "part"}]})"},
        {"revision", R"({"derive": [{"name": "b", "action": {"n": 2}}]})"}};
    const auto names = [](const Loaded& loaded) {
        std::string text;
        if (!loaded.ruleset) return shown(loaded);
        for_each_rule(*loaded.ruleset, [&](const Rule& rule) { text += rule.name + " "; });
        return text;
    };
    EXPECT_EQ(names(load_files({"game"}, files)), "a b go go/a go/a/b derive/a derive/a/b ");
    // A later file refers to a rule by its written name.
    const Loaded revised = load_files({"game", "revision"}, files);
    ASSERT_EQ(names(revised), "a b go go/a go/a/b derive/a derive/a/b ");
    const auto written = [&](std::string_view group) {
        const Rule& a = revised.ruleset->group(group)->rules.at(0);
        return scalar_json(a.action.group->rules.at(0).action.tree.entries.at(0).node.expr.literal);
    };
    EXPECT_EQ(written("setup"), "1");
    EXPECT_EQ(written("derive"), "2");
    // The same name written twice is still an error.
    EXPECT_EQ(codes(load_files({"x"}, {{"x", R"([{"name": "a"}, {"name": "a"}])"}})), "E0308@1:26");
}

TEST(overlay, rules_are_appended_replaced_removed_and_placed) {
    const Files files = {
        {"a",
         R"([{"name":"r","action":{"log":1}},{"action":{"log":2}},{"name":"s","action":{"log":3}},{"name":"t","action":{"log":4}}])"},
        {"b", R"([{"action":{"log":5}},{"name":"s","action":{"log":6}},{"name":"r","@remove":true},
                  {"name":"u","before":"t","action":{"log":7}},{"name":"v","before":"t","action":{"log":8}},
                  {"name":"w","after":"s","action":{"log":9}},{"name":"x","after":"s","action":{"log":10}},
                  {"name":"y","after":"z","action":{"log":11}},{"name":"z","after":"w","action":{"log":12}}])"},
        {"c", R"([{"name":"t","before":"s","action":{"log":13}}])"}};
    EXPECT_EQ(rules(load_files({"a", "b"}, files)), "-=2 s=6 w=9 z=12 y=11 x=10 u=7 v=8 t=4 -=5");
    EXPECT_EQ(rules(load_files({"a", "b", "c"}, files)),
              "-=2 t=13 s=6 w=9 z=12 y=11 x=10 u=7 v=8 -=5");
}

TEST(overlay, rules_inside_rules_are_found_by_name) {
    const Files files = {
        {"a", R"([{"name": "top", "action": [
                     {"name": "in", "action": {"log": 1}},
                     {"name": "deep", "else": {"x": {"@rules": [{"name": "deepest", "action": {"log": 2}},
                                                                {"name": "gone", "action": {"log": 3}}]}},
                      "condition": {"y": 1}}]}])"},
        {"b", R"([{"name": "in", "action": {"log": 4}}, {"name": "gone", "@remove": true},
                  {"name": "new", "after": "in", "action": {"log": 5}},
                  {"name": "last", "action": {"log": 6}}])"},
        {"c", R"([{"name": "deepest", "before": "in", "action": {"log": 7}}])"},
        {"d", R"([{"name": "deeper", "@remove": true}])"}};
    const auto inner = [&](const Loaded& loaded) {
        EXPECT_TRUE(loaded.ruleset) << shown(loaded);
        std::string names;
        for (const Rule& rule : loaded.ruleset->groups[0].rules[0].action.group->rules)
            names += rule.name + ' ';
        return names;
    };
    const Loaded revised = load_files({"a", "b"}, files);
    EXPECT_EQ(inner(revised), "in new deep ");
    EXPECT_EQ(revised.ruleset->groups[0].rules.size(), 2U);
    EXPECT_EQ(revised.ruleset->groups[0]
                  .rules[0]
                  .action.group->rules[0]
                  .action.tree.entries.at(0)
                  .node.expr.literal,
              Scalar(std::int64_t{4}));
    EXPECT_EQ(inner(load_files({"a", "b", "c"}, files)), "deepest in new deep ");
    EXPECT_EQ(codes(load_files({"a", "d"}, files)), "E0106@1:11");
}

TEST(reader, a_rule_of_a_missing_file_is_not_missed_as_well) {
    const Files files = {
        {"a", R"({"@include": "nowhere", "play": [{"before": "x", "action": {"n": 1}}]})"}};
    EXPECT_EQ(codes(load_files({"a"}, files)), "E0102@1:14");
}

TEST(overlay, replacement_is_whole) {
    const Loaded loaded = load_files(
        {"a", "b"}, {{"a", R"([{"name":"r","condition":{"x":1},"first":true,"action":{"log":1}}])"},
                     {"b", R"([{"name":"r","action":{"log":2}}])"}});
    ASSERT_TRUE(loaded.ruleset);
    EXPECT_FALSE(loaded.ruleset->groups[0].rules[0].condition);
    EXPECT_FALSE(loaded.ruleset->groups[0].rules[0].first);
}

TEST(overlay, groups_in_either_form) {
    const Files files = {
        {"a", R"({"play": [{"name":"r","action":{"log":1}}]})"},
        {"b", R"({"play": {"at_once": true, "rules": [{"name":"s","action":{"log":2}}]}})"},
        {"c", R"({"groups": {"own": [{"name":"t","action":{"log":3}}]}})"},
        {"d",
         R"({"groups": {"own": [{"name":"u","action":{"log":4}}]}, "play": [{"name":"r","action":{"log":5}}]})"}};
    const Loaded loaded = load_files({"a", "b", "c", "d"}, files);
    EXPECT_EQ(rules(loaded, "play"), "r=5 s=2");
    EXPECT_EQ(rules(loaded, "own"), "t=3 u=4");
    ASSERT_TRUE(loaded.ruleset);
    EXPECT_EQ(loaded.ruleset->group("play")->mode, GroupMode::AtOnce);
}

TEST(overlay, objects_merge_and_definitions_are_replaced) {
    const Files files = {
        {"a",
         R"({"options": {"x": 1, "y": {"a": 1, "b": 2}}, "types": {"T": {"members": ["a"]}, "U": 2},
                  "state": {"n": {"a": 1}}, "patterns": {"p": {"a": 1, "b": 2}}, "rules": [{"condition": {"@use": "p"}}]})"},
        {"b", R"({"options": {"z": 3, "y": {"b": 3}}, "types": {"T": {"grid": [2, 1]}},
                  "state": {"n": {"b": [1]}}, "patterns": {"p": {"c": 3}},
                  "rules": [{"action": {"log": "= options.z"}}]})"}};
    const Loaded loaded = load_files({"a", "b"}, files);
    ASSERT_TRUE(loaded.ruleset) << shown(loaded);
    const Ruleset& ruleset = *loaded.ruleset;
    std::string options;
    for (const Option& option : ruleset.options)
        options += option.name + '=' + write_json(option.value, -1) + ' ';
    EXPECT_EQ(options, R"(x=1 y={"a":1,"b":3} z=3 )");
    EXPECT_EQ(ruleset.domain("T")->members, (std::vector<std::string>{"a1", "b1"}));
    EXPECT_EQ(write_json(*ruleset.state, -1), R"({"n":{"a":1,"b":[1]}})");
    EXPECT_EQ(ruleset.groups[0].rules[0].entry_count, 2U); // @use and c
}

TEST(overlay, the_command_line_sets_options_last) {
    LoadSettings settings;
    settings.options = {{"x", std::int64_t{5}}};
    const std::string text =
        R"({"options": {"x": 1}, "rules": [{"action": {"log": "= options.x"}}]})";
    const Loaded loaded = load_ruleset_text("f", text, {}, settings);
    EXPECT_EQ(rules(loaded), "-=5");
    settings.options = {{"y", std::int64_t{5}}};
    EXPECT_EQ(codes(load_ruleset_text("f", text, {}, settings)), "E0217@1:1");
}

TEST(overlay, options_are_held_to_what_they_may_be) {
    const std::string text =
        R"({"options": {"x": 1, "who": "a", "n": 5, "free": "?"}, "types": {"Seat": ["a", "b"]},
            "option_values": {"x": [1, 2, "many"], "who": "Seat", "n": "0..9"}, "rules": []})";
    const auto set = [&](const std::string& name, Scalar value) {
        LoadSettings settings;
        settings.options = {{name, std::move(value)}};
        return codes(load_ruleset_text("f", text, {}, settings));
    };
    EXPECT_EQ(set("x", std::int64_t{2}), "");
    EXPECT_EQ(set("x", "many"), "");
    EXPECT_EQ(set("x", std::int64_t{3}), "E0219@1:1");
    EXPECT_EQ(set("x", "mani"), "E0219@1:1");
    EXPECT_EQ(set("who", "b"), "");
    EXPECT_EQ(set("who", "c"), "E0219@1:1");
    EXPECT_EQ(set("n", std::int64_t{9}), "");
    EXPECT_EQ(set("n", std::int64_t{10}), "E0219@1:1");
    EXPECT_EQ(set("free", std::int64_t{10}), "");
}

TEST(overlay, a_revision_is_held_to_the_values_of_its_game) {
    const Files files = {{"a", R"({"options": {"x": 1}, "option_values": {"x": [1, 2]}})"},
                         {"b", R"({"options": {"x": 3}, "rules": []})"},
                         {"c", R"({"option_values": {"x": [3]}, "rules": []})"}};
    EXPECT_EQ(codes(load_files({"a", "b"}, files)), "E0219@1:19");
    EXPECT_EQ(codes(load_files({"a", "b", "c"}, files)), "");
}

// Errors in command line settings are shown as written there.
TEST(overlay, settings_have_a_place_of_their_own) {
    LoadSettings settings;
    settings.options = {{"x", std::int64_t{1}}, {"y", std::int64_t{5}}, {"who", "c"}};
    settings.words = {"x=01", "y=5", "who=c"};
    const Loaded loaded = load_ruleset_text(
        "f", R"({"options": {"x": 1, "who": "a"}, "option_values": {"who": ["a"]}, "rules": []})",
        {}, settings);
    EXPECT_EQ(codes(loaded), "E0217@2:1 E0219@3:1");
    ASSERT_EQ(loaded.sources.size(), 2U);
    EXPECT_EQ(loaded.sources.name(1), "--set");
    EXPECT_EQ(loaded.sources.text(1), "x=01\ny=5\nwho=c\n");
    // Without an error they add no source, which would look like a file of the ruleset.
    settings.options = {{"x", std::int64_t{1}}};
    EXPECT_EQ(load_ruleset_text("f", R"({"options": {"x": 1}, "rules": []})", {}, settings)
                  .sources.size(),
              1U);
}

TEST(overlay, a_revision_adds_options_only_for_rules_that_read_them) {
    const auto over = [](const std::string& revision) {
        return codes(
            load_files({"b"}, {{"a", R"({"options": {"target": 1, "dead": 2}, "rules": []})"},
                               {"b", R"({"@include": "a", )" + revision + "}"}}));
    };
    EXPECT_EQ(over(R"("options": {"targt": 2})"), "E0217@1:31");
    EXPECT_EQ(over(R"("options": {"target": 2, "dead": 3})"), "");
    EXPECT_EQ(over(R"("options": {"own": 2}, "option_values": {"own": [2]})"), "E0217@1:31");
    EXPECT_EQ(over(R"("options": {"own": 2}, "rules": [{"action": {"n": "= options.own"}}])"), "");
    EXPECT_EQ(
        over(R"("options": {"own": 2}, "rules": [{"condition": {"options": {"own": "$_N"}}}])"),
        "");
    // A longer name is a different one.
    EXPECT_EQ(over(R"("options": {"own": 2, "owner": 3},
                      "rules": [{"action": {"n": "= options.owner"}}])"),
              "E0217@1:31");
    EXPECT_EQ(over(R"("options": {"max_plies": 9, "deck": ""})"), "");
}

TEST(overlay, values_and_doc_of_an_option_are_laid_over_each_other) {
    const Files files = {
        {"a", R"({"options": {"x": 1, "y": 1, "z": 1},
                  "option_values": {"x": {"values": [1], "doc": "An x."}, "y": [1]}})"},
        {"b", R"({"option_values": {"x": [1, 2], "y": {"doc": "A y."}, "z": {"doc": "A z."}},
                  "rules": []})"}};
    const Loaded loaded = load_files({"a", "b"}, files);
    ASSERT_TRUE(loaded.ruleset);
    std::string told;
    for (const Option& option : loaded.ruleset->options)
        told +=
            (option.values ? write_json(*option.values, -1) : "anything") + ' ' + option.doc + '\n';
    EXPECT_EQ(told, "[1,2] An x.\n[1] A y.\nanything A z.\n");
}

TEST(overlay, option_values_speak_of_options) {
    EXPECT_EQ(codes(load_ruleset_text(
                  "f", R"({"options": {"pile": 1}, "option_values": {"pil": [1]}, "rules": []})")),
              "E0217@1:44");
    EXPECT_EQ(
        codes(load_ruleset_text(
            "f", R"({"options": {"x": 1}, "option_values": {"x": {"a": "int"}}, "rules": []})")),
        "E0219@1:47");
    EXPECT_EQ(codes(load_ruleset_text(
                  "f", R"({"options": {"x": 1}, "option_values": {"x": "Sea"}, "rules": []})")),
              "E0404@1:46");
    EXPECT_EQ(codes(load_ruleset_text("f", R"({"option_values": [1], "rules": []})")),
              "E0307@1:19");
}

TEST(include, lies_under_the_including_file) {
    const Files files = {
        {"dir/main.json",
         R"({"@include": ["a.json", "sub/b.json"], "state": {"x": "main"}, "rules": [{"name":"r","action":{"log":"main"}}]})"},
        {"dir/a.json",
         R"({"state": {"x": "a", "y": "a", "z": "a"}, "rules": [{"name":"r","action":{"log":"a"}},{"name":"s","action":{"log":"a"}}]})"},
        {"dir/sub/b.json",
         R"({"state": {"y": "b"}, "rules": [{"name":"s","action":{"log":"b"}}, {"@include": "c.json"}]})"},
        {"dir/sub/c.json", R"([{"name":"t","action":{"log":"c"}}])"}};
    const Loaded loaded = load_files({"dir/main.json"}, files);
    EXPECT_EQ(rules(loaded), R"(r="main" s="b" t="c")");
    ASSERT_TRUE(loaded.ruleset);
    EXPECT_EQ(write_json(*loaded.ruleset->state, -1), R"({"x":"main","y":"b","z":"a"})");
}

TEST(include, stands_anywhere) {
    const Files files = {
        {"m",
         R"({"state": {"@include": "s", "a": {"@include": "s", "x": 9}, "list": [1, {"@include": "l"}], "whole": {"@include": "l"}},
                  "rules": [{"name": "r", "@include": "r", "first": true}, {"@include": "g"}], "play": {"@include": "p", "rules": [{"name":"q","action":{"log":2}}]}})"},
        {"s", R"({"x": 1, "y": 2})"},
        {"l", "[7, 8]"},
        {"r", R"({"condition": {"x": 1}, "action": {"log": 1}})"},
        {"g", R"({"rules": [{"name": "s", "action": {"log": 2}}]})"},
        {"p", R"([{"name":"p","action":{"log":1}}])"}};
    const Loaded loaded = load_files({"m"}, files);
    ASSERT_TRUE(loaded.ruleset) << shown(loaded);
    EXPECT_EQ(write_json(*loaded.ruleset->state, -1),
              R"({"x":1,"y":2,"a":{"x":9,"y":2},"list":[1,7,8],"whole":[7,8]})");
    EXPECT_EQ(rules(loaded), "r=1 s=2");
    EXPECT_EQ(rules(loaded, "play"), "p=1 q=2");
    EXPECT_TRUE(loaded.ruleset->groups[0].rules[0].first);
}

TEST(include, own_rules_win_over_those_of_an_included_list) {
    const Files files = {
        {"m",
         R"([{"name":"b","action":{"log":"own"}}, {"@include":"l"}, {"name":"c","@remove":true}, {"name":"d","action":{"log":"own"}}])"},
        {"l",
         R"([{"name":"a","action":{"log":"l"}},{"name":"b","action":{"log":"l"}},{"name":"c","action":{"log":"l"}},{"name":"d","action":{"log":"l"}}])"}};
    EXPECT_EQ(rules(load_files({"m"}, files)), R"(a="l" b="own" d="own")");
}

TEST(include, the_same_file_twice_is_no_cycle) {
    const Files files = {{"m", R"({"state": {"a": {"@include": "x"}, "b": {"@include": "./x"}}})"},
                         {"x", R"({"n": 1})"}};
    const Loaded loaded = load_files({"m"}, files);
    ASSERT_TRUE(loaded.ruleset) << shown(loaded);
    EXPECT_EQ(write_json(*loaded.ruleset->state, -1), R"({"a":{"n":1},"b":{"n":1}})");
}

TEST(include, doubling_files_are_stopped) {
    Files files = {{"f20", R"({"x": 1})"}};
    for (int i = 0; i < 20; ++i) {
        const std::string next = "f" + std::to_string(i + 1);
        std::string text = R"({"state": {"a": {"@include": ")";
        text += next;
        text += R"("}, "b": {"@include": ")";
        text += next;
        text += "\"}}}";
        files["f" + std::to_string(i)] = text;
    }
    const Loaded loaded = load_files({"f0"}, files);
    ASSERT_EQ(loaded.diagnostics.sorted().size(), 1U);
    EXPECT_EQ(loaded.diagnostics.sorted()[0].code, "E0104");
}

TEST(include, long_chains_cannot_nest_too_deep) {
    Files files;
    for (int i = 0; i < 40; ++i) {
        std::string open;
        std::string close;
        for (int depth = 0; depth < 20; ++depth) {
            open += R"({"a":)";
            close += "}";
        }
        open += R"({"@include": "f)";
        open += std::to_string(i + 1);
        open += "\"}";
        open += close;
        files["f" + std::to_string(i)] = open;
    }
    files["f40"] = "{}";
    files["m"] = R"({"state": {"@include": "f0"}})";
    const Loaded loaded = load_files({"m"}, files);
    ASSERT_FALSE(loaded.diagnostics.empty());
    EXPECT_EQ(loaded.diagnostics.sorted()[0].code, "E0104");
}

TEST(include, needs_an_opener) {
    EXPECT_EQ(codes(load_ruleset_text("f", R"({"@include": "x"})")), "E0102@1:14");
    EXPECT_EQ(codes(load_pattern_text("f", R"({"a": {"@include": "x"}})")), "E0102@1:20");
}

TEST(include, what_follows_from_a_missing_one_is_not_told) {
    EXPECT_EQ(codes(load_ruleset_text(
                  "f", R"({"@include": "x", "moves": [{"condition": {"$P:Seat": "> $B"}}]})")),
              "E0102@1:14");
}

TEST(load, a_missing_file_is_a_diagnostic) {
    EXPECT_EQ(codes(load_files({"x"}, {})), "E0001@1:1");
    EXPECT_EQ(codes(load_files({"x", "y"}, {{"y", "[]"}})), "E0001@1:1");
}

} // namespace

// An export means the same as the files, in strict JSON.

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

// The cost of a hostile or broken file is limited: the load ends, memory is bounded, one error is
// reported.

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
    // The deepest nesting that a file may have.
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
    // Each pattern nests deeply and uses the next; together far deeper than a file may be.
    std::string patterns;
    for (int i = 0; i < 2000; ++i) {
        patterns += "\"p" + std::to_string(i) + "\": " + repeated(R"({"@not":)", 100) +
                    "{\"@use\": \"p" + std::to_string(i + 1) + "\"}" + repeated("}", 100) + ",\n";
    }
    const std::string text = "{\"patterns\": {" + patterns + R"("p2000": {}},
        "rules": [{"condition": {"@use": "p0"}}]})";
    EXPECT_EQ(first_code(load_ruleset_text("f", text)), "E0216");
}

// Uses `entry` 4^7 times.
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
    // Takes a hundredth of this limit even on a slow machine.
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
