// Comparisons with joined texts after the passes, as text.
#include "engine/form/testing.h"

namespace croupier::engine::form {

namespace {

// The form of rules for a board of that grid, with moves that are named after its cells.
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

// Sums of numbers are not joined, and any value may be a number.
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

// Rules after the pass `fold`, as text.

namespace {

constexpr const char* kShape = R"J(
    "types": {"Seat": ["north", "south"], "Suit": ["spade", "heart"]},
    "constants": {"mode": "auto", "worth": {"spade": 1, "heart": 2}},
    "shape": {"hands": {"$:Seat": {"$:Suit": true}}, "turn": "Seat", "trump": "Suit", "total": "int",
              "points": {"$:Seat": "0..9"}},)J";

std::string folded(const std::string& rules) {
    return after("fold", "{" + std::string(kShape) + rules + "}");
}

TEST(fold, what_is_known_goes_and_rules_that_never_match) {
    EXPECT_EQ(folded(R"J("play": [
        {"name": "by-hand", "condition": {"mode": "manual", "turn": "$P"}, "action": {"total": 1}},
        {"name": "alone", "condition": {"mode": "auto", "turn": "$P"}, "action": {"total": 2}},
        {"name": "either-way", "condition": {"mode": "manual"}, "action": {"total": 3},
         "else": {"total": 4}}])J"),
              R"(
group play {
    rule alone {
        $mode@2: node = @root.mode
        $value@2 = 'auto'
        $turn@2: node = NodeAt(turn)
        test Present(turn)
        $P@3: text of Seat = turn
        test Has($P@3)
        yield $P@3
    } do $P@4: text of Seat {
        total = 2
    }
    rule either-way {
        fail
    } do {
        total = 3
    } else {
        total = 4
    }
}
)");
}

TEST(fold, searches_within_searches) {
    EXPECT_EQ(folded(R"J("play": [
        {"name": "none", "condition": {"@not": {"mode": "manual", "turn": "$P"}, "total": "$T"}},
        {"name": "some", "condition": {"@exists": {"mode": "manual", "turn": "$P"}, "total": "$T"}},
        {"name": "number", "condition": {"@count": {"of": {"mode": "manual", "turn": "$P"}, "into": "$N"}},
         "action": {"total": "$N"}}])J"),
              R"(
group play {
    rule none {
        $total: node = NodeAt(total)
        test Present(total)
        $T: int = total
        yield $T
    } do $T@2: int {
    }
    rule number {
        $N: int 0..1 = count of {
            fail
        }
        yield $N
    } do $N@2: int 0..1 {
        total = $N@2
    }
}
)");
}

TEST(fold, alternatives) {
    EXPECT_EQ(folded(R"J("play": [
        {"name": "one-left", "condition": {"@any": [{"mode": "manual", "turn": "$P"},
         {"hands": {"$P": {"spade": true}}}], "total": "$T"}, "action": {"turn": "$P"}},
        {"name": "two-left", "condition": {"@any": [{"mode": "manual", "turn": "$P"},
         {"turn": "$P"}, {"hands": {"$P": {"spade": true}}}]}, "action": {"turn": "$P"}},
        {"name": "none-left", "condition": {"@any": [{"mode": "manual"}, {"mode": "other"}]},
         "action": {"total": 1}}])J"),
              R"(
group play {
    rule one-left {
        $hands: node = NodeAt(hands)
        test Present(hands)
        each $P@2: Seat in Rows(hands) {
            $at_P: node = NodeAt(hands[$P@2])
            $spade: node = NodeAt(hands[$P@2][#spade])
            test Present(hands[$P@2][#spade])
            test Table2[hands[$P@2][#spade]]
            $P@3 = $P@2
            $total: node = NodeAt(total)
            test Present(total)
            $T: int = total
            yield $P@3, $T
        }
    } do $P@4, $T@2: int {
        turn = $P@4
    }
    rule two-left {
        either {
            $turn@3: node = NodeAt(turn)
            test Present(turn)
            $P@6: text of Seat = turn
            test Has($P@6)
            yield $P@6
        } or {
            $hands@2: node = NodeAt(hands)
            test Present(hands)
            each $P@7: Seat in Rows(hands) {
                $at_P@2: node = NodeAt(hands[$P@7])
                $spade@2: node = NodeAt(hands[$P@7][#spade])
                test Present(hands[$P@7][#spade])
                test Table3[hands[$P@7][#spade]]
                yield $P@7
            }
        } then $P@8 {
            yield $P@8
        }
    } do $P@9 {
        turn = $P@9
    }
}
)");
}

TEST(fold, tests_are_split_and_variables_put_in_place) {
    EXPECT_EQ(folded(R"J("play": [
        {"name": "r", "condition": {"total": "$T",
         "@exists": "!($T < 3 || $T == 5)", "trump": "heart"}}])J"),
              R"(
group play {
    rule r {
        $total: node = NodeAt(total)
        test Present(total)
        $T: int = total
        test !($T < 3)
        test !($T == 5)
        $trump: node = NodeAt(trump)
        test Present(trump)
        test Table0[trump]
        yield $T
    } do $T@2: int {
    }
}
)");
}

// Errors of the choice and of the chosen value are at two places.
TEST(fold, what_may_end_in_an_error_stays_where_it_is) {
    EXPECT_EQ(folded(R"J("play": [{"name": "r", "condition": {"total": "$T"},
        "action": {"total": "4 != 2 ? $T * 2 : 1"}}])J"),
              R"(
group play {
    rule r {
        $total: node = NodeAt(total)
        test Present(total)
        $T: int = total
        yield $T
    } do $T@2: int {
        total = true ? $T@2 * 2 : 1
    }
}
)");
}

} // namespace

// Rules after the pass `facts`, as text.

namespace {

constexpr const char* kSeats = R"J(
    "types": {"Seat": ["north", "south"], "Suit": ["spade", "heart"]},
    "constants": {"next": {"north": "south", "south": "north"}, "red": {"heart": true}},
    "shape": {"hands": {"$:Seat": {"$:Suit": true}}, "turn": "Seat", "trump": "Suit",
              "total": "int", "box": {"lid": "bool", "seat": "Seat"}, "points": {"$:Seat": "0..9"}},)J";

std::string known(const std::string& rules) {
    return after("sweep", "{" + std::string(kSeats) + rules + "}");
}

TEST(facts, a_stricter_test_says_it_all) {
    EXPECT_EQ(known(R"J("play": [
        {"name": "place", "condition": {"turn": "$P", "trump": "$S", "hands": {"$P": {"$S": true}}}},
        {"name": "table", "condition": {"turn": "$P", "next": {"$P": "$Q"}, "points": {"$Q": "$N"}}},
        {"name": "integer", "condition": {"total": "$T", "@exists": "$T > 3"}}])J"),
              R"(
group play {
    rule place {
        $P: text of Seat = turn
        test Has($P)
        $S: text of Suit = trump
        test Has($S)
        test Table3[hands[$P][$S]]
        yield $P, $S
    } do $P@2: text of Seat, $S@2: text of Suit {
    }
    rule table {
        $P@3: text of Seat = turn
        test Has($P@3)
        $Q: text of Seat = Table2[$P@3]
        $N: code 0..9 = points[$Q]
        test Has($N)
        yield $P@3, $Q, $N
    } do $P@4: text of Seat, $Q@2: text of Seat, $N@2: code 0..9 {
    }
    rule integer {
        test Present(total)
        $T: int = total
        test $T > 3
        yield $T
    } do $T@2: int {
    }
}
)");
}

TEST(facts, codes_decide_later_tests_of_them) {
    EXPECT_EQ(known(R"J("play": [
        {"name": "never", "condition": {"trump": "heart", "@exists": {"trump": "spade"}},
         "action": {"total": 1}},
        {"name": "always", "condition": {"trump": "heart", "@not": {"trump": "spade"},
         "@exists": {"trump": "$S", "red": {"$S": true}}}, "action": {"total": 1}},
        {"name": "again", "condition": {"turn": "$P", "@exists": {"turn": "$Q", "points": {"$Q": "$N"}}}}])J"),
              R"(
group play {
    rule always {
        test Table5[trump]
        yield
    } do {
        total = 1
    }
    rule again {
        $P: text of Seat = turn
        test Has($P)
        $N: code 0..9 = points[$P]
        test Has($N)
        yield $P
    } do $P@2: text of Seat {
    }
}
)");
}

TEST(facts, what_actions_have_made_is_there) {
    EXPECT_EQ(known(R"J("play": [
        {"name": "tested", "condition": {"turn": "$P", "box": {"lid": "$L"}},
         "action": {"box": {"seat": "$P", "lid": true}, "points": {"$P": 1}, "hands": {"$P": {"spade": true, "heart": true}}}},
        {"name": "many", "condition": {"hands": {"$P": {"$S": true}}},
         "action": {"hands": {"$P": {"$S": "@remove"}}, "points": {"$P": 2}}},
        {"name": "within", "condition": {"box": {"seat": "$P"}}, "action": [
          {"name": "gone", "condition": {"box": {"lid": true}}, "action": {"box": "@remove"}},
          {"name": "unsure", "condition": {"box": {"seat": "$P"}}, "action": {"turn": "$P"}}]}])J"),
              R"(
group play {
    rule tested {
        $P: text of Seat = turn
        test Has($P)
        $L: code of truth = box.lid
        test Has($L)
        yield $P, $L
    } do $P@2: text of Seat, $L@2: code of truth {
        box.seat = $P@2  (parent present)
        box.lid = true  (present)
        ensure points
        points[$P@2] = 1  (parent present)
        ensure hands
        ensure hands[$P@2]  (parent present)
        hands[$P@2][#spade] = true  (parent present)
        hands[$P@2][#heart] = true  (parent present)
    }
    rule many {
        each $P@3: Seat in Rows(hands) {
            each $S: Suit in Rows(hands[$P@3]) {
                yield $P@3, $S
            }
        }
    } do $P@4: Seat, $S@2: Suit {
        erase hands[$P@4][$S@2]
        ensure points
        points[$P@4] = 2  (parent present)
    }
    rule within {
        $P@5: text of Seat = box.seat
        test Has($P@5)
        yield $P@5
    } do $P@6: text of Seat {
        group within/action {
            rule gone {
                test Table1[box.lid]
                yield
            } do {
                erase box  (present)
            }
            rule unsure {
                test box.seat == $P@6
                yield
            } do {
                turn = $P@6
            }
        }
    }
}
)");
}

TEST(facts, several_matches_know_less_of_each_other) {
    EXPECT_EQ(known(R"J("play": [
        {"name": "kept", "condition": {"box": {"lid": true}, "points": {"$P": "$N"}},
         "action": {"box": {"seat": "$P"}}},
        {"name": "lost", "condition": {"box": {"lid": true}, "points": {"$P": "$N"}},
         "action": [{"name": "look", "condition": {"box": {"lid": true}}, "action": {"box": "@remove"}}]}])J"),
              R"(
group play {
    rule kept {
        test Table0[box.lid]
        each $P: Seat in Rows(points) {
            $N: code 0..9 = points[$P]
            yield $P, $N
        }
    } do $P@2: Seat, $N@2: code 0..9 {
        box.seat = $P@2  (parent present)
    }
    rule lost {
        test Table1[box.lid]
        each $P@3: Seat in Rows(points) {
            $N@3: code 0..9 = points[$P@3]
            yield $P@3, $N@3
        }
    } do $P@4: Seat, $N@4: code 0..9 {
        group lost/action {
            rule look {
                test Table2[box.lid]
                yield
            } do {
                erase box  (present)
            }
        }
    }
}
)");
}

TEST(facts, rows_that_are_only_counted_or_missed_are_a_set) {
    EXPECT_EQ(known(R"J("play": [
        {"name": "none", "condition": {"turn": "$P", "@not": {"hands": {"$P": {"$_": true}}}}},
        {"name": "some", "condition": {"turn": "$P", "@exists": {"hands": {"$P": {"$_": true}}}}},
        {"name": "many", "condition": {"turn": "$P", "@count": {"of": {"hands": {"$P": {"$_": true}}}, "into": "$N"}}}])J"),
              R"(
group play {
    rule none {
        $P: text of Seat = turn
        test Has($P)
        test !AnyRow(Rows(hands[$P]))
        yield $P
    } do $P@2: text of Seat {
    }
    rule some {
        $P@3: text of Seat = turn
        test Has($P@3)
        test AnyRow(Rows(hands[$P@3]))
        yield $P@3
    } do $P@4: text of Seat {
    }
    rule many {
        $P@5: text of Seat = turn
        test Has($P@5)
        $N: int 0..2 = CountRows(Rows(hands[$P@5]))
        yield $P@5, $N
    } do $P@6: text of Seat, $N@2: int 0..2 {
    }
}
)");
}

} // namespace

// Rules after the pass `together`, as text.

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
        $rows: set of Cell = Rows(board)
        digits $digit: set of Cell, $digit@2: set of Cell, $digit@3: set of Cell, $digit@4: set of Cell = Counts2($rows)
        yield each of $rows, $digit@4
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

TEST(together, rows_are_moved_only_where_they_are_of_another_domain) {
    EXPECT_EQ(together(R"J("play": [{"name": "any", "condition": {"board": {"$C": "black"}},
        "action": {"moves": {"$C": true}, "board": {"$C": "white"}}}])J"),
              R"(
group play {
    rule any {
        yield each of RowsWith(board[#black?])
    } do $each@2: set of Cell {
        ensure moves
        moves[each of Moved[number=2]($each@2)] = true  (parent present)
        board[each of $each@2] = 'white'  (parent present)
    }
}
)");
}

// A direction that a code chooses, and moves that join a cell and a way.
TEST(together, rows_may_be_those_of_two_domains_joined) {
    EXPECT_EQ(after("together", R"J({
        "types": {"Cell": {"grid": [7, 5], "step": "rook"}, "Player": ["A", "B"], "Way": ["ahead", "stay"],
                  "Move": {"union": ["{Cell}-{Way}"]}},
        "constants": {"go": {"A": "north", "B": "south"}},
        "shape": {"board": {"$:Cell": "Player"}, "turn": "Player", "moves": {"$:Move": true}},
        "play": [{"name": "ahead", "condition": {"turn": "$P", "go": {"$P": "$D"}, "board": {"$C": "$P"},
                      "step": {"$D": {"$C": "$T"}}, "board@t": {"$T": "@absent"}},
                  "action": {"moves": {"{$C}-ahead": true}}}]})J"),
              R"(
group play {
    rule ahead {
        $P: text of Player = turn
        test Has($P)
        test Present(board)
        $code:  = Table7[$P]
        $rows: set of Cell = Rows(board)
        yield each of Both(Both(RowsWith(board[$P?]), TableRows10[$code]), Without(AllRows<Cell>, Either(Either(Either(Both(Moved[number=7](Both($rows, TableRows12[])), TableRows11[$code]), Both(Moved[number=1](Both($rows, TableRows14[])), TableRows13[$code])), Both(Moved[number=-1](Both($rows, TableRows16[])), TableRows15[$code])), Both(Moved[number=-7](Both($rows, TableRows18[])), TableRows17[$code]))))
    } do $each@2: set of Cell {
        ensure moves
        moves[each of Spread($each@2, TableRows19[])] = true  (parent present)
    }
}
)");
}

// Rows that write what others write, or depend on it, stay in a loop. Their matches keep only the
// values that the action reads.
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

} // namespace croupier::engine::form
