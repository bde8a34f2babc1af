// Precedence, literals and limits, by printing what was read.
#include "engine/lang/expression_parser.h"
#include "engine/lang/print.h"
#include "engine/lang/testing.h"

namespace croupier::engine {
namespace {

std::optional<Expr> parse(const std::string& text, std::string* code = nullptr) {
    Sources sources;
    Diagnostics diagnostics;
    Reading reading{sources, diagnostics, {}};
    Option option;
    option.name = "limit";
    option.value.scalar = std::int64_t{-7};
    auto expr = parse_expression(reading, Quoted(sources, text, {}), 0, {option});
    if (code != nullptr && !diagnostics.empty()) *code = diagnostics.sorted()[0].code;
    return expr;
}

// All operators with parentheses around them.
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
} // namespace croupier::engine
