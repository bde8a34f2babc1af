// The searches of conditions: nodes, loops, bindings.
#include "engine/form/testing.h"

namespace croupier::engine::form {

namespace {

TEST(build_condition, a_place_is_looked_up_and_must_be_there) {
    EXPECT_EQ(searched(R"J({"x": "$X", "a": {"b": 1, "c-{$X}": "@absent"}, "d": {}})J"),
              R"(
$x: node = @root.x
test Has($x)
$X = ValueOf($x)
test Has($X)
$a: node = @root.a
test Has($a)
$b: node = $a.b
test Has($b)
$value = ValueOf($b)
test $value == 1
test !Has($a.{'c-', $X})
$d: node = @root.d
test Has($d)
yield $X
)");
}

TEST(build_condition, a_loop_holds_all_that_follows_it) {
    EXPECT_EQ(searched(R"J({"a": {"$C:int": {"$_:string": {}}}, "b": {"$C:string": 2}})J"),
              R"(
$a: node = @root.a
test Has($a)
each $at_C: node at $C in $a of int {
    each $each: node in $at_C of string {
        $b: node = @root.b
        test Has($b)
        test $C is string
        $at_C@2: node = $b.{$C}
        test Has($at_C@2)
        $value = ValueOf($at_C@2)
        test $value == 2
        yield $C
    }
}
)");
}

TEST(build_condition, ways_out_of_a_node) {
    EXPECT_EQ(searched(R"J({"a": {"$X": {"@parent": {"b": 1, "@parent": "@absent"},
                           "@root": {"$Y": {}}, "@path(c.$X.d)": "$Y", "@path(e)": "@absent"}}})J"),
              R"(
$a: node = @root.a
test Has($a)
each $at_X: node at $X in $a {
    $parent: node = $at_X.@parent
    test Has($parent)
    $b: node = $parent.b
    test Has($b)
    $value = ValueOf($b)
    test $value == 1
    test !Has($parent.@parent)
    each $at_Y: node at $Y in @root {
        $d: node = @root.c.{$X}.d
        test Has($d)
        $value@2 = ValueOf($d)
        test $value@2 == $Y
        test !Has(@root.e)
        yield $X, $Y
    }
}
)");
}

// A variable of the same name may be bound afterwards.
TEST(build_condition, what_is_bound_inside_a_search_stays_there) {
    EXPECT_EQ(searched(R"J({"@not": {"a": "$X"}, "@exists": {"b": {"$X": 1}},
                           "@forall": {"of": {"$X": "$Y"}, "holds": {"c": {"$X": "$Y"}}},
                           "d": "$X"})J"),
              R"(
no match {
    $a: node = @root.a
    test Has($a)
    $X = ValueOf($a)
    test Has($X)
    yield
}
some match {
    $b: node = @root.b
    test Has($b)
    each $at_X: node at $X@2 in $b {
        $value = ValueOf($at_X)
        test $value == 1
        yield
    }
}
no match {
    each $at_X@2: node at $X@3 in @root {
        $Y = ValueOf($at_X@2)
        test Has($Y)
        no match {
            $c: node = @root.c
            test Has($c)
            $at_X@3: node = $c.{$X@3}
            test Has($at_X@3)
            $value@2 = ValueOf($at_X@3)
            test $value@2 == $Y
            yield
        }
        yield
    }
}
$d: node = @root.d
test Has($d)
$X@4 = ValueOf($d)
test Has($X@4)
yield $X@4
)");
}

// Matched by name, in the order of the first alternative.
TEST(build_condition, alternatives_give_what_all_bind) {
    EXPECT_EQ(searched(R"J({"@any": [{"x": "$X", "y": "$Y", "p": "$P"}, {"z": {"$Y": "$X"}}],
                           "u": "$X"})J"),
              R"(
either {
    $x: node = @root.x
    test Has($x)
    $X = ValueOf($x)
    test Has($X)
    $y: node = @root.y
    test Has($y)
    $Y = ValueOf($y)
    test Has($Y)
    $p: node = @root.p
    test Has($p)
    $P = ValueOf($p)
    test Has($P)
    yield $X, $Y
} or {
    $z: node = @root.z
    test Has($z)
    each $at_Y: node at $Y@2 in $z {
        $X@2 = ValueOf($at_Y)
        test Has($X@2)
        yield $X@2, $Y@2
    }
} then $X@3, $Y@3 {
    $u: node = @root.u
    test Has($u)
    $value = ValueOf($u)
    test $value == $X@3
    yield $X@3, $Y@3
}
)");
}

TEST(build_condition, totals_are_bound_or_tested) {
    EXPECT_EQ(searched(R"J({"@count": {"of": {"$_": 1}, "into": "$N"},
                           "@sum": {"of": {"$K": "$V"}, "value": "$V + $K", "into": "$this > $N"},
                           "@min": {"of": {"a": "$V"}, "value": "-$V", "into": "$M:int"}})J"),
              R"(
$N = count of {
    each $each: node in @root {
        $value = ValueOf($each)
        test $value == 1
        yield
    }
}
$total = sum of {
    each $at_K: node at $K in @root {
        $V = ValueOf($at_K)
        test Has($V)
        yield $V + $K
    }
}
test Given($total) > $N
$M = min of {
    $a: node = @root.a
    test Has($a)
    $V@2 = ValueOf($a)
    test Has($V@2)
    yield -$V@2
}
test Has($M)
test $M is int
yield $N, $M
)");
}

} // namespace

// Tests of values in conditions, and expressions.

namespace {

TEST(build_leaf, a_bound_variable_is_equal_and_of_the_type) {
    EXPECT_EQ(searched(R"J({"a": "$X:int", "b": "$X:string", "c": {"$X": "$X"}})J"),
              R"(
$a: node = @root.a
test Has($a)
$X = ValueOf($a)
test Has($X)
test $X is int
$b: node = @root.b
test Has($b)
$value = ValueOf($b)
test $value == $X
test $value is string
$c: node = @root.c
test Has($c)
$at_X: node = $c.{$X}
test Has($at_X)
$value@2 = ValueOf($at_X)
test $value@2 == $X
yield $X
)");
}

// A missing value equals nothing, so only `!=` needs a test that there is one.
TEST(build_leaf, no_value_is_not_different_from_one) {
    EXPECT_EQ(searched(R"J({"a": "== 1", "b": "!= 1", "c": [1, "x", 2]})J"),
              R"(
$a: node = @root.a
test Has($a)
$value = ValueOf($a)
test $value == 1
$b: node = @root.b
test Has($b)
$value@2 = ValueOf($b)
test Has($value@2)
test $value@2 != 1
$c: node = @root.c
test Has($c)
$value@3 = ValueOf($c)
test $value@3 == 1 || ($value@3 == 'x' || $value@3 == 2)
yield
)");
}

TEST(build_leaf, nothing_is_computed_where_there_is_no_value) {
    EXPECT_EQ(searched(R"J({"a": "$X", "b": "< $X + 1", "c": "$X * 2", "d": [1, "$X - 1"],
                           "e": "$this > 1", "f": "$Y = $this + 1"})J"),
              R"(
$a: node = @root.a
test Has($a)
$X = ValueOf($a)
test Has($X)
$b: node = @root.b
test Has($b)
$value = ValueOf($b)
test Has($value)
test $value < $X + 1
$c: node = @root.c
test Has($c)
$value@2 = ValueOf($c)
test Has($value@2)
test $value@2 == $X * 2
$d: node = @root.d
test Has($d)
$value@3 = ValueOf($d)
test Has($value@3)
test $value@3 == 1 || $value@3 == $X - 1
$e: node = @root.e
test Has($e)
$value@4 = ValueOf($e)
test Has($value@4)
test Given($value@4) > 1
$f: node = @root.f
test Has($f)
$value@5 = ValueOf($f)
test Has($value@5)
$Y = Given($value@5) + 1
yield $X, $Y
)");
}

TEST(build_leaf, a_truth_value_decides_and_others_are_equal) {
    EXPECT_EQ(searched(R"J({"a": "$X", "b": "$X > 1", "c": "$X ? $X : 2", "d": "$X == 1 ? 2 : 3",
                           "e": "$X == 1 ? true : $X", "f": "= $X > 1"})J"),
              R"(
$a: node = @root.a
test Has($a)
$X = ValueOf($a)
test Has($X)
$b: node = @root.b
test Has($b)
test $X > 1
$c: node = @root.c
test Has($c)
$value = ValueOf($c)
$result = Truth($X) ? $X : 2
test $result is bool ? $result == true : $value == $result
$d: node = @root.d
test Has($d)
$value@2 = ValueOf($d)
test Has($value@2)
test $value@2 == ($X == 1 ? 2 : 3)
$e: node = @root.e
test Has($e)
$value@3 = ValueOf($e)
$result@2 = $X == 1 ? true : $X
test $result@2 is bool ? $result@2 == true : $value@3 == $result@2
$f: node = @root.f
test Has($f)
$value@4 = ValueOf($f)
test Has($value@4)
test $value@4 == ($X > 1)
yield $X
)");
}

// Two sides that are always true or false become two tests; others are checked for that.
TEST(build_leaf, a_test_must_be_true) {
    EXPECT_EQ(searched(R"J({"a": "$X", "b": "$Y", "_": "$X > 1 && !($Y > 2)",
                           "_@2": "$X && $Y > 1", "_@3": "$X", "_@4": "$X > 1 ? $Y : 2"})J"),
              R"(
$a: node = @root.a
test Has($a)
$X = ValueOf($a)
test Has($X)
$b: node = @root.b
test Has($b)
$Y = ValueOf($b)
test Has($Y)
test $X > 1
test !($Y > 2)
test Truth($X) && $Y > 1
test $X == true
test ($X > 1 ? $Y : 2) == true
yield $X, $Y
)");
}

TEST(build_leaf, an_assignment_binds_or_compares) {
    EXPECT_EQ(searched(R"J({"a": "$X = 2", "_": "$X = 3", "_@2": "$Y:int = $X",
                           "b": "$Y:int = $this"})J"),
              R"(
$a: node = @root.a
test Has($a)
$X = 2
test $X == 3
$Y = $X
test $Y is int
$b: node = @root.b
test Has($b)
$value = ValueOf($b)
test Has($value)
$result = Given($value)
test $result is int
test $Y == $result
yield $X, $Y
)");
}

TEST(build_leaf, operands_that_must_be_true_or_false) {
    EXPECT_EQ(searched(R"J({"a": "$X", "b": "$Y", "_": "$A = $X ? $Y && $X > 1 || !$Y : 1",
                           "_@2": "$X > 1 || $X == 0 || !($Y == 1)"})J"),
              R"(
$a: node = @root.a
test Has($a)
$X = ValueOf($a)
test Has($X)
$b: node = @root.b
test Has($b)
$Y = ValueOf($b)
test Has($Y)
$A = Truth($X) ? Truth($Y) && $X > 1 || !Truth($Y) : 1
test $X > 1 || $X == 0 || !($Y == 1)
yield $X, $Y, $A
)");
}

TEST(build_leaf, functions_and_keys_of_several_parts) {
    EXPECT_EQ(searched(R"J({"a": "$X", "_": "$A = min($X, 2, abs(-$X)) + random(6) % 2",
                           "_@2": "$B = size(c.$X) - -1 + 'it'", "{$A}-{$B}": {}})J"),
              R"(
$a: node = @root.a
test Has($a)
$X = ValueOf($a)
test Has($X)
$A = min($X, 2, abs(-$X)) + Random(6) % 2
$B = SizeOf(@path(c.{$X})) - -1 + 'it'
$A-B: node = @root.{$A, '-', $B}
test Has($A-B)
yield $X, $A, $B
)");
}

} // namespace

} // namespace croupier::engine::form
