// What the pass `together` makes of rules, as text.
#include "engine/ir/build_testing.h"

namespace croupier::engine::ir {
namespace {

std::string together(const std::string& rules) {
    return after("together", R"J({
    "types": {"Cell": {"grid": [3, 3], "near": "king"}, "Stone": ["black", "white"],
              "Move": {"union": ["Stone", "Cell"]}},
    "shape": {"board": {"$:Cell": "Stone"}, "moves": {"$:Move": true}, "last": "Cell", "n": "int"},)J" +
                                 rules + "}");
}

TEST(together, choices_split_the_set) {
    EXPECT_EQ(together(R"J("play": [{"name": "turn", "condition": {"near": {"$C": {"@count": {
            "of": {"$D": true, "@root": {"board": {"$D": {}}}}, "into": "$N"}}}, "board": {"$C": {}}},
        "action": {"board": {"$C": "$N > 7 ? 'white' : 'black'"}}}])J"),
              R"(
group play {
    rule turn {
        digits $digit: set of Cell, $digit@2: set of Cell, $digit@3: set of Cell, $digit@4: set of Cell = Counts2(Rows(board))
        yield each of Rows(board), $digit@4
    } do $each@3: set of Cell, $each@4: set of Cell {
        board[each of Both($each@3, $each@4)] = 'white'  (parent present)
        board[each of Without($each@3, $each@4)] = 'black'  (parent present)
    }
}
)");
}

TEST(together, rows_may_be_those_of_another_domain) {
    EXPECT_EQ(together(R"J("play": [{"name": "any", "condition": {"board": {"$C": "black"}},
        "action": {"moves": {"$C": true}}}])J"),
              R"(
group play {
    rule any {
        yield each of RowsWith(board[#black?])
    } do $each@2: set of Cell {
        ensure moves
        moves[each of Moved[number=2]($each@2)] = true  (parent present)
    }
}
)");
}

// Where rows write what others write, or count on what they have written, one comes after the
// other; of their matches only what the action reads is kept.
TEST(together, what_depends_on_the_order_stays_a_loop) {
    EXPECT_EQ(together(R"J("play": [
        {"name": "last", "condition": {"board": {"$C": "$S"}}, "action": {"last": "$C"}},
        {"name": "first", "condition": {"board": {"$C": {}}}, "first": true,
         "action": {"board": {"$C": "@remove"}}}])J"),
              R"(
group play {
    rule last {
        each $C: Cell in Rows(board) {
            yield $C
        }
    } do $C@5: Cell {
        last = $C@5
    }
    rule first, first {
        each $C@3: Cell in Rows(board) {
            yield $C@3
        }
    } do $C@4: Cell {
        erase board[$C@4]  (present)
    }
}
)");
}

} // namespace
} // namespace croupier::engine::ir
