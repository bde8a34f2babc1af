// The form of whole rules and groups, and what it reports to observers.
#include "engine/form/testing.h"

namespace croupier::engine::form {

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

// In an agenda, unnamed nodes have names, which a match has values for.
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

// Reports what each failure cuts and what was found; a loop cuts its entry when no child is left.
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

// The place of each comes after the rule.
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

// The form of actions.

namespace {

TEST(build_action, changes_below_a_node_at_hand) {
    EXPECT_EQ(acted(R"J({"a": {"b": 1, "$X": "$this + 1", "c-{$X}": "@remove", "d": {}},
                        "e": ["$X", {"f": [1], "$X": 2}]})J"),
              R"(
Inner(@root)
$a: node = Make(@root.a)
Inner($a)
$a.b = 1
$old = ValueOf($a.{$X@2})
$a.{new $X@2} = Given($old) + 1
remove $a.{'c-', $X@2}
$d: node = Make($a.d)
put @root.e = [$X@2, {f: [1], {new $X@2}: 2}]
)");
}

// After an entry that leads elsewhere.
TEST(build_action, what_may_be_gone_is_found_by_its_path) {
    EXPECT_EQ(acted(R"J({"a": {"b": {"@parent": "@remove", "c": 1, "d": {"e": 2}}, "f": "$this"},
                        "g": "@remove"})J"),
              R"(
Inner(@root)
$a: node = Make(@root.a)
Inner($a)
$b: node = Make($a.b)
Inner($b)
remove @root.a
@path(a.b.c) = 1
$d: node = Make(@path(a.b.d))
Inner($d)
$d.e = 2
$old = ValueOf(@path(a.f))
@path(a.f) = Given($old)
remove @root.g
)");
}

TEST(build_action, paths_and_roots) {
    EXPECT_EQ(acted(R"J({"@path(a.$X)": "$this", "@path(b.c)": {"@parent": {"d": 1}},
                        "@path(e)": "@remove", "@path(f)": [1], "a": {"@root": {"g": 1}, "h": 2}})J"),
              R"(
Inner(@root)
$old = ValueOf(@path(a.{$X@2}))
@path(a.{new $X@2}) = Given($old)
$c: node = Make(@path(b.c))
Inner($c)
$b: node = Make(@path(b))
Inner($b)
$b.d = 1
remove @path(e)
put @path(f) = [1]
$a: node = Make(@root.a)
Inner($a)
Inner(@root)
@root.g = 1
@path(a.h) = 2
)");
}

// A function may create the paths that it is given, and remove current nodes.
TEST(build_action, calls_and_lines) {
    EXPECT_EQ(acted(R"J({"a": {"@print": "$X: {$X + 1}", "@call": {"deal": {"from": "b.$X",
                        "to": "c", "count": "$X * 2"}}}, "a@2": {"d": 1}})J"),
              R"(
Inner(@root)
$a: node = Make(@root.a)
Print($X@2, ': ', $X@2 + 1)
call deal(from: @path(b.{new $X@2}), to: @path(c), count: $X@2 * 2)
$a@2: node = Make(@root.a)
Inner($a@2)
$a@2.d = 1
)");
}

// Its rules find their root again; an empty condition matches without a root.
TEST(build_action, a_group_below_a_node) {
    EXPECT_EQ(acted(R"J({"t": {"@rules": [{"name": "s", "condition": {"v": "$V"},
                        "action": {"v": "$V + $X"}}, {"name": "free", "condition": {},
                        "action": {"w": 1}}], "u": "$this"}})J"),
              R"(
Inner(@root)
$t: node = Make(@root.t)
Inner($t)
below $t {
    group r/@rules {
        rule s {
            $here: node = @here
            test Has($here)
            $v: node = $here.v
            test Has($v)
            $V = ValueOf($v)
            test Has($V)
            yield $V
        } do $V@2 {
            $root: node = Make(@path())
            Inner($root)
            $root.v = $V@2 + $X@2
        }
        rule free {
            yield
        } do {
            $root@2: node = Make(@path())
            Inner($root@2)
            $root@2.w = 1
        }
    }
}
$old = ValueOf(@path(t.u))
@path(t.u) = Given($old)
)");
}

TEST(build_action, groups_as_actions_and_at_once) {
    EXPECT_EQ(acted(R"J([{"name": "s", "condition": {"y": "$Y"},
                        "action": {"a": {"@rules": {"at_once": true, "rules": [{"name": "t",
                        "condition": {"@parent": {"z": "$Y"}}, "action": [{"name": "v",
                        "action": {"$X": 1}}]}]}}}}])J"),
              R"(
group r/action {
    rule s {
        $y: node = @root.y
        test Has($y)
        $Y = ValueOf($y)
        test Has($Y)
        yield $Y
    } do $Y@2 {
        Inner(@root)
        $a: node = Make(@root.a)
        Inner($a)
        below $a {
            group s/@rules, at once {
                rule t {
                    $here: node = @here
                    test Has($here)
                    $parent: node = $here.@parent
                    test Has($parent)
                    $z: node = $parent.z
                    test Has($z)
                    $value = ValueOf($z)
                    test $value == $Y@2
                    yield
                } do {
                    group t/action {
                        rule v {
                            yield
                        } do {
                            $root: node = Make(@path())
                            Inner($root)
                            $root.{new $X@2} = 1
                        }
                    }
                }
            }
        }
    }
}
)");
}

// Checks whether the place exists before it computes the new value.
TEST(build_action, above_the_root_of_a_group) {
    EXPECT_EQ(acted(R"J({"t": {"@rules": [{"name": "s",
                        "action": {"@parent": {"a": {"@path(c)": 1, "b": "1 / $X",
                        "d": ["$X / 0"], "e": "@remove", "f": "$this"}}}}]}})J"),
              R"(
Inner(@root)
$t: node = Make(@root.t)
Inner($t)
below $t {
    group r/@rules {
        rule s {
            yield
        } do {
            $root: node = Make(@path())
            Inner($root)
            $parent: node = Make(@parent@path())
            Inner($parent)
            $a: node = Make($parent.a)
            Inner($a)
            @path(c) = 1
            do @parent@path(a.b)
            @parent@path(a.b) = 1 / $X@2
            do @parent@path(a.d)
            put @parent@path(a.d) = [$X@2 / 0]
            remove @parent@path(a.e)
            $old = ValueOf(@parent@path(a.f))
            @parent@path(a.f) = Given($old)
        }
    }
}
)");
}

} // namespace

} // namespace croupier::engine::form
