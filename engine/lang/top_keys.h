// The documented keys of a ruleset's outermost object.
#pragma once

#include "engine/lang/reading.h"

namespace croupier::engine {

// All documented keys, for suggestions.
const Words& top_keys();

// False for the documented keys that hold data or definitions. Every other key may name a group.
bool is_group_key(std::string_view key);

// setup, moves, play, ..: a group by its name alone.
bool is_known_group(std::string_view key);

} // namespace croupier::engine
