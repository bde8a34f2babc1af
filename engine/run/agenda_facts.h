// What is known of an agenda group's rules before they run by machine code: how a match lies in
// memory, which nodes it stands on, and which of these an action may change.
#pragma once

#include "engine/ir/ir.h"

#include <cstdint>
#include <span>
#include <vector>

namespace croupier::engine {

struct AgendaFacts {
    // A bit for each rule of the group.
    using Rules = std::uint64_t;
    // Bytes of the state's block.
    struct Range {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };
    // A variable of a match: where it begins, in words. It takes two if it may have any value.
    struct Place {
        ir::Type type;
        std::uint32_t word = 0;
    };
    struct Rule {
        std::uint32_t width = 0; // of a match, in words
        bool has_any = false;    // a variable that may have any value
        std::vector<Place> variables;
        std::span<const BasisPath> basis;
        // Of the rule's action:
        Rules concerned = 0;       // their matches may stand on what it writes
        Rules ended = 0;           // none of their matches outlives it
        std::vector<bool> writes;  // schemas that some match stands on and it may write
        std::vector<Range> ranges; // where these are
    };

    AgendaFacts(const ir::Module& module, const ir::Function& function, const ir::Node& group);

    const GroupPlan* group = nullptr;
    std::vector<Rule> rules;
};

} // namespace croupier::engine
