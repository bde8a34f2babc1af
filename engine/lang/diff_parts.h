// Everything of a ruleset but its rules, as one tree for comparing.
#pragma once

#include "engine/lang/ruleset.h"

namespace croupier::engine {

// An object with the keys game, types, shape, state, .. and the spans of what they were made from.
Document parts_of(const Ruleset& ruleset);

} // namespace croupier::engine
