// A rule as part of a chain: what becomes of it when its group is one piece of code.
#pragma once

#include "engine/plan/planted.h"
#include "engine/plan/step.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace croupier::engine {

// What is known of variables where a rule has matched.
struct KnownVariables {
    std::map<std::string, std::uint16_t> bound;       // their registers,
    std::map<std::uint16_t, std::uint32_t> domain_of; // whose members they are,
    std::map<std::uint16_t, Value> literal_of;        // or what they are
};

struct Chained {
    enum class Kind {
        Rows,  // finds a mask of rows and adds them to the set at `target`
        Inner, // matches at most once and runs the rules of `inner`
        Clear, // matches at most once and removes the node at `target`
        Act,   // acts on each match as soon as it is found: there is one at most, or that is safe
        Apply, // anything else: applied as a rule by itself, behind the tests in `steps`
        Never, // cannot match, whatever the state
    };
    Kind kind = Kind::Apply;
    const Rule* rule = nullptr;
    RuleId id = kNone;
    std::vector<Step> steps;
    Site target;
    std::vector<Chained> inner;
    KnownVariables known; // Act: what its action finds
    // Act: the action is code of the rule itself, whose variables are elsewhere.
    struct Move {
        std::uint16_t to = kNoRegister;
        std::uint16_t from = kNoRegister;
    };
    bool has_own_code = false;
    std::vector<Move> moves;
    std::uint32_t most = 1; // Rows, Act: matches, if the loops find all that they can

    // It may change what rules after it read.
    [[nodiscard]] bool is_barrier() const {
        return kind == Kind::Clear || (kind == Kind::Act && !CROUPIER_PLANTED(ActIsNoBarrier)) ||
               kind == Kind::Apply;
    }
};

} // namespace croupier::engine
