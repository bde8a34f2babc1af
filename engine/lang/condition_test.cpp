// Every key and value form of conditions, and the numbering of entries.
#include "engine/lang/print.h"
#include "engine/lang/testing.h"

namespace croupier::engine {
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
} // namespace croupier::engine
