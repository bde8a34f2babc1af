// Conditions of the model: plain backtracking over the tree, one entry after the other.
#pragma once

#include "engine/reference/evaluate.h"
#include "engine/reference/world.h"

#include <vector>

namespace croupier::engine::reference {

// All matches of the rule's condition at the root of `scope`, or the first one.
std::vector<Match> find_matches(const Rule& rule, Scope& scope);

// A match with the nodes that it stands on: those of the entries outside all directives, in order.
struct Standing {
    Match match;
    std::vector<Path> nodes;
    std::size_t first = 0; // so many of them belong to the condition's first entry
};
std::vector<Standing> find_standing(const Rule& rule, Scope& scope);

} // namespace croupier::engine::reference
