// Groups such as games have them: decision lists, joins over declared domains, counts, neighbours.
#include "engine/reference/json.h"
#include "engine/reference/skeletons.h"
#include "engine/reference/writer.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string_view>

namespace croupier::engine::reference {

namespace {

constexpr Skeleton kSkeletons[] = {
    // Follow suit, else anything.
    {"moves led hands cards turn",
     R"([{"condition": {"turn": "$P", "led": "$S", "hands": {"$P": {"$C": "@any"}},
                       "cards": {"$C": {"suit": "$S"}}},
         "action": {"moves": {"$C": true}}},
        {"condition": {"moves": "@absent", "turn": "$P", "hands": {"$P": {"$C": true}}},
         "action": {"moves": {"$C": true}}}])"},
    // The same with the join the other way round, and nothing chosen so far.
    {"led cards turn hands moves",
     R"([{"condition": {"led": "$S", "cards": {"$C": {"suit": "$S", "rank": "> 2"}}, "turn": "$P",
                       "hands": {"$P": {"$C": {}}}},
         "action": {"moves": {"$C": true}}},
        {"condition": {"@not": {"moves": {"$_": {}}}, "hands": {"$P": {"$C": true}}, "turn": "$P"},
         "action": {"moves": {"$C": true}}}])"},
    // Only cards that beat the best of the trick.
    {"trick cards turn hands moves",
     R"([{"condition": {"@max": {"of": {"trick": {"$P": "$T"}, "cards": {"$T": {"rank": "$R"}}},
                                "value": "$R", "into": "$BEST"},
                       "turn": "$ME", "hands": {"$ME": {"$C": true}},
                       "cards": {"$C": {"rank": "> $BEST"}}},
         "action": {"moves": {"$C": true}}}])"},
    // Counting: cards of each suit in each hand.
    {"hands cards",
     R"([{"condition": {"hands": {"$P": "@any"},
                       "@count": {"of": {"hands": {"$P": {"$C": true}},
                                         "cards": {"$C": {"suit": "red"}}}, "into": "$N"}},
         "action": {"counted": {"$P": "$N"}}},
        {"condition": {"counted": {"$P": "$N", "$Q": "> $N"}},
         "action": {"longest": "$Q"}}])"},
    {"hands cards",
     R"([{"condition": {"hands": {"$P": {}}, "@sum": {"of": {"hands": {"$P": {"$C": {}}},
                                                 "cards": {"$C": {"rank": "$R"}}},
                                          "value": "$R * 2 + 1", "into": "$SUM"}},
         "action": {"sums": {"$P": "$SUM"}}}])"},
    // Whose turn it is next.
    {"turn next",
     R"([{"condition": {"turn": "$P", "next": {"$P": "$Q"}}, "action": {"turn": "$Q"}}])"},
    {"turn hands",
     R"([{"condition": {"turn": "$P", "hands": {"$Q": {}}, "_": "$Q != $P"},
         "action": {"turn": "$Q"}, "first": true}])"},
    // Playing and taking.
    {"turn hands trick cards",
     R"([{"condition": {"turn": "$P", "hands": {"$P": {"$C": true}}}, "first": true,
         "action": {"trick": {"$P": "$C"}, "hands": {"$P": {"$C": "@remove"}}}},
        {"condition": {"trick": {"$P": "$C", "$Q": "$D"}, "_": "$P < $Q",
                       "cards": {"$C": {"suit": "$S", "rank": "$R"},
                                 "$D": {"suit": "$S", "rank": "< $R"}}},
         "action": {"won": {"$P": {"$D": true}}, "trick": {"$Q": "@remove"}}}])"},
    // Nobody has it.
    {"cards hands",
     R"([{"condition": {"cards": {"$C": {"suit": "red"}}, "@not": {"hands": {"$_": {"$C": {}}}}},
         "action": {"gone": {"$C": true}}}])"},
    {"hands cards",
     R"([{"condition": {"hands": {"$P": "@any"}, "@forall": {"of": {"hands": {"$P": {"$C": {}}}},
                       "holds": {"cards": {"$C": {"rank": "<= 5"}}}}},
         "action": {"low": {"$P": true}}}])"},
    // Boards: growth along neighbours, and a step that changes everywhere at once.
    {"board near",
     R"([{"condition": {"board": {"$C": "$X"}, "near": {"$C": {"$D": true}},
                       "board@2": {"$D": "@absent"}},
         "action": {"board": {"$D": "$X"}}}])"},
    {"near board",
     R"([{"condition": {"near": {"$C": "@any"}, "board": {"$C": "@absent"},
                       "@count": {"of": {"near": {"$C": {"$D": true}}, "board": {"$D": {}}},
                                  "into": 3}},
         "action": {"born": {"$C": true}}},
        {"condition": {"board": {"$C": {}},
                       "@count": {"of": {"near": {"$C": {"$D": true}}, "board": {"$D": {}}},
                                  "into": "< 2"}},
         "action": {"board": {"$C": "@remove"}}}])"},
    // Along lines: from cell to cell, and as far as the view is free.
    {"board step",
     R"([{"condition": {"board": {"$C": "$X"}, "step": {"$W": {"$C": "$D"}}, "board@2": {"$D": "$X"},
                       "step@2": {"$W": {"$D": "$E"}}, "board@3": {"$E": "@absent"}},
         "action": {"lines": {"$W": {"$C": "$E"}}}}])"},
    {"ray board",
     R"([{"condition": {"board": {"$C": "$X"}, "ray": {"$W": {"$C": {"$D": "$N"}}}, "board@2": {"$D": {}},
                       "@not": {"ray@2": {"$W": {"$C": {"$E": "< $N"}}}, "board@3": {"$E": {}}}},
         "action": {"seen": {"$C": {"$D": "$N"}}}}])"},
    // Rules inside an action: they see its variables, and read what the ones before them wrote.
    {"turn hands cards moves",
     R"([{"condition": {"turn": "$P"},
         "action": [
             {"condition": {"hands": {"$P": {"$C": true}}, "cards": {"$C": {"suit": "$S"}}},
              "action": {"moves": {"$C": true}}},
             {"condition": {"moves": {"$C": true}, "hands": {"$Q": {"$C": {}}}, "_": "$Q != $P"},
              "action": {"others": {"$Q": "$C"}}, "else": {"others": 0}},
             {"condition": {"_": "1 == 2", "turn": "$X"}, "action": {"turn": "@remove"}},
             {"condition": {"moves": "@absent", "hands": {"$P": {"$D": true}}},
              "action": {"moves": {"$D": true}}}]}])"},
    {"turn hands next led",
     R"([{"condition": {"hands": {"$P": {"$C": true}}, "next": {"$P": "$Q"}},
         "action": [
             {"condition": {"turn": "$Q", "led": "$S"},
              "action": [{"action": {"turn": "$P"}},
                         {"condition": {"turn": "$R", "_": "$R == $P && $S != $C"},
                          "action": {"led": "@remove", "hands": {"$P": {"$C": "@remove"}}}}]},
             {"condition": {"led": "@absent", "turn": "$T"}, "action": {"last": "$T"}}]}])"},
    // Alternatives of which only one can be.
    {"led cards hands turn moves",
     R"([{"condition": {"turn": "$P",
                       "@any": [{"_": "1 > 2", "led": "$S"}, {"led": "$S", "_": "$S != $P"},
                                {"_": "2 == 3", "led": "$S"}],
                       "hands": {"$P": {"$C": true}}, "cards": {"$C": {"suit": "$S"}}},
         "action": {"moves": {"$C": true}}}])"},
    // Loops over keys of one type, in maps that may hold others.
    {"moves hands turn",
     R"([{"condition": {"moves": {"$C:Card": {}}, "turn": "$P"},
         "action": {"hands": {"$P": {"$C": true}}}},
        {"condition": {"hands": {"$P:Seat": {"$C:Card": {}}}}, "action": {"odd": {"$P": true}}}])"},
    // Loops that may act on each match at once, in one or two maps; and one that may not, since it
    // reads on where it writes.
    {"trick hands moves",
     R"([{"condition": {"trick": {"$P": "$C"}}, "action": {"hands": {"$P": {"$C": true}}}},
        {"condition": {"trick": {"$P": {}}, "moves": {"$C": true}},
         "action": {"hands": {"$P": {"$C": true}}}},
        {"condition": {"hands": {"$P": {"$C": true}}, "trick": {"$P": "$D"}},
         "action": {"trick": {"$P": "$C"}, "moves": {"$D": true}}}])"},
    {"moves hands",
     R"([{"condition": {"hands": {"$P": {"$C": true}}, "moves": {"$C": "@absent"}},
         "action": {"moves": {"$C": true}}},
        {"condition": {"moves": {"$C": true}, "hands": {"$P": {"$C": "@absent"}}},
         "action": {"hands": {"$P": {"$C": true}}}},
        {"condition": {"hands": {"$P": {"@count": {"of": {"$_": true}, "into": "> 1"}}}},
         "action": {"hands": {"$P": "@remove"}}}])"},
    // The first match of a loop, and a group that sees its variables.
    {"hands turn",
     R"([{"condition": {"turn": "$T", "hands": {"$P": {"$C": true}}}, "first": true,
         "action": [{"action": {"turn": "$P"}},
                    {"condition": {"turn": "$Q", "_": "$Q != $T"}, "action": {"last": "$C"}}]}])"},
    // What is known of a byte from the tests and the actions before.
    {"turn led",
     R"([{"condition": {"turn": "$P", "led": ["red", "x"]}, "action": {"led": "y"}},
        {"condition": {"led": "y", "turn": "!= 0"}, "action": {"led": "@remove", "turn": 0}},
        {"condition": {"led": "@absent", "turn": "$Q:Seat"}, "action": {"led": "z", "last": "$Q"}},
        {"condition": {"led": "$S", "_": "$S != 'red'", "turn": 0},
         "action": [{"condition": {"led": "z"}, "action": {"last": "$S"}}]}])"},
    {"led best cards turn",
     R"([{"condition": {"best": "$C", "cards": {"$C": {"suit": "$S"}}, "led": "$S"},
         "action": {"turn": 0}},
        {"condition": {"led": "$S", "best": "$C", "cards": {"$C": {"suit": "!= $S", "rank": "> 2"}}},
         "action": {"led": "red", "last": "$C"}},
        {"condition": {"best": "$C:Card", "led": ["red", "z"], "turn": "$P"},
         "action": {"best": "@remove", "hands": {"$P": {"$C": true}}}}])"},
    // Dealing.
    {"trick", R"([{"action": {"@call": {"shuffle": {"of": "trick"}}}}])"},
    {"turn hands moves",
     R"([{"condition": {"turn": "$P"},
         "action": {"@call": {"choose": {"from": "hands.$P", "into": "moves", "count": 2}}}}])"},
};

Document parsed(const std::string& skeleton) {
    Sources sources;
    Diagnostics diagnostics;
    auto document = read_json(sources, sources.add("skeleton", skeleton), diagnostics);
    if (!document) {
        std::fprintf(stderr, "a skeleton of the generator is not JSON: %s\n", skeleton.c_str());
        std::abort();
    }
    return std::move(*document);
}

} // namespace

bool Writer::is_usable(const Skeleton& skeleton) const {
    std::istringstream needs(skeleton.needs);
    return std::all_of(std::istream_iterator<std::string>(needs), {}, [&](const std::string& need) {
        if (!need.starts_with('#')) return knows(need);
        const DomainPlan* deck = setting_.deck();
        return deck != nullptr && deck->members.size() >= std::stoul(need.substr(1));
    });
}

// The rules of one of the skeletons whose needs are met; none if there is no such.
Document Writer::some_skeleton(std::initializer_list<std::span<const Skeleton>> lists) {
    std::vector<const Skeleton*> usable;
    for (const auto& list : lists) {
        for (const Skeleton& each : list) {
            if (is_usable(each)) usable.push_back(&each);
        }
    }
    if (usable.empty()) return array();
    constexpr std::string_view kLast = "LASTCARD";
    std::string rules = dice_.pick(usable)->rules;
    for (std::size_t at = 0; (at = rules.find(kLast, at)) != std::string::npos;) {
        rules.replace(at, kLast.size(), setting_.deck()->members.back());
    }
    return parsed(rules);
}

Document Writer::table_rules(const Environment& env) {
    Document rules = array();
    for (std::int64_t i = dice_.between(2, 6); i > 0; --i) {
        if (profile_.of_form) {
            for (Member& each : some_skeleton({skeletons_of_form()}).members) {
                append(rules, std::move(each.value));
            }
            continue;
        }
        if (dice_.chance(25)) {
            append(rules, rule(env, 1, GroupMode::Sequential));
            continue;
        }
        Document some = some_skeleton({kSkeletons, skeletons_of_passes()});
        for (Member& each : some.members) {
            if (dice_.chance(12)) add(each.value, "else", action(env, 0));
            append(rules, std::move(each.value));
        }
    }
    if (!chance(feature::kAtOnce, 25)) return rules;
    for (Member& each : rules.members) {
        std::erase_if(each.value.members, [](const Member& part) { return part.key == "repeat"; });
    }
    Document group = entry("at_once", boolean(true));
    add(group, "rules", std::move(rules));
    return group;
}

} // namespace croupier::engine::reference
