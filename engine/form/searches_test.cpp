// Orders of rows, and whole searches as sets of rows, after the passes, as text.
#include "engine/form/testing.h"

namespace croupier::engine::form {

namespace {

constexpr const char* kBoard = R"J(
    "types": {"Cell": {"grid": [3, 3], "near": "rook", "step": "rook", "ray": "rook"},
              "Stone": ["black", "white"]},
    "constants": {"leaps": {"a1": {"c2": 2, "b3": 1}, "b2": {"c3": 4, "a1": 3}, "c1": {"b3": 6, "a2": 5}}},
    "shape": {"board": {"$:Cell": "Stone"}, "moves": {"$:Cell": true}, "last": "Cell", "won": "Stone"},
    )J";

std::string together(const std::string& rules) {
    return after("together", "{" + std::string(kBoard) + "\"play\": [" + rules + "]}");
}

TEST(orders, are_kept_where_actions_show_them) {
    EXPECT_EQ(together(R"J({"name": "seen",
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
    } do $D@5: Cell {
        last = $D@5
    }
}
)");
}

TEST(orders, are_dropped_where_nothing_shows_them) {
    EXPECT_EQ(together(R"J({"name": "unseen",
        "condition": {"board": {"$C": {}}, "@not": {"leaps": {"$C": {"$D": "> 2"}}, "board": {"$D": "white"}}},
        "action": {"last": "$C"}})J"),
              "");
}

TEST(orders, are_kept_where_errors_show_them) {
    EXPECT_EQ(together(R"J({"name": "error",
        "condition": {"board": {"$C": {}}, "@exists": {"leaps": {"$C": {"_D": {}, "$D": "$N"}}, "_": "$C - $N > 3"}},
        "action": {"last": "$C"}})J"),
              "");
}

TEST(searches, along_rays_become_a_set) {
    EXPECT_EQ(together(R"J({"name": "flips",
        "condition": {"near": {"$C": {}}, "board": {"$C": "@absent"},
            "@exists": {"ray": {"$W": {"$C": {"$E": "$N"}}}, "_": "$N > 1", "board": {"$E": "black"},
                        "@not": {"ray": {"$W": {"$C": {"$B": "< $N"}}}, "@not": {"board": {"$B": "white"}}}}},
        "action": {"moves": {"$C": true}}})J"),
              "");
}

TEST(searches, for_a_first_match_become_a_set) {
    EXPECT_EQ(together(R"J({"name": "won", "first": true,
        "condition": {"board": {"$A": "$P"}, "step": {"$D": {"$A": "$B"}}, "board@b": {"$B": "$P"}},
        "action": {"won": "$P"}})J"),
              "");
}

TEST(searches, for_a_first_match_stay_if_the_action_reads_their_loops) {
    EXPECT_EQ(together(R"J({"name": "won", "first": true,
        "condition": {"board": {"$A": "$P"}, "step": {"$D": {"$A": "$B"}}, "board@b": {"$B": "$P"}},
        "action": {"last": "$B"}})J"),
              "");
}

} // namespace

} // namespace croupier::engine::form
