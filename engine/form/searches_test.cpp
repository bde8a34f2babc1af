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
        $rows: set of Cell = Without(AllRows<Cell>, $touching)
        each $C: Cell in Both(Rows(board), $rows) {
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
        $touching: set of Cell = Touching17($rows@2)
        $rows@3: set of Cell = Without(AllRows<Cell>, Both(Rows(board), RowsWith(board[#white?])))
        $touching@2: set of Cell = Touching19($rows@3)
        $touching@3: set of Cell = Touching21($rows@2)
        $touching@4: set of Cell = Touching23($rows@3)
        $touching@5: set of Cell = Touching25($rows@2)
        $touching@6: set of Cell = Touching28($rows@3)
        $touching@7: set of Cell = Touching30($rows@2)
        $touching@8: set of Cell = Touching33($rows@3)
        $rows@4: set of Cell = Either(Either(Either(Both(TableRows16[], Both($touching, Without(AllRows<Cell>, $touching@2))), Both(TableRows20[], Both($touching@3, Without(AllRows<Cell>, $touching@4)))), Both(TableRows24[], Both($touching@5, Without(AllRows<Cell>, $touching@6)))), Both(TableRows29[], Both($touching@7, Without(AllRows<Cell>, $touching@8))))
        yield each of Both(Without(AllRows<Cell>, Rows(board)), $rows@4)
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
        $touching: set of Cell = Touching6($rows)
        $touching@2: set of Cell = Touching8($rows)
        $touching@3: set of Cell = Touching10($rows)
        $touching@4: set of Cell = Touching12($rows)
        $rows@2: set of Cell = RowsWith(board[#white?])
        $touching@5: set of Cell = Touching6($rows@2)
        $touching@6: set of Cell = Touching8($rows@2)
        $touching@7: set of Cell = Touching10($rows@2)
        $touching@8: set of Cell = Touching12($rows@2)
        $rows@3: set of Cell = Either(Both(RowsWith(board[#black?]), Either(Either(Either(Both(TableRows5[], $touching), Both(TableRows7[], $touching@2)), Both(TableRows9[], $touching@3)), Both(TableRows11[], $touching@4))), Both(RowsWith(board[#white?]), Either(Either(Either(Both(TableRows5[], $touching@5), Both(TableRows7[], $touching@6)), Both(TableRows9[], $touching@7)), Both(TableRows11[], $touching@8))))
        each $A: Cell in Both(Rows(board), $rows@3) {
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

} // namespace croupier::engine::form
