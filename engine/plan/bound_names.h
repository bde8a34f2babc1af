// Which variables a condition binds, told from its text alone.
#pragma once

#include "engine/lang/pattern.h"

#include <string>
#include <vector>

namespace croupier::engine {

// Those that every alternative of an @any binds, in the order of the first.
std::vector<std::string> common_names(const std::vector<Pattern>& alternatives);

} // namespace croupier::engine
