// What the files that build a rule share.
#pragma once

#include "engine/clips/rule_build.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace croupier::engine::clips {

// Equal for equal places, values and tests: what sharing goes by.
inline std::string place_key(const Place& place) {
    return fmt::format("{}.{}.{}.{}.{}", static_cast<int>(place.kind), place.slot, place.index,
                       place.after, place.marker);
}

inline std::string value_key(const Value& value) {
    return fmt::format("{}:{:x}", static_cast<int>(value.type), value.bits);
}

inline void add(Tests& into, Test test, const std::string& key) {
    into.all.push_back(std::move(test));
    into.key += key;
    into.key += ';';
}

inline void append(Tests& into, Tests&& more) {
    for (Test& test : more.all)
        into.all.push_back(std::move(test));
    into.key += more.key;
}

// Nodes that a pattern needs, before it is known which exist.
struct Builder::Compiled {
    std::vector<PatternNode> nodes;
    std::vector<Value> constants; // of a selector: what its child stands for
    Tests joint;
    std::vector<KeyPart> left_keys;
    std::vector<KeyPart> right_keys;
    // From where a variable of an earlier pattern stands again, this pattern reads it here: what
    // follows is a matter of the pattern alone, as in CLIPS, whose `matches` shows the difference.
    std::vector<std::pair<const Text*, LhsVariable>> elsewhere;
    std::string right_key; // CLIPS's own part of the key, which tells nodes apart
};

} // namespace croupier::engine::clips
