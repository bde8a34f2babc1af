// What rules read at the root of the state without its being part of it: `constants`, and the
// relations of the domains.
#pragma once

#include "engine/lang/ruleset.h"
#include "engine/reference/node.h"

namespace croupier::engine::reference {

// A root whose children are the names that rules see and cannot change.
Node build_constants(const Ruleset& ruleset);

} // namespace croupier::engine::reference
