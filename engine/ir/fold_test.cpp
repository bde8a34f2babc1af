// What the pass `fold` leaves of rules, as text.
#include "engine/ir/build_testing.h"

namespace croupier::engine::ir {
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
        $N: int 0..1 = 0
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

// Errors of the choice and of what is chosen are at two places.
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
} // namespace croupier::engine::ir
