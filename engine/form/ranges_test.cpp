// Which values are found to be integers, and their bounds.
#include "engine/form/evaluate.h"
#include "engine/form/passes.h"
#include "engine/form/testing.h"

#include <algorithm>

namespace croupier::engine::form {

// Integers between bounds.

namespace {

// Tries all small bounds and all integers between them.
TEST(integers, bounds_hold_what_is_computed) {
    const auto each_between = [](const Bounds& bounds, const auto& visit) {
        for (std::int64_t i = bounds.low; i <= bounds.high; ++i)
            visit(i);
    };
    for (const ExprOp how : {ExprOp::Add, ExprOp::Subtract, ExprOp::Multiply, ExprOp::Modulo,
                             ExprOp::Min, ExprOp::Max}) {
        for (std::int64_t code = 0; code < 10 * 10 * 10 * 10; ++code) {
            const Bounds a{code % 10 - 5, code / 10 % 10 - 5};
            const Bounds b{code / 100 % 10 - 5, code / 1000 - 5};
            if (a.low > a.high || b.low > b.high) continue;
            const Bounds of[] = {a, b};
            const auto found = computed(how, of);
            ASSERT_TRUE(found);
            const bool by_constant = b.low == b.high && b.low != 0 && b.low != -1 && b.low != 1;
            if (how != ExprOp::Modulo || by_constant) {
                EXPECT_TRUE(found->total);
            }
            each_between(a, [&](std::int64_t left) {
                each_between(b, [&](std::int64_t right) {
                    const std::int64_t integers[] = {left, right};
                    const std::int64_t result = calculate(how, integers);
                    EXPECT_TRUE(found->bounds.low <= result && result <= found->bounds.high)
                        << static_cast<int>(how) << " " << left << " " << right;
                });
            });
        }
    }
}

TEST(integers, comparisons_hold_for_all_between) {
    for (const ExprOp how : {ExprOp::Equal, ExprOp::NotEqual, ExprOp::Less, ExprOp::LessEqual,
                             ExprOp::Greater, ExprOp::GreaterEqual}) {
        for (std::int64_t code = 0; code < 5 * 5 * 5 * 5; ++code) {
            const Bounds a{code % 5, code / 5 % 5};
            const Bounds b{code / 25 % 5, code / 125};
            if (a.low > a.high || b.low > b.high) continue;
            bool always = true;
            bool never = true;
            for (std::int64_t left = a.low; left <= a.high; ++left)
                for (std::int64_t right = b.low; right <= b.high; ++right)
                    (compare_integers(how, left, right) ? never : always) = false;
            const auto wanted = always  ? std::optional(true)
                                : never ? std::optional(false)
                                        : std::nullopt;
            EXPECT_EQ(compared(how, a, b), wanted) << static_cast<int>(how) << " " << code;
        }
    }
}

TEST(integers, the_ends_of_64_bits) {
    const Bounds all;
    const auto of = [](ExprOp how, std::initializer_list<Bounds> bounds) {
        return *computed(how, std::vector<Bounds>(bounds));
    };
    EXPECT_FALSE(of(ExprOp::Add, {all, {0, 1}}).total);
    EXPECT_TRUE(of(ExprOp::Add, {{INT64_MIN, INT64_MAX - 1}, {0, 1}}).total);
    EXPECT_FALSE(of(ExprOp::Negate, {all}).total);
    EXPECT_FALSE(of(ExprOp::Abs, {all}).total);
    EXPECT_TRUE(of(ExprOp::Abs, {{INT64_MIN + 1, INT64_MAX}}).total);
    EXPECT_FALSE(of(ExprOp::Multiply, {{0, std::int64_t{1} << 62}, {0, 2}}).total);
    EXPECT_TRUE(of(ExprOp::Multiply, {{0, std::int64_t{1} << 62}, {-2, 1}}).total);
    EXPECT_FALSE(of(ExprOp::Modulo, {all, {-1, -1}}).total);
    EXPECT_EQ(of(ExprOp::Modulo, {all, all}).bounds, (Bounds{INT64_MIN + 1, INT64_MAX}));
    EXPECT_FALSE(summed({0, std::int64_t{1} << 32}, std::int64_t{1} << 31).total);
    EXPECT_TRUE(summed({0, std::int64_t{1} << 32}, (std::int64_t{1} << 31) - 1).total);
    EXPECT_EQ(calculate(ExprOp::Negate, std::vector<std::int64_t>{INT64_MIN}), INT64_MIN);
}

TEST(integers, calculations_end_in_no_error) {
    Maker m;
    const auto calculated = [&](ExprOp how, std::vector<Id> of) {
        return faults_of(m, m.node(Kind::Calculate, Maker::integer(), std::move(of), {op(how)}));
    };
    EXPECT_EQ(calculated(ExprOp::Add, {m.number(1), m.number(2)}), "");
    EXPECT_EQ(calculated(ExprOp::Divide, {m.number(1), m.number(2)}),
              "Calculate (rule count): operator 8 may end in an error");
    EXPECT_EQ(calculated(ExprOp::Add, {m.number(1)}),
              "Calculate (rule count): 1 operands for operator 5");
}

} // namespace

namespace {

// The search and the action of a rule after the pass, without lines that only find nodes.
std::string ranged(const std::string& condition, const std::string& action = "{}") {
    const Ruleset ruleset = load_good(R"J({
        "types": {"Seat": ["n", "e", "s"], "Box": 3},
        "constants": {"worth": {"n": 5, "e": 900000, "s": -7}},
        "shape": {"small": "0..9", "day": "1..4000000", "total": "int", "half": "number",
                  "box": "Box", "points": {"$:Seat": "0..500000"}, "hand": {"$:Seat": true},
                  "row": {"$:Box": "Seat"}},
        "rules": [{"name": "r", "condition": )J" +
                                      condition + R"(, "action": )" + action + "}]}");
    Catalogue catalogue(ruleset);
    const std::unique_ptr<Module> module = build(catalogue);
    for (const Pass& pass : passes()) {
        pass.run(*module, module->functions.at(0));
        EXPECT_EQ(verify(*module, module->functions.at(0)), std::vector<std::string>{});
        if (pass.name == "ranges") break;
    }
    const std::string text = to_text(*module, module->functions.at(0));
    std::string lines = "\n";
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin) + 1;
        const std::string line = text.substr(begin, end - begin);
        const bool finds = line.find(": node = ") != std::string::npos ||
                           line.find("test Present") != std::string::npos ||
                           line.find("group ") == 0 || line.find("    rule") == 0;
        if (!finds && line.size() > 8) lines += line.substr(line[4] == '}' ? 4 : 8);
        begin = end;
    }
    return lines;
}

TEST(ranges, what_cannot_overflow_ends_in_no_error) {
    EXPECT_EQ(
        ranged(R"J({"small": "$A", "day": "$B", "_": "$X = $A + 1", "_@2": "$Y = $A * $B - 3"})J",
               R"J({"total": "$Y - $X"})J"),
        R"(
$A: code 0..9 = small
test Has($A)
$B: int 1..4000000 = day
test true
$X: int 1..10 = Whole($A) &+ 1
$Y: int -3..35999997 = Whole($A) &* $B &- 3
yield $A, $B, $X, $Y
} do $A@2: code 0..9, $B@2: int 1..4000000, $X@2: int 1..10, $Y@2: int -3..35999997 {
total = $Y@2 &- $X@2
)");
}

TEST(ranges, what_may_overflow_is_an_integer_or_an_error) {
    EXPECT_EQ(
        ranged(R"J({"day": "$A", "total": "$B", "_": "$X = $B + 1", "_@2": "$Y = ($A - $B) * 2",
                         "_@3": "$Z = min($X, $A)"})J",
               R"J({"total": "abs($Z)"})J"),
        R"(
$A: int 1..4000000 = day
test true
$B: int = total
test true
$X: int -9223372036854775807.. = $B + 1
$Y: int = ($A - $B) * 2
$Z: int -9223372036854775807..4000000 = &min($X, $A)
yield $A, $B, $X, $Y, $Z
} do $A@2: int 1..4000000, $B@2: int, $X@2: int -9223372036854775807.., $Y@2: int, $Z@2: int -9223372036854775807..4000000 {
total = &abs($Z@2)
)");
}

TEST(ranges, rests_and_functions) {
    EXPECT_EQ(ranged(R"J({"small": "$A", "total": "$T", "_": "$X = $T % 4", "_@2": "$Y = -($A % 3)",
                         "_@3": "$Z = floor(max($X, $Y, 2))", "_@4": "$W = $A % $T"})J"),
              R"(
$A: code 0..9 = small
test Has($A)
$T: int = total
test true
$X: int -3..3 = $T &% 4
$Y: int -2..0 = &-(Whole($A) &% 3)
$Z: int 2..3 = floor(&max($X, $Y, 2))
$W: int 0..9 = Whole($A) % $T
yield $A, $T, $X, $Y, $Z, $W
} do $A@2: code 0..9, $T@2: int, $X@2: int -3..3, $Y@2: int -2..0, $Z@2: int 2..3, $W@2: int 0..9 {
)");
}

TEST(ranges, what_may_be_no_integer) {
    EXPECT_EQ(ranged(R"J({"half": "$H", "small": "$A", "_": "$X = $H + $A", "_@2": "$Y = $A / 2",
                         "_@3": "$Z = floor($H)", "_@4": "$W = floor($Y) + 1"})J"),
              R"(
$H = half
test Has($H)
$A: code 0..9 = small
test Has($A)
$X = $H + Whole($A)
$Y = Whole($A) / 2
$Z: int = floor($H)
$W: int -9223372036854775807.. = floor($Y) + 1
yield $H, $A, $X, $Y, $Z, $W
} do $H@2, $A@2: code 0..9, $X@2, $Y@2, $Z@2: int, $W@2: int -9223372036854775807.. {
)");
}

TEST(ranges, comparisons_that_bounds_decide) {
    EXPECT_EQ(
        ranged(R"J({"day": "$B", "total": "$T", "_": "$B >= 1 && $T > 5", "_@2": "$B + 1 != $T",
                         "_@3": "$T % 3 < 3"})J"),
        R"(
$B: int 1..4000000 = day
test true
$T: int = total
test true
test true
test $T > 5
test $B &+ 1 != $T
test true
yield $B, $T
} do $B@2: int 1..4000000, $T@2: int {
)");
}

TEST(ranges, types_that_integers_are_of) {
    EXPECT_EQ(ranged(R"J({"day": "$B", "small": "$A", "_": "$L:Box = $A + 2", "_@2": "$K:int = $B",
                         "total": "$this > 3"})J"),
              R"(
$B: int 1..4000000 = day
test true
$A: code 0..9 = small
test Has($A)
$L: int 2..11 = Whole($A) &+ 2
test $L is Box
$K: int 1..4000000 = $B
test true
$value: int = total
test true
test $value > 3
yield $B, $A, $L, $K
} do $B@2: int 1..4000000, $A@2: code 0..9, $L@2: int 2..11, $K@2: int 1..4000000 {
)");
}

TEST(ranges, what_is_gathered) {
    EXPECT_EQ(ranged(R"J({"@count": {"of": {"hand": {"$P": true}}, "into": "$N"},
                         "@sum": {"of": {"points": {"$P": "$X"}}, "value": "$X - 1", "into": "$S"},
                         "@min": {"of": {"points": {"$P": "$X"}}, "value": "$X * 2", "into": "$M"},
                         "_": "$Y = $N + $S + $M"})J"),
              R"(
$N: int 0..3 = count of {
    each $P: Seat in Rows(hand) {
        $value: code of truth = hand[$P]
        test Table0[$value]
        yield
    }
}
$S: int -3..1499997 = sum of {
    each $P@2: Seat in Rows(points) {
        $X: int 0..500000 = points[$P@2]
        test true
        yield $X &- 1
    }
}
$M = min of {
    each $P@3: Seat in Rows(points) {
        $X@2: int 0..500000 = points[$P@3]
        test true
        yield $X@2 &* 2
    }
}
test Has($M)
$Y: int -3..2500000 = $N &+ $S &+ Whole($M)
yield $N, $S, Whole($M), $Y
} do $N@2: int 0..3, $S@2: int -3..1499997, $M@2: int 0..1000000, $Y@2: int -3..2500000 {
)");
}

TEST(ranges, alternatives_that_are_all_integers) {
    EXPECT_EQ(ranged(R"J({"@any": [{"small": "$A"}, {"total": "$A"}], "_": "$X = $A > 5"})J",
                     R"J({"total": "$A"})J"),
              R"(
either {
    $A: code 0..9 = small
    test Has($A)
    yield Whole($A)
} or {
    $A@2: int = total
    test true
    yield $A@2
} then $A@3: int {
    $X: truth = $A@3 > 5
    yield $A@3, $X
}
} do $A@4: int, $X@2: truth {
total = $A@4
)");
}

TEST(ranges, tables_sizes_and_chance) {
    EXPECT_EQ(
        ranged(
            R"J({"hand": {"$P": true}, "worth": {"$P": "$X"}, "_": "size(hand) > 2"})J",
            R"J({"points": {"$P": "$this + 1"}, "total": "random(6) + 1 - $X", "day": "$this % 7"})J"),
        R"(
each $P: Seat in Rows(hand) {
    $value: code of truth = hand[$P]
    test Table3[$value]
    test Has(#true)
    test Has(Table1[$P])
    $X: int -7..900000 = Whole(Table2[$P])
    test true
    test CountRows(Rows(hand)) > 2
    yield $P, $X
}
} do $P@2: Seat, $X@2: int -7..900000 {
ensure points
$old = points[$P@2]
points[$P@2] = Given($old) &+ 1
total = Random(6) &+ 1 &- $X@2
$old@2 = day
day = Given($old@2) &% 7
)");
}

TEST(ranges, members_of_numbered_domains_are_numbers) {
    EXPECT_EQ(
        ranged(
            R"J({"row": {"$I": "$P"}, "day": "$D", "_": "$J = ($I + $D) % 3", "_@2": "$I < $D"})J",
            R"J({"row": {"$J": "$P"}})J"),
        R"(
each $I: Box in Rows(row) {
    $P: text of Seat = row[$I]
    test Has($P)
    $D: int 1..4000000 = day
    test true
    $J: int 0..2 = (Whole($I) &+ $D) &% 3
    test Whole($I) < $D
    yield $I, $P, $D, $J
}
} do $I@2: Box, $P@2: text of Seat, $D@2: int 1..4000000, $J@2: int 0..2 {
ensure row
$code: Box = KeyCode<Box>($J@2)
if true {
} else error {
    $row@2.{new $J@2} = $P@2
}
$member: Box = $code
row[$member] = $P@2
)");
}

} // namespace

} // namespace croupier::engine::form
