#include "engine/language/diff.h"
#include "engine/language/testing.h"

namespace croupier::engine {
namespace {

constexpr std::string_view kSigns[] = {"+", "-", "~", ">"};

std::string describe(const EntryDifference& entry) {
    std::string text(kSigns[static_cast<std::size_t>(entry.kind)]);
    for (std::size_t i = 0; i < entry.path.size(); ++i)
        text += (i == 0 ? "" : ".") + entry.path[i];
    return text + ' ' + entry.before + " -> " + entry.after + '\n';
}

std::string diff(const std::string& before, const std::string& after) {
    const RulesetDifference found = difference(load_good(before), load_good(after));
    std::string text;
    for (const PartDifference& part : found.parts)
        text += part.part + ' ' + describe(part.entry);
    for (const RuleDifference& rule : found.rules) {
        text += std::string(kSigns[static_cast<std::size_t>(rule.kind)]) + rule.group + ':' +
                rule.name + '\n';
        for (const EntryDifference& entry : rule.entries)
            text += "  " + describe(entry);
    }
    return text;
}

TEST(diff, equal_rulesets_do_not_differ) {
    const std::string text =
        R"({"types": {"T": 2}, "rules": [{"condition": {"a": 1}}, {"condition": {"a": 1}}]})";
    EXPECT_EQ(diff(text, "/* comment */" + text), "");
}

TEST(diff, what_rules_use_of_patterns_is_compared) {
    const auto with = [](const std::string& pattern) {
        return R"({"patterns": {"low": )" + pattern +
               R"(}, "rules": [{"condition": {"a": "$N", "@use": "low"}, "action": {"b": 1}}]})";
    };
    EXPECT_EQ(diff(with(R"({"_": "$N < 3"})"), with(R"({"_": "$N<3"})")), "");
    EXPECT_EQ(diff(with(R"({"_": "$N < 3"})"), with(R"({"_": "$N < 4"})")),
              "patterns ~low._ \"$N < 3\" -> \"$N < 4\"\n");
}

TEST(diff, layout_and_spelling_are_no_difference) {
    EXPECT_EQ(diff(R"([{"condition": {"x": "$X", "a": "<$X*2"}, "name": "r", "repeat": 1}])",
                   R"~([{"name": "r", "condition": {"x": "$X", "a": "< ($X * 2)"}}])~"),
              diff("[]", "[]"));
}

TEST(diff, rules_by_name_and_entries_by_path) {
    EXPECT_EQ(diff(R"({"moves": [
                        {"name": "a", "condition": {"x": {"y": 1, "z": 2}}, "action": {"m": 1}},
                        {"name": "b", "action": {"m": 1}},
                        {"action": {"u": 1}},
                        {"name": "c", "action": {"m": 1}}]})",
                   R"({"moves": [
                        {"name": "a", "first": true, "condition": {"x": {"y": 3, "w": 4}}, "action": {"m": "$this + 1"}},
                        {"name": "c", "action": {"m": 1}},
                        {"action": {"u": 2}},
                        {"name": "d", "action": {"m": 1}}],
                       "play": [{"name": "e", "action": {}}]})"),
              "~moves:a\n"
              "  ~condition.x.y 1 -> 3\n"
              "  -condition.x.z 2 -> \n"
              "  +condition.x.w  -> 4\n"
              "  ~action.m 1 -> \"$this + 1\"\n"
              "  +first  -> true\n"
              "-moves:b\n"
              "-moves:moves/2\n"
              "+moves:moves/2\n"
              "+moves:d\n"
              "+play:e\n");
}

TEST(diff, moved_rules_and_entries) {
    EXPECT_EQ(
        diff(
            R"([{"name":"a","action":{}},{"name":"b","action":{}},{"name":"c","action":{}},{"name":"d","action":{}}])",
            R"([{"name":"d","action":{}},{"name":"a","action":{}},{"name":"b","action":{}},{"name":"c","action":{}}])"),
        ">rules:d\n");
    EXPECT_EQ(diff(R"([{"name":"a","condition":{"x":1,"y":2}}])",
                   R"([{"name":"a","condition":{"y":2,"x":1}}])"),
              "~rules:a\n  >condition.y 2 -> 2\n");
}

TEST(diff, other_parts) {
    EXPECT_EQ(
        diff(
            R"({"game": "a", "types": {"T": ["x"], "U": 2}, "options": {"o": 1}, "shape": {"s": "int", "m": {"$:T": true}}, "state": {"n": {"a": 1}}, "play": []})",
            R"({"game": "b", "types": {"T": ["x", "y"]}, "options": {"o": 2, "p": 3}, "shape": {"s": "0..3", "m": {"$:T": true}}, "state": {"n": {"a": [1]}}, "play": {"at_once": true, "rules": []}})"),
        "game ~ \"a\" -> \"b\"\n"
        "types +T.members.1  -> \"y\"\n"
        "types -U {\"members\":\"0..1\"} -> \n"
        "shape ~s \"int\" -> \"0..3\"\n"
        "state ~n.a 1 -> [1]\n"
        "options ~o 1 -> 2\n"
        "options +p  -> 3\n"
        "groups ~play.mode sequential -> at_once\n");
}

} // namespace
} // namespace croupier::engine
