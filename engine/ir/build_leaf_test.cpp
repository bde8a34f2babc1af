// What conditions ask of values, and expressions.
#include "engine/ir/build_testing.h"

namespace croupier::engine::ir {
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

// It equals nothing, so that only a test for what is different has to ask.
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

// Two sides that can only be true or false are two tests; others have to be looked at.
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
} // namespace croupier::engine::ir
