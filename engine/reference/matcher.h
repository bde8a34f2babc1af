// Conditions of the model: plain backtracking over the tree, one entry after the other.
#pragma once

#include "engine/reference/evaluate.h"
#include "engine/reference/world.h"

#include <vector>

namespace croupier::engine::reference {

// All matches of the rule's condition at the root of `scope`, or the first one.
std::vector<Match> find_matches(const Rule& rule, Scope& scope);

} // namespace croupier::engine::reference
