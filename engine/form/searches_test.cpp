// Orders of rows, and whole searches as sets of rows, after the passes, as text.
#include "engine/form/testing.h"

namespace croupier::engine::form {

namespace {

constexpr const char* kLeapBoard = R"J(
    "types": {"Cell": {"grid": [3, 3], "near": "rook", "step": "rook", "ray": "rook"},
              "Stone": ["black", "white"]},
    "constants": {"leaps": {"a1": {"c2": 2, "b3": 1}, "b2": {"c3": 4, "a1": 3}, "c1": {"b3": 6, "a2": 5}}},
    "shape": {"board": {"$:Cell": "Stone"}, "moves": {"$:Cell": true}, "last": "Cell", "won": "Stone"},
    )J";

std::string all_passes(const std::string& rules) {
    return after("together", "{" + std::string(kLeapBoard) + "\"play\": [" + rules + "]}");
}

TEST(orders, are_kept_where_actions_show_them) {
    EXPECT_EQ(all_passes(R"J({"name": "seen",
        "condition": {"board": {"$C": {}}, "leaps": {"$C": {"$D": {}}}, "board@2": {"$D": "@absent"}},
        "action": {"last": "$D"}})J"),
              R"(
group play {
    rule seen {
        $rows: set of Cell = Rows(board)
        each $C: Cell in Rows(board) {
            each $D: Cell in Without(TableRows2[$C], $rows) in the order of Table3[$C] {
                yield $D
            }
        }
    } do $D@3: Cell {
        last = $D@3
    }
}
)");
}

TEST(orders, are_dropped_where_nothing_shows_them) {
    EXPECT_EQ(all_passes(R"J({"name": "unseen",
        "condition": {"board": {"$C": {}}, "@not": {"leaps": {"$C": {"$D": "> 2"}}, "board": {"$D": "white"}}},
        "action": {"last": "$C"}})J"),
              R"(
group play {
    rule unseen {
        test Present(board)
        $touching: set of Cell = Touching7(RowsWith(board[#white?]))
        each $C: Cell in Both(Rows(board), Without(AllRows<Cell>, $touching)) {
            yield $C
        }
    } do $C@2: Cell {
        last = $C@2
    }
}
)");
}

TEST(orders, are_kept_where_errors_show_them) {
    EXPECT_EQ(all_passes(R"J({"name": "error",
        "condition": {"board": {"$C": {}}, "@exists": {"leaps": {"$C": {"$_": "$N"}}, "_": "$C - $N > 3"}},
        "action": {"last": "$C"}})J"),
              R"(
group play {
    rule error {
        each $C: Cell in Rows(board) {
            some match {
                each $row: Cell in TableRows2[$C] in the order of Table3[$C] {
                    $N: code 1..6 = Table4[$C, $row]
                    test $C - Whole($N) > 3
                    yield
                }
            }
            yield $C
        }
    } do $C@2: Cell {
        last = $C@2
    }
}
)");
}

TEST(searches, along_rays_become_a_set) {
    EXPECT_EQ(all_passes(R"J({"name": "flips",
        "condition": {"near": {"$C": {}}, "board": {"$C": "@absent"},
            "@exists": {"ray": {"$W": {"$C": {"$E": "$N"}}}, "_": "$N > 1", "board": {"$E": "black"},
                        "@not": {"ray": {"$W": {"$C": {"$B": "< $N"}}}, "@not": {"board": {"$B": "white"}}}}},
        "action": {"moves": {"$C": true}}})J"),
              R"(
group play {
    rule flips {
        test Present(board)
        $rows@2: set of Cell = RowsWith(board[#black?])
        $rows@5: set of Cell = Rows(board)
        $rows@3: set of Cell = Without(AllRows<Cell>, Both($rows@5, RowsWith(board[#white?])))
        yield each of Both(Without(AllRows<Cell>, $rows@5), Either(Either(Either(Both(TableRows16[], Both(Moved[number=-6](Both($rows@2, TableRows19[])), Without(AllRows<Cell>, Moved[number=-3](Both($rows@3, TableRows21[]))))), Both(TableRows22[], Both(Moved[number=-2](Both($rows@2, TableRows25[])), Without(AllRows<Cell>, Moved[number=-1](Both($rows@3, TableRows27[])))))), Both(TableRows28[], Both(Moved[number=6](Both($rows@2, TableRows32[])), Without(AllRows<Cell>, Moved[number=3](Both($rows@3, TableRows21[])))))), Both(TableRows34[], Both(Moved[number=2](Both($rows@2, TableRows38[])), Without(AllRows<Cell>, Moved[number=1](Both($rows@3, TableRows27[])))))))
    } do $each@2: set of Cell {
        ensure moves
        moves[each of $each@2] = true  (parent present)
    }
}
)");
}

TEST(searches, for_a_first_match_become_a_set) {
    EXPECT_EQ(all_passes(R"J({"name": "won", "first": true,
        "condition": {"board": {"$A": "$P"}, "step": {"$D": {"$A": "$B"}}, "board@b": {"$B": "$P"}},
        "action": {"won": "$P"}})J"),
              R"(
group play {
    rule won, first {
        $rows: set of Cell = RowsWith(board[#black?])
        $rows@2: set of Cell = RowsWith(board[#white?])
        each $A: Cell in Either(Both($rows, Either(Both(TableRows5[], Moved[number=-3](Both($rows, TableRows7[]))), Both(TableRows8[], Moved[number=-1](Both($rows, TableRows10[]))))), Both($rows@2, Either(Both(TableRows5[], Moved[number=-3](Both($rows@2, TableRows7[]))), Both(TableRows8[], Moved[number=-1](Both($rows@2, TableRows10[])))))) {
            $P: text of Stone = board[$A]
            yield $P
        }
    } do $P@3: text of Stone {
        won = $P@3
    }
}
)");
}

TEST(searches, for_a_first_match_stay_if_the_action_reads_their_loops) {
    EXPECT_EQ(all_passes(R"J({"name": "won", "first": true,
        "condition": {"board": {"$A": "$P"}, "step": {"$D": {"$A": "$B"}}, "board@b": {"$B": "$P"}},
        "action": {"last": "$B"}})J"),
              R"(
group play {
    rule won, first {
        each $A: Cell in Rows(board) {
            $P: text of Stone = board[$A]
            each $D:  in TableRows4[$A] {
                $B: text of Cell = Table3[$D, $A]
                test board[$B] == $P
                yield $B
            }
        }
    } do $B@3: text of Cell {
        last = $B@3
    }
}
)");
}

} // namespace

TEST(searches, a_loop_has_only_rows_with_which_a_test_further_in_can_hold) {
    EXPECT_EQ(after("sets", R"J({
    "types": {"Cell": {"grid": [3, 3], "step": "rook"}, "Player": ["A", "B"], "Move": {"union": ["{Cell}-{Cell}"]}},
    "shape": {"board": {"$:Cell": "Player"}, "move": "Move"},
    "play": [{"name": "go",
        "condition": {"board": {"$C": "A"}, "step": {"$W": {"$C": "$D"}}, "move": "= $C + '-' + $D"},
        "action": {"board": {"$C": "@remove", "$D": "A"}}}]})J"),
              R"(
group play {
    rule go {
        $board: node = NodeAt(board)
        test Present(board)
        $step: node = @root.step
        $move: node = NodeAt(move)
        test Present(move)
        $value@2: text of Move = move
        test Has($value@2)
        each $C: Cell in Both(TableRows6[move], RowsWith(board[#A?])) {
            $at_C: node = NodeAt(board[$C])
            each $W:  in TableRows8[$value@2, $C] {
                $at_C@2: node = $step.{$W}.{$C}
                $D: text of Cell = Table3[$W, $C]
                yield $C, $W, $D
            }
        }
    } do $C@2: Cell, $W@2: , $D@2: text of Cell {
        ensure board
        $board@2: node = NodeAt(board)
        erase board[$C@2]
        board[$D@2] = 'A'
    }
}
)");
}

} // namespace croupier::engine::form
