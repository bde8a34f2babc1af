// Which variables a condition binds: the columns of its matches.
#pragma once

#include "engine/reference/world.h"

#include <string>
#include <vector>

namespace croupier::engine::reference {

// The variables that a condition binds for what follows it, in the order of their first mention,
// without those that `outer` has already.
std::vector<std::string> variables_of(const Pattern& condition, const Bindings& outer);

} // namespace croupier::engine::reference
