// Precedence, literals and limits, by printing what was read.
#include "engine/language/expression_parser.h"
#include "engine/language/print.h"
#include "engine/language/ruleset.h"
#include "engine/language/testing.h"

namespace croupier::engine {

namespace {

std::optional<Expr> parse(const std::string& text, std::string* code = nullptr) {
    Sources sources;
    Diagnostics diagnostics;
    const std::vector<Option> options = {{"limit", json::integer(-7), {}}};
    Reading reading{sources, diagnostics, {}, {}, options};
    auto expr = parse_expression(reading, Quoted(sources, text, {}), 0);
    if (code != nullptr && !diagnostics.empty()) *code = diagnostics.sorted()[0].code;
    return expr;
}

// Shows operators with parentheses around every operation.
std::string structure(const Expr& expr) {
    if (expr.args.empty()) return print(expr);
    std::string text = "(" + std::to_string(static_cast<int>(expr.op));
    for (const Expr& arg : expr.args)
        text += ' ' + structure(arg);
    return text + ')';
}

void expect_same(const std::string& a, const std::string& b) {
    const auto left = parse(a);
    const auto right = parse(b);
    ASSERT_TRUE(left) << a;
    ASSERT_TRUE(right) << b;
    EXPECT_EQ(structure(*left), structure(*right)) << a << "  " << b;
}

TEST(expression, precedence) {
    expect_same("1 + 2 * 3", "1 + (2 * 3)");
    expect_same("1 - 2 - 3", "(1 - 2) - 3");
    expect_same("1 / 2 * 3 % 4", "((1 / 2) * 3) % 4");
    expect_same("$a + 1 < $b * 2", "($a + 1) < ($b * 2)");
    expect_same("$a == 1 && $b || $c && $d != 2", "(($a == 1) && $b) || ($c && ($d != 2))");
    expect_same("!$a == $b", "(!$a) == $b");
    expect_same("-$a * 2", "(-$a) * 2");
    expect_same("$a ? 1 : $b ? 2 : 3", "$a ? 1 : ($b ? 2 : 3)");
    expect_same("$a || $b ? 1 + 1 : 2", "($a || $b) ? (1 + 1) : 2");
    expect_same("$a ? $b ? 1 : 2 : 3", "$a ? ($b ? 1 : 2) : 3");
    expect_same("2--3", "2 - (-3)");
    expect_same("2 - -$x", "2 - (-$x)");
}

TEST(expression, prints_with_the_parentheses_it_needs) {
    for (const std::string text : {"1 + 2 * 3",
                                   "(1 + 2) * 3",
                                   "1 - (2 - 3)",
                                   "1 - 2 - 3",
                                   "-(5)",
                                   "-5",
                                   "--5",
                                   "-$x",
                                   "!($a && $b)",
                                   "($a < 1) == ($b < 2)",
                                   "$a ? 1 : $b ? 2 : 3",
                                   "($a ? $b : $c) ? 1 : 2",
                                   "'it''s' + $this",
                                   "min($a, 2, 3.0) + abs(-$b)",
                                   "size(hands.$P.a-{$X}) > 0",
                                   "size()",
                                   "random(6)",
                                   "options.limit + 1",
                                   "null == true",
                                   "$a * (1 ? 2 : 3)",
                                   "-9223372036854775808",
                                   "1.5e+300 / 2",
                                   "!!$a",
                                   "--$x"}) {
        const auto expr = parse(text);
        ASSERT_TRUE(expr) << text;
        const std::string printed = print(*expr);
        const auto again = parse(printed);
        ASSERT_TRUE(again) << text << " -> " << printed;
        EXPECT_EQ(structure(*again), structure(*expr)) << printed;
        EXPECT_EQ(print(*again), printed);
        EXPECT_EQ(printed, text);
    }
}

TEST(expression, literals) {
    EXPECT_EQ(parse("17")->literal, Scalar(std::int64_t{17}));
    EXPECT_EQ(parse("-9223372036854775808")->literal, Scalar(INT64_MIN));
    EXPECT_EQ(parse("2.0")->literal, Scalar(2.0));
    EXPECT_EQ(parse("1e3")->literal, Scalar(1000.0));
    EXPECT_EQ(parse("1e-999")->literal, Scalar(0.0));
    EXPECT_EQ(parse("'a''b'")->literal, Scalar(std::string("a'b")));
    EXPECT_EQ(parse("true")->literal, Scalar(true));
    EXPECT_EQ(parse("null")->literal, Scalar{});
    const auto option = parse("options.limit");
    EXPECT_EQ(option->literal, Scalar(std::int64_t{-7}));
    EXPECT_EQ(option->option, "limit");
}

TEST(expression, names) {
    EXPECT_EQ(parse("$a_1")->variable, "a_1");
    EXPECT_EQ(parse("$été")->variable, "été");
    EXPECT_EQ(parse("$this")->op, ExprOp::This);
    EXPECT_TRUE(parse("1 + abs($this)")->mentions_this());
    EXPECT_FALSE(parse("1 + abs($that)")->mentions_this());
    const auto size = parse("size( a.$X.b-{$Y}.c@@d )");
    ASSERT_EQ(size->path.segments.size(), 4U);
    EXPECT_TRUE(size->path.segments[0].is_name());
    EXPECT_TRUE(size->path.segments[1].is_variable());
    EXPECT_EQ(size->path.segments[2].parts.size(), 2U);
    EXPECT_EQ(size->path.segments[3].parts[0].text, "c@d");
}

TEST(expression, depth_is_bounded_however_it_arises) {
    for (const std::string& text : {std::string(100'000, '('), std::string(100'000, '-') + "1",
                                    std::string(100'000, '!') + "$a"}) {
        std::string code;
        EXPECT_FALSE(parse(text, &code));
        EXPECT_EQ(code, "E0204");
    }
    std::string sum = "1";
    std::string choice = "1";
    for (int i = 0; i < 100'000; ++i) {
        sum += "+1";
        choice += "?1:1";
    }
    std::string code;
    EXPECT_FALSE(parse(sum, &code));
    EXPECT_EQ(code, "E0204");
    EXPECT_FALSE(parse(choice, &code));
    EXPECT_EQ(code, "E0204");
    EXPECT_TRUE(parse(std::string(150, '(') + "1" + std::string(150, ')')));
}

} // namespace

// Every key and value form of conditions, and the numbering of entries.

namespace {

Pattern condition(const std::string& text) {
    Loaded loaded = load_pattern_text("test.json", text);
    EXPECT_TRUE(loaded.ruleset) << shown(loaded);
    if (!loaded.ruleset) return {};
    return *loaded.ruleset->groups.at(0).rules.at(0).condition;
}

Pattern leaf(const std::string& value) {
    return condition(R"({"x": "$X", "y": "$Y", "leaf": )" + value + "}")
        .entries.at(2)
        .patterns.at(0);
}

Entry key(const std::string& key) {
    return condition(R"({"x": "$X", )" + key + ": {}}").entries.at(1);
}

TEST(condition, value_forms) {
    EXPECT_EQ(leaf("3").expr.literal, Scalar(std::int64_t{3}));
    EXPECT_EQ(leaf("null").kind, PatternKind::Value);
    EXPECT_EQ(leaf("\"text\"").expr.literal, Scalar(std::string("text")));
    EXPECT_EQ(leaf("\"'<20\"").expr.literal, Scalar(std::string("<20")));
    EXPECT_EQ(leaf("\"''\"").expr.literal, Scalar(std::string("'")));
    EXPECT_EQ(leaf("\"a = b\"").expr.literal, Scalar(std::string("a = b")));
    EXPECT_EQ(leaf("\" <20\"").expr.literal, Scalar(std::string(" <20")));
    EXPECT_EQ(leaf("\"!x\"").kind, PatternKind::Value);
    EXPECT_EQ(leaf("\"\"").expr.literal, Scalar(std::string()));
    EXPECT_EQ(leaf("\"<20\"").kind, PatternKind::Compare);
    EXPECT_EQ(leaf("\"<20\"").compare, ExprOp::Less);
    EXPECT_EQ(leaf("\"<= $X*10\"").compare, ExprOp::LessEqual);
    EXPECT_EQ(leaf("\" >= $X\"").compare, ExprOp::GreaterEqual);
    EXPECT_EQ(leaf("\"!= 'a'\"").compare, ExprOp::NotEqual);
    EXPECT_EQ(leaf("\"== true\"").compare, ExprOp::Equal);
    EXPECT_EQ(leaf("\"= 1 < 2\"").kind, PatternKind::Value);
    EXPECT_EQ(leaf("\"$X\"").kind, PatternKind::Bind);
    EXPECT_EQ(leaf("\"$Z: int\"").type.name, "int");
    EXPECT_EQ(leaf("\"$Z = 3 + $this\"").kind, PatternKind::Assign);
    EXPECT_EQ(leaf("\"$Z:int=3\"").type.name, "int");
    EXPECT_EQ(leaf("\"$X == 3\"").kind, PatternKind::Expression);
    EXPECT_EQ(leaf("\"$X + 1\"").kind, PatternKind::Expression);
    EXPECT_EQ(leaf("\"$X ? 1 : 2\"").kind, PatternKind::Expression);
    EXPECT_EQ(leaf("\"$this\"").kind, PatternKind::Expression);
    EXPECT_EQ(leaf("\"!$X\"").kind, PatternKind::Expression);
    EXPECT_EQ(leaf("\"@absent\"").kind, PatternKind::Absent);
    EXPECT_EQ(leaf("\"@any\"").kind, PatternKind::Any);
    EXPECT_EQ(leaf("{}").kind, PatternKind::Object);
    const Pattern list = leaf(R"(["a", 1, "$X", "'$", "= 1 + 1", null])");
    EXPECT_EQ(list.kind, PatternKind::OneOf);
    ASSERT_EQ(list.choices.size(), 6U);
    EXPECT_EQ(list.choices[2].op, ExprOp::Variable);
    EXPECT_EQ(list.choices[3].literal, Scalar(std::string("$")));
    EXPECT_EQ(list.choices[4].op, ExprOp::Add);
}

TEST(condition, key_forms) {
    EXPECT_EQ(key("\"name@2\"").key.parts[0].text, "name");
    EXPECT_EQ(key("\"a@@b$$c\"").key.parts[0].text, "a@b$c");
    EXPECT_EQ(key("\"@@x@@@id\"").key.parts[0].text, "@x@");
    EXPECT_EQ(key("\"a{b}\"").key.parts[0].text, "a{b}");
    EXPECT_EQ(key("\"\"").key.parts[0].text, "");
    EXPECT_EQ(key("\"{$$}\"").key.parts[0].text, "{$}");
    const Entry made = key("\"a-{$X}-b\"");
    ASSERT_EQ(made.key.parts.size(), 3U);
    EXPECT_TRUE(made.key.parts[1].variable);
    EXPECT_EQ(made.key.parts[2].text, "-b");
    EXPECT_TRUE(key("\"{$X}\"").key.is_variable());
    EXPECT_EQ(key("\"$Y: int @2\"").type.name, "int");
    EXPECT_EQ(key("\"$_\"").kind, KeyKind::Wildcard);
    EXPECT_EQ(key("\"$_:string@x\"").type.name, "string");
    EXPECT_EQ(key("\"@not@2\"").kind, KeyKind::Not);
    EXPECT_EQ(key("\"@root\"").kind, KeyKind::Root);
    const Entry path = key("\"@path(a.$X.{$X}c)@9\"");
    EXPECT_EQ(path.kind, KeyKind::Path);
    EXPECT_EQ(path.path.segments.size(), 3U);
    EXPECT_TRUE(key("\"@path()\"").path.segments.empty());
}

TEST(condition, the_key_underscore_takes_every_string_for_an_expression) {
    const auto test = [](const std::string& value) {
        return condition(R"({"x": "$X", "_": )" + value + "}").entries.at(1).patterns.at(0);
    };
    EXPECT_EQ(test("\"1 < 2\"").kind, PatternKind::Expression);
    EXPECT_EQ(test("\"size(a) > 3\"").kind, PatternKind::Expression);
    EXPECT_EQ(test("true").expr.literal, Scalar(true));
    EXPECT_EQ(test("\"$X\"").kind, PatternKind::Expression);
    EXPECT_EQ(test("\"$Y = $X + 1\"").kind, PatternKind::Assign);
    EXPECT_EQ(test("\"$Y:int = 3\"").kind, PatternKind::Assign);
}

TEST(condition, entries_are_numbered_in_written_order_at_every_depth) {
    const Ruleset ruleset = load_good(R"({
        "patterns": {"p": {"x": {"y": 1}}},
        "rules": [{
          "condition": {
            "a": {"b": 1, "@not": {"c": 2}},
            "@any": [{"d": 1}, {"e": 1}],
            "@count": {"of": {"f": {}}, "into": 0},
            "@use": "p",
            "g": 1
          },
          "action": [{"condition": {"h": 1}, "action": {}}]
        }]
    })");
    const Rule& rule = ruleset.groups[0].rules[0];
    std::string order;
    const std::function<void(const Pattern&)> walk = [&](const Pattern& pattern) {
        for (const Entry& entry : pattern.entries) {
            order += print_key(entry) + '=' + std::to_string(entry.id) + ' ';
            for (const Pattern& inner : entry.patterns)
                walk(inner);
        }
    };
    walk(*rule.condition);
    EXPECT_EQ(order, "a=0 b=1 @not=2 c=3 @any=4 d=5 e=6 @count=7 f=8 @use=9 x=10 y=11 g=12 ");
    EXPECT_EQ(rule.entry_count, 13U);
    EXPECT_EQ(rule.action.group->rules[0].entry_count, 1U);
}

TEST(condition, a_rule_lends_its_condition) {
    EXPECT_EQ(condition(R"({"condition": {"a": 1}, "action": {"b": 2}})").entries.size(), 1U);
    EXPECT_EQ(condition(R"({"name": "ann"})").entries.size(), 1U);
    EXPECT_EQ(condition(R"("> 3")").kind, PatternKind::Compare);
}

TEST(condition, spans_are_those_of_the_characters) {
    const Loaded loaded =
        load_pattern_text("f", R"~({"x": "$X", "y": "\u003c $X + 'é\u00e9' * abs($X)"})~");
    ASSERT_TRUE(loaded.ruleset) << shown(loaded);
    const Expr& sum = loaded.ruleset->groups[0].rules[0].condition->entries[1].patterns[0].expr;
    const auto piece = [&](Span span) {
        return std::string(loaded.sources.text(0).substr(span.begin, span.end - span.begin));
    };
    EXPECT_EQ(piece(sum.span), "$X + 'é\\u00e9' * abs($X)");
    EXPECT_EQ(piece(sum.args[0].span), "$X");
    EXPECT_EQ(piece(sum.args[1].span), "'é\\u00e9' * abs($X)");
    EXPECT_EQ(piece(sum.args[1].args[0].span), "'é\\u00e9'");
    EXPECT_EQ(piece(sum.args[1].args[1].args[0].span), "$X");
}

} // namespace

// Every form of actions, and the names of groups and rules.

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

// Diagnostics for a rule with `$X` as a key below player and this action; `beside` is the rest of
// the file.
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
