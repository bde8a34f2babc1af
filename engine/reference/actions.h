// Actions of the model: the state is changed, entry by entry, until it agrees with the template.
#pragma once

#include "engine/reference/world.h"

namespace croupier::engine::reference {

// Runs the action at the root of `scope`, with its variables.
void act(const Action& action, Scope& scope);

// @call (D37-D40).
void call_function(const ActionEntry& entry, Scope& scope);

} // namespace croupier::engine::reference
