// What the pass `facts` leaves of rules, as text.
#include "engine/ir/build_testing.h"

namespace croupier::engine::ir {
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
} // namespace croupier::engine::ir
