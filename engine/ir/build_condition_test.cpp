// The searches of conditions: nodes, loops, what is bound where.
#include "engine/ir/build_testing.h"

namespace croupier::engine::ir {
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

// By name, in the order of the first.
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
} // namespace croupier::engine::ir
