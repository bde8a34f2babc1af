// What is built of whole rules and groups, and what observers are told.
#include "engine/ir/build_testing.h"

namespace croupier::engine::ir {
namespace {

TEST(build_group, else_knows_nothing_of_the_condition) {
    EXPECT_EQ(built(R"J([{"name": "r", "condition": {"a": "$X"}, "action": {"a": "$X"},
                        "else": [{"name": "s", "condition": {"b": "$X"}}]}])J"),
              R"(
group rules {
    rule r {
        $a: node = @root.a
        test Has($a)
        $X = ValueOf($a)
        test Has($X)
        yield $X
    } do $X@2 {
        Inner(@root)
        @root.a = $X@2
    } else {
        group r/else {
            rule s {
                $b: node = @root.b
                test Has($b)
                $X@3 = ValueOf($b)
                test Has($X@3)
                yield $X@3
            } do $X@4 {
            }
        }
    }
}
)");
}

// Unnamed nodes have names there, which a match carries.
TEST(build_group, the_salience_of_an_agenda) {
    EXPECT_EQ(built(R"J({"think": {"strategy": "depth", "rules": [{"name": "r",
                        "condition": {"$_": "$T"}, "salience": "$T * 2", "action": {"x": "$T"}}]},
                        "score": [{"name": "s", "action": {"y": 1}}]})J"),
              R"(
group think, agenda {
    rule r {
        each $at_#0: node at $#0 in @root {
            $T = ValueOf($at_#0)
            test Has($T)
            yield $#0, $T
        }
    } do $#0@2, $T@2 {
        Inner(@root)
        @root.x = $T@2
    } salience {
        yield $T@2 * 2
    }
}
group score {
    rule s {
        yield
    } do {
        Inner(@root)
        @root.y = 1
    }
}
)");
}

// What each failure cuts, and what was found; a loop cuts its entry when no child is left.
TEST(build_group, who_watches_is_told) {
    EXPECT_EQ(built(R"J([{"name": "r", "condition": {"a": {"$C": "> 5"}, "b": "$X",
                        "@not": {"c": 1}, "@any": [{"d": 1}, {"e": "$X"}], "@exists": "$X = 2"},
                        "action": {"p": {"q": 1, "r": {}}, "@print": "x"}}])J",
                    {.observed = true, .notes = true}),
              R"(
group rules {  ; @0
    rule r {  ; r@1
        try r:0 at @root  ; r:0
        $a: node = @root.a  ; r:0
        test Has($a)  ; r:0, cuts r:0
        try r:1 at $a  ; r:1
        each $at_C: node at $C in $a {  ; r:1
            child of r:1 at $at_C  ; r:1
            $value = ValueOf($at_C)  ; r:1
            test $value > 5  showing $value  ; r:1, one of many of r:1
            pass r:1  ; r:1
            pass r:0  ; r:0
            try r:2 at @root  ; r:2
            $b: node = @root.b  ; r:2
            test Has($b)  ; r:2, cuts r:2
            $X = ValueOf($b)  ; r:2
            test Has($X)  showing $X  ; r:2, cuts r:2
            pass r:2  ; r:2
            try r:3 at @root  ; r:3
            no match {  ; r:3, cuts r:3
                try r:4 at @root  ; r:4
                $c: node = @root.c  ; r:4
                test Has($c)  ; r:4, cuts r:4
                $value@2 = ValueOf($c)  ; r:4
                test $value@2 == 1  showing $value@2  ; r:4, cuts r:4
                pass r:4  ; r:4
                yield  ; r:3
            }
            pass r:3  ; r:3
            try r:5 at @root  ; r:5
            either {  ; r:5
                try r:6 at @root  ; r:6
                $d: node = @root.d  ; r:6
                test Has($d)  ; r:6, cuts r:6
                $value@3 = ValueOf($d)  ; r:6
                test $value@3 == 1  showing $value@3  ; r:6, cuts r:6
                pass r:6  ; r:6
                yield  ; r:5
            } or {
                try r:7 at @root  ; r:7
                $e: node = @root.e  ; r:7
                test Has($e)  ; r:7, cuts r:7
                $value@4 = ValueOf($e)  ; r:7
                test $value@4 == $X  showing $value@4  ; r:7, cuts r:7
                pass r:7  ; r:7
                yield  ; r:5
            } then {
                pass r:5  ; r:5
                try r:8 at @root  ; r:8
                some match {  ; r:8, cuts r:8
                    $value@5 = ValueOf(@root)  ; r:8
                    test $X == 2  showing $value@5  ; r:8, one of many of r:8
                    yield  ; r:8
                }
                pass r:8  ; r:8
                yield $C, $X  ; r@1
            }
            fail  ; r:5, cuts r:5
        }
        fail  ; r:1, cuts r:1
    } do $C@2, $X@2 {
        Inner(@root)  ; r@191
        $p: node = Make(@root.p)  ; r@192
        Inner($p)  ; r@192
        before r@198  ; r@198
        $p.q = 1  ; r@198
        after r@198  ; r@198
        before r@206  ; r@206
        $r: node = Make($p.r)  ; r@206
        after r@206  ; r@206
        Print('x')  ; r@216
    }
}
)");
}

// Behind the rule stands the place of each.
TEST(build_group, errors_are_where_the_expression_is) {
    EXPECT_EQ(built(R"J([{"name": "r", "condition": {"x": "$X", "@sum": {"of": {"$_": "$V"},
                        "value": "-$V", "into": "$X + 1"}},
                        "action": {"a": {"b": "$this + 1 / $X"}}}])J",
                    {.observed = false, .notes = true}),
              R"(
group rules {  ; @0
    rule r {  ; r@1
        $x: node = @root.x  ; r:0
        test Has($x)  ; r:0
        $X = ValueOf($x)  ; r:0
        test Has($X)  ; r:0
        $total = sum of {  ; r@103
            each $each: node in @root {  ; r:2
                $V = ValueOf($each)  ; r:2
                test Has($V)  ; r:2
                yield -$V  ; r:1, r@103
            }
        }
        test $total == $X + 1  ; r:1, r@118
        yield $X  ; r@1
    } do $X@2 {
        Inner(@root)  ; r@163
        $a: node = Make(@root.a)  ; r@164
        Inner($a)  ; r@164
        $old = ValueOf($a.b)  ; r@170
        $a.b = Given($old) + 1 / $X@2  ; r@170, r@176, r@176, r@184
    }
}
)");
}

} // namespace
} // namespace croupier::engine::ir
