// Every form of actions, and the names of groups and rules.
#include "engine/lang/testing.h"

#include "engine/lang/walk.h"

namespace croupier::engine {
namespace {

ActionNode action(const std::string& text) {
    const Ruleset ruleset =
        load_good(R"([{"condition": {"x": "$X"}, "action": {"keep": "$X", "at": )" + text + "}}]");
    if (ruleset.groups.empty()) return {};
    return ruleset.groups[0].rules[0].action.tree.entries.at(1).node;
}

TEST(action, value_forms) {
    EXPECT_EQ(action("3").expr.literal, Scalar(std::int64_t{3}));
    EXPECT_EQ(action("null").kind, ActionKind::Set);
    EXPECT_EQ(action("\"'@remove\"").expr.literal, Scalar(std::string("@remove")));
    EXPECT_EQ(action("\"@remove\"").kind, ActionKind::Remove);
    EXPECT_EQ(action("\"$this + 1\"").expr.op, ExprOp::Add);
    EXPECT_EQ(action("\"= 1 + 1\"").expr.op, ExprOp::Add);
    EXPECT_EQ(action("\"$X\"").expr.op, ExprOp::Variable);
    EXPECT_EQ(action("\"plain\"").expr.literal, Scalar(std::string("plain")));
    EXPECT_EQ(action("{}").kind, ActionKind::Object);
    const ActionNode list = action(R"([1, "$X", {"a": ["b"]}, []])");
    EXPECT_EQ(list.kind, ActionKind::Array);
    ASSERT_EQ(list.elements.size(), 4U);
    EXPECT_EQ(list.elements[2].entries[0].node.kind, ActionKind::Array);
}

TEST(action, key_forms) {
    const ActionNode node = action(R"~({
        "$X": 1, "a-{$X}": 2, "@@b": 3, "c@again": 4, "@parent": {}, "@root": {}, "@path(a.$X)": 5,
        "@rules": [], "@print": "x", "@parent@2": "@remove"
    })~");
    ASSERT_EQ(node.entries.size(), 10U);
    EXPECT_TRUE(node.entries[0].key.is_variable());
    EXPECT_EQ(node.entries[1].key.parts.size(), 2U);
    EXPECT_EQ(node.entries[2].key.parts[0].text, "@b");
    EXPECT_EQ(node.entries[3].key.parts[0].text, "c");
    EXPECT_EQ(node.entries[4].kind, ActionKeyKind::Parent);
    EXPECT_EQ(node.entries[6].path.segments.size(), 2U);
    EXPECT_EQ(node.entries[7].kind, ActionKeyKind::Rules);
    EXPECT_EQ(node.entries[9].node.kind, ActionKind::Remove);
}

TEST(action, print_takes_variables_and_expressions) {
    const auto parts = action(R"({"@print": "a $X{$X + 1}b $$ {{ } {'}' + $X}"})").entries[0].print;
    ASSERT_EQ(parts.size(), 5U);
    EXPECT_EQ(parts[0].text, "a ");
    EXPECT_EQ(parts[1].expr[0].op, ExprOp::Variable);
    EXPECT_EQ(parts[2].expr[0].op, ExprOp::Add);
    EXPECT_EQ(parts[3].text, "b $ { } ");
    EXPECT_EQ(parts[4].expr[0].op, ExprOp::Add);
}

TEST(action, calls) {
    const auto entries = action(R"({"@call": {
        "shuffle": {"of": "stock"},
        "deal": {"from": "stock", "to": "hands.$X", "count": "size(stock) / 4", "start": "$X"},
        "choose": {"from": "", "into": "b", "count": 2},
        "sort": {"of": "a", "by": "rank", "descending": true}
    }})")
                             .entries;
    ASSERT_EQ(entries.size(), 4U);
    EXPECT_EQ(entries[0].function, "shuffle");
    EXPECT_EQ(entries[0].arguments[0].path[0].segments.size(), 1U);
    EXPECT_EQ(entries[1].arguments[1].path[0].segments.size(), 2U);
    EXPECT_EQ(entries[1].arguments[2].expr[0].op, ExprOp::Divide);
    EXPECT_TRUE(entries[2].arguments[0].path[0].segments.empty());
    EXPECT_EQ(entries[3].arguments[1].expr[0].literal, Scalar(std::string("rank")));
    EXPECT_EQ(entries[3].arguments[2].expr[0].literal, Scalar(true));
}

TEST(action, the_host_may_bring_functions) {
    const std::string text =
        R"([{"condition": {"x": "$X"}, "action": {"@call": {"beep": {"at": "$X + 1", "name": "high"}}}}])";
    EXPECT_EQ(codes(load_ruleset_text("f", text)), "E0312@1:50");
    LoadSettings settings;
    settings.functions = {{"beep", {"at", "name"}}};
    const Loaded loaded = load_ruleset_text("f", text, {}, settings);
    ASSERT_TRUE(loaded.ruleset) << shown(loaded);
    EXPECT_EQ(loaded.ruleset->groups[0].rules[0].action.tree.entries[0].arguments[0].expr[0].op,
              ExprOp::Add);
    const auto with = [&](const char* arguments) {
        return codes(load_ruleset_text(
            "f", R"([{"action": {"@call": {"beep": )" + std::string(arguments) + "}}}]", {},
            settings));
    };
    EXPECT_EQ(with(R"({"name": "a", "at": 1, "into": "heard.last"})"), "");
    EXPECT_EQ(with(R"({"at": 1})"), "E0313@1:32");                            // no name
    EXPECT_EQ(with(R"({"at": 1, "name": "a", "loud": true})"), "E0313@1:55"); // no such argument
    EXPECT_EQ(with(R"({"at": 1, "name": "a", "into": ""})"), "E0313@1:63");   // not below a node
}

TEST(action, rules_and_groups_are_named) {
    const Ruleset ruleset = load_good(R"({"moves": [
        {"action": [{"action": {}}, {"name": "own", "action": [{"action": {}}]}]},
        {"name": "named", "action": {"a": {"@rules": [{"action": {}}]}, "b": {"@rules": [{"action": {}}]}},
         "else": [{"action": {}}]},
        {"else": {"@rules": [{"action": {}}]}}
    ]})");
    std::string names;
    for_each_rule(ruleset, [&](const Rule& rule) { names += rule.name + ' '; });
    EXPECT_EQ(names, "moves/0 moves/0/action/0 own own/action/0 "
                     "named named/@rules/0 named/@rules2/0 named/else/0 "
                     "moves/2 moves/2/else/@rules/0 ");
    EXPECT_EQ(ruleset.groups[0].rules[0].action.group->name, "moves/0/action");
}

TEST(action, groups_have_modes) {
    const Ruleset ruleset = load_good(R"({
        "play": {"at_once": true, "rules": [{"action": {"x": {"@rules": {"at_once": true, "rules": []}}}}]},
        "groups": {"agenda": {"strategy": "lex", "limit": 100, "rules": [{"salience": "1 + 1", "action": {}}, {"salience": -5, "action": {}}]}}
    })");
    EXPECT_EQ(ruleset.group("play")->mode, GroupMode::AtOnce);
    EXPECT_EQ(ruleset.group("play")->rules[0].action.tree.entries[0].node.entries[0].group->mode,
              GroupMode::AtOnce);
    EXPECT_EQ(ruleset.group("agenda")->mode, GroupMode::Agenda);
    EXPECT_EQ(ruleset.group("agenda")->limit, 100);
    EXPECT_EQ(ruleset.group("agenda")->rules[1].salience[0].literal, Scalar(std::int64_t{-5}));
}

// What is said of a rule with `$X` as a key below player and this action, and of what stands beside
// the rule in its file.
std::string of_players(const std::string& action, const std::string& beside = "") {
    return codes(load_ruleset_text(
        "p.json", R"({"rules": [{"condition": {"player": {"$X": {}}}, "action": )" + action + "}]" +
                      beside + "}"));
}

TEST(action, a_key_of_other_nodes_at_the_root_is_told_with_both_readings) {
    EXPECT_EQ(
        shown(load_ruleset_text("p.json", R"([{"condition": {"player": {"$X": {"gold": ">20"},
"$Y": {"target": "$X"}}}, "action": {"$X": {"target": "$Y"}, "superfluous": "@remove"}}])")),
        R"~(p.json:2:38: warning[W0006]: this is the node $X of the root, but $X is a key below player (rule rules/0)
    "$Y": {"target": "$X"}}}, "action": {"$X": {"target": "$Y"}, "superfluous": "@remove"}}]
                                         ^~~~
  hint: for the child of player write "player": {"$X": ..}, for the node of the root "@root": {"$X": ..}
)~");
    EXPECT_EQ(of_players(R"({"$X": "@remove"})"), "W0006@1:61");
    EXPECT_EQ(of_players(R"([{"action": [{"condition": {"n": 1}, "action": {"$X": 1}}]}])"),
              "W0006@1:108");
    EXPECT_EQ(of_players(R"({"$X": 1})", R"(, "state": {"player": {"a": {}, "b": {}}, "pot": 1},
"types": {"Seat": ["a", "b"]}, "shape": {"player": {"$:Seat": {"gold": "int"}}, "pot": "int"})"),
              "W0006@1:61");
    EXPECT_EQ(codes(load_ruleset_text("t.json", R"~([
{"condition": {"turn": "$P", "player": {"$P": {}}}, "action": {"$P": 1}},
{"condition": {"@path(team.red)": {"$P": {}}}, "action": {"n": 1, "$P": 1}}])~")),
              "W0006@2:64 W0006@3:67");
}

TEST(action, a_key_that_the_root_may_have_is_not_told) {
    EXPECT_EQ(of_players(R"({"player": {"$X": 1}, "pot": {"$X": 1}, "of-{$X}": 1})"), "");
    EXPECT_EQ(of_players(R"~({"@root": {"$X": 1}, "@path($X.n)": 1})~"), "") << "it says so";
    EXPECT_EQ(of_players(R"({"seen": {"@rules": [{"action": {"$X": true}}]}})"), "");
    EXPECT_EQ(of_players(R"({"player": {"$X": {"@rules": [{"condition": {"hand": {"$C": {}}},
"action": {"$C": 1, "@parent": {"$X": 1}}}]}}})"),
              "");
    const auto may = [](const std::string& beside) { return of_players(R"({"$X": 1})", beside); };
    EXPECT_EQ(may(R"(, "play": [{"condition": {"$K": {"gold": "$K"}}}])"), "");
    EXPECT_EQ(may(R"(, "play": [{"condition": {"pot": 1, "@exists": {"$_": 1}}}])"), "");
    EXPECT_EQ(may(R"(, "state": {"player": {"a": {}}, "a": 1})"), "");
    EXPECT_EQ(may(R"(, "constants": {"player": {"a": {}}}, "state": {"a": 1})"), "");
    EXPECT_EQ(may(R"(, "state": {"player": {"a": {}}}, "play": [{"condition": {"a": 1}}])"), "");
    EXPECT_EQ(may(R"(, "types": {"Seat": ["a", "b"]},
"shape": {"player": {"$:Seat": true}, "a": "int"})"),
              "");
    EXPECT_EQ(codes(load_ruleset_text("v.json", R"([
{"condition": {"who": "$X", "player": {"b": {}}}, "action": {"$X": 1}}])")),
              "")
        << "X is a value, not a key below player";
}

} // namespace
} // namespace croupier::engine
