// Tests of the neighbours of each row after the passes, as text.
#include "engine/form/form.h"
#include "engine/form/testing.h"

namespace croupier::engine::form {
namespace {

std::string swept(const std::string& rules) {
    return after("sweep", R"J({
    "types": {"Cell": {"grid": [3, 3], "near": "king"}, "Stone": ["black", "white"]},
    "shape": {"board": {"$:Cell": "Stone"}, "moves": {"$:Cell": true}},)J" +
                              rules + "}");
}

TEST(row_numbers, rows_next_to_a_set) {
    EXPECT_EQ(swept(R"J("play": [{"name": "beside",
        "condition": {"near": {"$C": {"@exists": {"$D": true, "@root": {"board": {"$D": {}}}}}}},
        "action": {"moves": {"$C": true}}}])J"),
              R"(
group play {
    rule beside {
        $touching: set of Cell = Touching2(Rows(board))
        each $C: Cell in $touching {
            yield $C
        }
    } do $C@2: Cell {
        ensure moves
        moves[$C@2] = true  (parent present)
    }
}
)");
}

TEST(row_numbers, numbers_of_rows) {
    EXPECT_EQ(swept(R"J("play": [{"name": "three",
        "condition": {"near": {"$C": {"@count": {"of": {"$D": true, "@root": {"board": {"$D": "black"}}},
                                               "into": "$N"}}}, "_": "$N == 3"},
        "action": {"moves": {"$C": true}}}])J"),
              R"(
group play {
    rule three {
        digits $digit: set of Cell, $digit@2: set of Cell, $digit@3: set of Cell, $digit@4: set of Cell = Counts2(RowsWith(board[#black?]))
        each $C: Cell in Without(Without(Both($digit, $digit@2), $digit@3), $digit@4) {
            $N: int 0..9 = NumberAt($C, $digit, $digit@2, $digit@3, $digit@4)
            yield $C, $N
        }
    } do $C@2: Cell, $N@2: int 0..9 {
        ensure moves
        moves[$C@2] = true  (parent present)
    }
}
)");
}

TEST(row_numbers, sums_and_comparisons) {
    EXPECT_EQ(swept(R"J("play": [{"name": "more",
        "condition": {"near": {"$C": {
            "@count@b": {"of": {"$D": true, "@root": {"board": {"$D": "black"}}}, "into": "$B"},
            "@count@w": {"of": {"$D": true, "@root": {"board": {"$D": "white"}}}, "into": "$W"}}},
            "_": "$B + $W > 7", "_@2": "$B < $W"},
        "action": {"moves": {"$C": true}}}])J"),
              R"(
group play {
    rule more {
        digits $digit: set of Cell, $digit@2: set of Cell, $digit@3: set of Cell, $digit@4: set of Cell = Counts2(RowsWith(board[#black?]))
        digits $digit@5: set of Cell, $digit@6: set of Cell, $digit@7: set of Cell, $digit@8: set of Cell = Counts2(RowsWith(board[#white?]))
        $rows@8: set of Cell = Either(Both($digit@3, $digit@7), Both(Differ($digit@3, $digit@7), Either(Both($digit@2, $digit@6), Both(Differ($digit@2, $digit@6), Both($digit, $digit@5)))))
        $rows@9: set of Cell = Differ($digit@4, $digit@8)
        $rows@11: set of Cell = Either(Both($digit@4, $digit@8), Both($rows@9, $rows@8))
        each $C: Cell in Both(Either($rows@11, Without(Differ($rows@9, $rows@8), $rows@11)), Either(Without($digit@8, $digit@4), Without(Either(Without($digit@7, $digit@3), Without(Either(Without($digit@6, $digit@2), Without(Without($digit@5, $digit), Differ($digit@2, $digit@6))), Differ($digit@3, $digit@7))), Differ($digit@4, $digit@8)))) {
            $B: int 0..9 = NumberAt($C, $digit, $digit@2, $digit@3, $digit@4)
            $W: int 0..9 = NumberAt($C, $digit@5, $digit@6, $digit@7, $digit@8)
            yield $C, $B, $W
        }
    } do $C@2: Cell, $B@2: int 0..9, $W@2: int 0..9 {
        ensure moves
        moves[$C@2] = true  (parent present)
    }
}
)");
}

// A look-up by the number and by the row's code, digit by digit. A row has at most 8 neighbours, so
// the highest digit is not needed.
TEST(row_numbers, numbers_looked_up) {
    EXPECT_EQ(
        swept(R"J("constants": {"lives": {"black": {"2": true, "3": true}, "white": {"3": true}}},
    "play": [{"name": "stays",
        "condition": {"near": {"$C": {"@count": {"of": {"$D": true, "@root": {"board": {"$D": "black"}}},
                                               "into": "$N"}}},
                      "board": {"$C": "$S"}, "lives": {"$S": {"$N": true}}},
        "action": {"moves": {"$C": true}}}])J"),
        R"(
group play {
    rule stays {
        digits $digit: set of Cell, $digit@2: set of Cell, $digit@3: set of Cell, $digit@4: set of Cell = Counts2(RowsWith(board[#black?]))
        test Present(board)
        $rows@5: set of Cell = Without(Both($digit@2, Either(Both($digit, Rows(board)), Without(RowsWith(board[#black?]), $digit))), $digit@3)
        each $C: Cell in Both(Both(Rows(board), $rows@5), $rows@5) {
            $N: int 0..9 = NumberAt($C, $digit, $digit@2, $digit@3, $digit@4)
            $S: text of Stone = board[$C]
            yield $C, $N, $S
        }
    } do $C@2: Cell, $N@2: int 0..9, $S@2: text of Stone {
        ensure moves
        moves[$C@2] = true  (parent present)
    }
}
)");
}

TEST(row_numbers, rows_at_a_distance) {
    EXPECT_EQ(swept(R"J("play": [{"name": "far",
        "condition": {"near": {"$C": {}}, "board": {"@count": {"of": {"$E": {}, "@root": {"near": {
            "$C": {"$E": "@absent", "@count": {"of": {"$D": true, "@root": {"near": {"$E": {"$D": true}}}},
                                              "into": ">= 2"}}}}}, "into": "$N"}}, "_": "$N == 1"},
        "action": {"moves": {"$C": true}}}])J"),
              R"(
group play {
    rule far {
        test Present(board)
        $rows: set of Cell = Rows(board)
        each $C: Cell in AllRows<Cell> {
            $N: int 0..9 = CountRows(Both($rows, TableRows11[$C]))
            test $N == 1
            yield $C, $N
        }
    } do $C@2: Cell, $N@2: int 0..9 {
        ensure moves
        moves[$C@2] = true  (parent present)
    }
}
)");
}

TEST(row_numbers, alternatives_of_which_one_can_hold) {
    EXPECT_EQ(swept(R"J("play": [{"name": "one",
        "condition": {"near": {"$C": {}}, "@any": [{"_": "$C == 'a1'"}, {"_": "$C == 'b2'"}]},
        "action": {"moves": {"$C": true}}}, {"name": "both",
        "condition": {"near": {"$C": {}}, "@any": [{"_": "$C == 'a1'"}, {"_": "$C != 'b2'"}]},
        "action": {"moves": {"$C": true}}}])J"),
              R"(
group play {
    rule one {
        each $C: Cell in TableRows6[] {
            yield $C
        }
    } do $C@2: Cell {
        ensure moves
        moves[$C@2] = true  (parent present)
    }
    rule both {
        each $C@3: Cell in AllRows<Cell> {
            either {
                test Table4[$C@3]
                yield
            } or {
                test Table5[$C@3]
                yield
            } then {
                yield $C@3
            }
        }
    } do $C@4: Cell {
        ensure moves
        moves[$C@4] = true  (parent present)
    }
}
)");
}

// Two of the three rows have a neighbour before them, and two have one after them.
TEST(row_numbers, shifts_of_a_table) {
    LookupTable table;
    table.sizes = {4};
    table.words = {0, 0b010, 0b101, 0b010}; // for code 0, then for each row its neighbours
    const auto found = shifts_of(table, 3);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->most, 2);
    ASSERT_EQ(found->all.size(), 2);
    EXPECT_EQ(found->all[0].by, -1);
    EXPECT_EQ(found->all[0].rows, std::vector<std::uint64_t>{0b110});
    EXPECT_EQ(found->all[1].by, 1);
    EXPECT_EQ(found->all[1].rows, std::vector<std::uint64_t>{0b011});
}

TEST(row_numbers, too_many_shifts) {
    LookupTable table;
    constexpr std::uint32_t kRows = 40;
    table.sizes = {kRows + 1};
    table.words.assign(kRows + 1, 1); // the first row is in every set
    EXPECT_FALSE(shifts_of(table, kRows));
}

} // namespace
} // namespace croupier::engine::form
