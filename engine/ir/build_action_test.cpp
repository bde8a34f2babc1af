// What is built of actions.
#include "engine/ir/build_testing.h"

namespace croupier::engine::ir {
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

// A function may make the places that it is given, and remove what is at hand.
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

// Its rules find their root anew; what asks for nothing matches without.
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

// Whether there is such a place is asked before what to put there is computed.
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
} // namespace croupier::engine::ir
