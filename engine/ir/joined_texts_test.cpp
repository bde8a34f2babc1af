// What the passes make of comparisons with joined texts, as text.
#include "engine/ir/build_testing.h"

namespace croupier::engine::ir {
namespace {

// A board of so many columns and rows, and moves that are named after its cells.
std::string tabulated(const std::string& pass, const std::string& grid, const std::string& rules) {
    return after(
        pass, R"J({
    "types": {"Cell": {"grid": )J" +
                  grid +
                  R"J(, "near": "king"}, "Move": {"union": ["Cell", "take-{Cell}", "7", "pass"]}},
    "shape": {"move": "Move", "any": "any", "taken": {"$:Cell": true}},)J" +
                  rules + "}");
}

constexpr const char* kTake = R"J("play": [{"name": "take",
    "condition": {"move": "$M", "near": {"$C": {}}, "_": "$M == 'take-' + $C"},
    "action": {"taken": {"$C": true}}}])J";

TEST(joined_texts, on_a_small_board_choose_a_set_of_rows) {
    EXPECT_EQ(tabulated("sweep", "[3, 3]", kTake),
              R"(
group play {
    rule take {
        $M: text of Move = move
        test Has($M)
        each $C: Cell in TableRows3[$M] {
            yield $M, $C
        }
    } do $M@2: text of Move, $C@2: Cell {
        ensure taken
        taken[$C@2] = true  (parent present)
    }
}
)");
}

TEST(joined_texts, on_a_large_board_choose_a_row) {
    EXPECT_EQ(tabulated("sweep", "[19, 19]", kTake),
              R"(
group play {
    rule take {
        $M: text of Move = move
        test Has($M)
        each $C: Cell in TableRows4[Table3[$M]] {
            yield $M, $C
        }
    } do $M@2: text of Move, $C@2: Cell {
        ensure taken
        taken[$C@2] = true  (parent present)
    }
}
)");
}

TEST(joined_texts, are_others_than_that_in_a_negated_comparison) {
    EXPECT_EQ(tabulated("sweep", "[3, 3]", R"J("play": [{"name": "other",
        "condition": {"move": "$M", "_": "$M != 'take-' + 'a1'"},
        "action": {"taken": {"b2": true}}}])J"),
              R"(
group play {
    rule other {
        $M: text of Move = move
        test Has($M)
        test Table0[$M]
        yield $M
    } do $M@2: text of Move {
        ensure taken
        taken[#b2] = true  (parent present)
    }
}
)");
}

// Numbers are added; and a text may be a number where any value may stand.
TEST(joined_texts, are_no_sums_and_of_no_unknown_value) {
    EXPECT_EQ(tabulated("tabulate", "[3, 3]", R"J("play": [{"name": "sum",
        "condition": {"move": "$M", "any": "$X", "_": "$M == $X + 'a'", "_@2": "$M != 3 + 4"},
        "action": {"taken": {"a1": true}}}])J"),
              R"(
group play {
    rule sum {
        $move: node = NodeAt(move)
        test Present(move)
        $M: text of Move = move
        test Has($M)
        $any: node = @root.any
        test Has($any)
        $X = ValueOf($any)
        test Has($X)
        test $M == $X + 'a'
        test Table0[$M]
        yield $M, $X
    } do $M@2: text of Move, $X@2 {
        ensure taken
        $taken: node = NodeAt(taken)
        taken[#a1] = true
    }
}
)");
}

} // namespace
} // namespace croupier::engine::ir
