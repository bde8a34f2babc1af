// Groups that show mistakes of the intermediate form, and reach rewrites of its passes.
#include "engine/reference/skeletons.h"

namespace croupier::engine::reference {

namespace {

constexpr Skeleton kForm[] = {
    // Keys that may be no members, and integers that are theirs.
    {"round best trick",
     R"~([{"condition": {"round": "$N", "best": "$C"}, "action": {"trick": {"$N": "$C"}}}])~"},
    {"round trick",
     R"~([{"condition": {"round": "$N", "trick": {"$N": "$C"}}, "action": {"last": "$C"}},
        {"condition": {"round": "$N"}, "action": {"trick": {"$N": "@remove"}}}])~"},
    {"round hands best",
     R"~([{"condition": {"round": "$N", "best": "$C"}, "action": {"hands": {"$N": {"$C": "@remove"}}}},
        {"condition": {"round": "$N", "hands": {"$N": {"$C": true}}}, "action": {"last": "$C"}}])~"},
    {"turn trick best",
     R"~([{"condition": {"turn": "$P", "best": "$C", "_": "$X = $P + 1"},
         "action": {"trick": {"$X": "$C"}}}])~"},
    {"turn hands trick",
     R"~([{"condition": {"turn": "$P", "_": "$X = $P + 1", "hands": {"$X": {"$C": true}}},
         "action": {"last": "$C"}},
        {"condition": {"turn": "$P", "_": "$X = $P - 3", "trick": {"$X": "$C"}},
         "action": {"last": "$C"}}])~"},
    {"points hands",
     R"~([{"condition": {"points": {"$P": "$N"}, "_": "$X = $N - 3", "hands": {"$X": {"$C": true}}},
         "action": {"last": "$C"}}])~"},
    {"trick",
     R"~([{"condition": {"_": "$K = 'zzz'", "@not": {"trick": {"$Q": "$K"}}}, "action": {"last": 1}},
        {"condition": {"_": "$K = 'zzz'", "trick": {"$K": "$C"}}, "action": {"last": "$C"}},
        {"condition": {"_": "$K = 'zzz'", "@not": {"trick": {"$K": "!= $K"}}}, "action": {"none": 1}}])~"},
    {"turn hands",
     R"~([{"condition": {"_": "$K = 7", "turn": "!= $K", "@not": {"hands": {"$K": {"$C": true}}}},
         "action": {"last": 1}}])~"},
    // Integers: of which there may be none, out of range, of several results.
    {"points", R"~([{"condition": {"points": {"0": "> -3"}}, "action": {"last": 0}},
        {"condition": {"points": {"1": "> -3"}}, "action": {"last": 1}}])~"},
    {"points",
     R"~([{"condition": {"points": {"$P": "$N"}, "_": "($N + 3) * 9223372036854775807 > 5"},
         "action": {"last": "$P"}}])~"},
    {"turn", R"~([{"condition": {"@any": [{"_": "$X = 1"}, {"turn": "$P", "_": "$X = $P + 5"}],
                       "_": "$X < 3"},
         "action": {"last": "$X"}}])~"},
    {"turn led",
     R"~([{"condition": {"@any": [{"turn": "$X"}, {"_": "$X = 3"}, {"led": "$X"}]},
         "action": {"last": "$X"}}])~"},
    {"points turn",
     R"~([{"condition": {"points": {"$P": "$N"}, "turn": "$T", "_": "!($T == 0 && $N > 3)", "_@2": "$T == 0"},
         "action": {"last": "$P"}},
        {"condition": {"points": {"$P": "$N"}, "_": "!($N > 1 && $N < 30000)"}, "action": {"low": "$P"}},
        {"condition": {"points": {"$P": "$N"}, "_": "$X = ($N > 3)"}, "action": {"high": "$X"}}])~"},
    {"hands", R"~([{"condition": {"hands": {"$P": {"$C": true}}, "_": "$X = 5000000000 + $P"},
         "action": {"total": "$X"}}])~"},
    {"hands trick round",
     R"~([{"condition": {"@count": {"of": {"trick": {"$P": "@any"}}, "into": "$N:Slot"}},
         "action": {"last": "$N"}},
        {"condition": {"@count": {"of": {"hands": {"$P": {"$C": true}}}, "into": "$N:Seat"}},
         "action": {"last": "$N"}}])~"},
    {"hands cards",
     R"~([{"condition": {"@max": {"of": {"hands": {"$P": {"$C": true}}, "cards": {"$C": {"rank": "$R"}}},
                                "value": "$R + 1000", "into": "$N:Seat"}},
         "action": {"last": "$N"}},
        {"condition": {"@min": {"of": {"hands": {"$P": {"$C": true}}, "cards": {"$C": {"rank": "$R"}}},
                                "value": "$R + 5", "into": "$N"}},
         "action": {"least": "$N"}}])~"},
    {"turn", R"~([{"condition": {"turn": "$P", "_": "$X = ($P == 0 ? 'a' : 'b')"}, "action": {
    "last" : "$X"
}
}])~"},
    // Errors, which stay where they are.
    {"led",
     R"~([{"condition": {"led": "$S", "_": "$S + 1 > 2 || 1 == 1"}, "action": {"last": "$S"}}])~"},
    {"led",
     R"~([{"condition": {"led": "$S", "_": "$S + 1 > 2", "_@2": "1 == 2"}, "action": {"last": "$S"}},
        {"condition": {"led": "$S", "@not": {"_": "$X = $S + 1"}}, "action": {"last": "$S"}}])~"},
    // Sets of rows: where nothing is, where something else is, how many there are.
    {"hands trick",
     R"~([{"condition": {"hands": {"$P": {}}, "@not": {"trick": {"$P": ["c0", "c1"]}}},
         "action": {"last": "$P"}},
        {"condition": {"@not": {"trick": {"$_": ["c0", "c1"]}}}, "action": {"none": true}}])~"},
    {"moves hands",
     R"~([{"condition": {"@not": {"moves": {"$_": true}}, "hands": {"$P": {"$C": true}}},
         "action": {"moves": {"$C": true}}},
        {"condition": {"@exists": {"moves": {"$_": true}}}, "action": {"some": true}},
        {"condition": {"@count": {"of": {"moves": {"$_": true}}, "into": "$N"}}, "action": {"last": "$N"}}])~"},
    {"hands trick",
     R"~([{"condition": {"hands": {"$P": {}}, "@exists": {"@count": {"of": {"trick": {"$Q": "@any"}}, "into": "$N"}}},
         "action": {"last": "$P"}},
        {"condition": {"hands": {"$P": {"@count": {"of": {"$_": true}, "into": "> 1"}}}},
         "action": {"many": "$P"}}])~"},
    // What is known, and what is not any more.
    {"turn hands",
     R"~([{"condition": {"turn": "$T", "hands": {"$P": {"$C": true}}},
         "action": [{"condition": {"turn": "$T"}, "action": {"turn": "$P"}},
                    {"condition": {"turn": "$Q"}, "action": {"last": "$Q"}}]}])~"},
    {"turn led",
     R"~([{"condition": {"turn": "$P", "led": "$S"},
         "action": [{"condition": {"led": "$S"}, "action": {"led": "@remove"}, "repeat": 3},
                    {"condition": {"led": "@absent"}, "action": {"last": "$P"}}]}])~"},
    {"moves hands",
     R"~([{"condition": {"moves": "@absent", "hands": {"$P": {"$C": true}}},
         "action": [{"condition": {"moves": "@absent"}, "action": {"last": "$C"}},
                    {"action": {"moves": {"$C": true}}}]}])~"},
    {"led",
     R"~([{"action": {"led": "@remove"}}, {"condition": {"led": "@any"}, "action": {"last": 1}},
        {"action": {"led": "red"}}])~"},
    {"turn", R"~([{"condition": {"turn": "$P"},
         "action": [{"action": {"turn": 0}}, {"condition": {"turn": "$Q"}, "action": {"last": "$Q"}},
                    {"condition": {"turn": "$P"}, "action": {"same": "$P"}}]}])~"},
    {"led",
     R"~([{"condition": {"led": ["x", "y"], "led@2": ["x", "y", "2"]}, "action": {"last": 1}},
        {"condition": {"led": ["x", "y", "2"], "led@2": ["y", "2"]}, "action": {"last": 2}}])~"},
    // Rounds, matches and groups.
    {"led", R"~([{"action": {"led": "red"}},
        {"condition": {"led": "red"}, "action": {"led": "x"}, "else": {"last": 1}, "repeat": 3}])~"},
    {"hands",
     R"~([{"condition": {"hands": {"$P": {"$C": true}}}, "action": [{"action": {"last": "$C"}}]}])~"},
    {"turn",
     R"~([{"condition": {"turn": "$P", "_": "$Q = $P"}, "action": {"last": [{"$P": 1, "$Q": 2}]}}])~"},
};

} // namespace

std::span<const Skeleton> skeletons_of_form() {
    return kForm;
}

} // namespace croupier::engine::reference
