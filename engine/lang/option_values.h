// What options may be set to.
#pragma once

#include "engine/lang/reading.h"
#include "engine/lang/ruleset.h"

namespace croupier::engine {

// Checks the options, as they are set, against the block `option_values`: for each name a list of
// values, or a leaf as in a shape. What is wrong goes to the reading's diagnostics.
void check_option_values(Reading& reading, const Document& block, const Ruleset& ruleset);

} // namespace croupier::engine
