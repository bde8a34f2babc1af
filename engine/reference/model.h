// The rule language executed slowly and obviously, to check the compiled engine against.
//
// Written from LANGUAGE.md and its decisions (D1..) alone: plain ordered trees, plain backtracking,
// every path walked from the root. Shares only the reader with the engine.
#pragma once

#include "engine/lang/ruleset.h"
#include "engine/reference/faults.h"
#include "engine/reference/node.h"
#include "engine/reference/world.h"
#include "engine/run/error.h"
#include "engine/run/random.h"

#include <vector>

namespace croupier::engine::reference {

// All matches of one rule's condition at the root of the state. Throws RunFailure.
std::vector<Match> find_matches(const Ruleset& ruleset, const Rule& rule, const Node& state,
                                Random& random, const Budgets& budgets = {});

// Runs a group at the root of the state. A state that its declared shape does not permit is an
// error of kind Shape without a rule; otherwise its domain maps are put in order first.
Outcome run_group(const Ruleset& ruleset, const Group& group, Node& state, Random& random,
                  const Budgets& budgets = {}, Fault fault = Fault::None);

} // namespace croupier::engine::reference
