// What rules out an agenda's rule at a glance.
#pragma once

#include "engine/catalogue/agenda_plan.h"
#include "engine/lang/pattern.h"
#include "engine/tree/state.h"

#include <vector>

namespace croupier::engine {

// The root's declared fields that must be there, or must not, for the condition to match; only
// those that it comes to before anything that could end in an error. A constant of the same name
// may stand for a field. `constants` may be null.
std::vector<AgendaRule::Guard> guards_of(const Pattern& condition, const Layout& layout,
                                         const Symbols& symbols, const State* constants);

} // namespace croupier::engine
