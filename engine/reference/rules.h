// Rules and groups of the model: who matches when, and who acts.
#pragma once

#include "engine/reference/world.h"

namespace croupier::engine::reference {

// Runs a group at the root of `scope`, with its variables bound.
void run_rules(const Group& group, Scope& scope);

} // namespace croupier::engine::reference
