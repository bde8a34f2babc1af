// Tests of the nodes that rules are said to reach one by one.
#include "engine/form/walks.h"

#include "engine/language/testing.h"
#include "engine/run/program.h"

namespace croupier::engine::form {
namespace {

// A line for each walk: its text, its cure, the rules, and what is written at its place.
std::string walked(const std::string& rules, const std::vector<std::string_view>& groups = {}) {
    const std::string text = R"J({
    "types": {"Cell": {"grid": [9, 9]}, "Player": ["A", "B"], "Column": ["a", "b", "k"]},
    "constants": {"worth": {"a1": 1, "b1": 2}, "far": {"a1": {"b1": {"c1": 2}}}},
    "shape": {"board": {"$:Cell": "Player"}, "turn": "Player", "moves": {"$:Cell": true}, "open": "any",
              "named": {"$": "int"}, "seats": {"$:int": {"side": "Player"}}, "word": "string", "column": "Column"},
    )J" + rules + "}";
    const Ruleset ruleset = load_good(text);
    const Program program(ruleset);
    std::string found;
    for (const Walk& walk : walks(program.unwatched(), groups)) {
        found += walk.text() + "; " + std::string(walk.cure) + " (";
        for (const RuleId rule : walk.rules)
            found += program.catalogue().rules[rule].name + " ";
        found.back() = ')';
        found += " " + text.substr(walk.span.begin, walk.span.end - walk.span.begin) + "\n";
    }
    return found;
}

TEST(walks, nothing_is_walked_that_is_declared) {
    EXPECT_EQ(walked(R"J("play": [
        {"name": "free", "condition": {"turn": "$P", "worth": {"$C": "$N"}, "board": {"$C": "@absent", "$D": "$P"}},
         "action": {"moves": {"$C": true}}},
        {"name": "all", "condition": {"_": "size(board) > 3", "board": {"$C": {"@parent": {"a1": "A"}}}},
         "action": {"board": "@remove", "turn": "B"}}])J"),
              "");
}

TEST(walks, each_cause_is_named_once_with_its_rules) {
    EXPECT_EQ(
        walked(R"J("play": [
        {"name": "seen", "condition": {"seen": {"$C": "A"}}, "action": {"moves": {"a1": true}}},
        {"name": "open", "condition": {"open": {"at": "A"}, "named": {"$K": 3}}, "action": {"seen": {"a1": "B"}}},
        {"name": "seat", "condition": {"seats": {"1": {"side": "$P"}}}, "action": {"turn": "$P"}},
        {"name": "root", "condition": {"$X": "A"}, "action": {"named": {"b": 1}}},
        {"name": "free", "condition": {"word": "$W", "board": {"$W": "A"}, "{$W}-seen": true}, "action": {"turn": "B"}},
        {"name": "deep", "condition": {"board": {"$C": "A", "$D": "A", "$E": "A"}, "far": {"$C": {"$D": {"$E": "$N"}}}},
         "action": {"named": {"a": "$N"}}}])J"),
        R"(seen is reached node by node: the shape does not declare it; declare it, as in "hands": {"$:Card": true} or "over": "bool" (seen open) "seen": {"$C": "A"}
open is reached node by node: the shape leaves open what it holds; declare its children, or a type for its keys: {"$:Card": true} (open) "at": "A"
named is reached node by node: the shape leaves open what it holds; declare its children, or a type for its keys: {"$:Card": true} (open root deep) "$K": 3
seats is reached node by node: the shape leaves open what it holds; declare its children, or a type for its keys: {"$:Card": true} (seat) "1": {"side": "$P"}
the state is reached node by node: a condition tries all its children, and it is no map; move them to a map, as in {"$:Card": true} (root) "$X": "A"
the state is reached node by node: the key need not be one of those declared; use a variable of the type of the keys (free) "{$W}-seen": true
far is reached node by node: this constant has more combinations of keys than a table may have; take the outer keys together, or the inner ones (deep) "far": {"$C": {"$D": {"$E": "$N"}}}
)");
}

// A node below an undeclared one has the same cause; one that only serves to report an error has
// none.
TEST(walks, inner_groups_and_errors) {
    EXPECT_EQ(
        walked(R"J("play": [
        {"name": "mark", "condition": {"turn": "$P"}, "action": {"notes": {"$P": {"@rules": [
            {"name": "once", "condition": {"done": "@absent"}, "action": {"done": true}}]}}}},
        {"name": "letters", "condition": {"column": "$L"}, "action": {"moves": {"{$L}1": true}}}],
        "score": [{"name": "late", "condition": {"open": {"a": 1}}, "action": {"turn": "A"}}])J",
               {"play"}),
        R"(notes is reached node by node: the shape does not declare it; declare it, as in "hands": {"$:Card": true} or "over": "bool" (mark once) "notes": {"$P": {"@rules": [
            {"name": "once", "condition": {"done": "@absent"}, "action": {"done": true}}]}}
)");
}

TEST(walks, without_a_shape_that_is_said_once) {
    const Ruleset ruleset =
        load_good(R"([{"condition": {"a": {"$X": 1}, "b": {"$X": 2}}, "action": {"c": 1}}])");
    const Program program(ruleset);
    const std::vector<Walk> found = walks(program.unwatched());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].text(), "the state is reached node by node: there is no shape");
}

} // namespace
} // namespace croupier::engine::form
