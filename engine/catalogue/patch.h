// Applies JSON to a state from outside the rules, like a rule's action.
#pragma once

#include "engine/catalogue/catalogue.h"

namespace croupier::engine {

// Makes the state agree with `action`, an object read as an action ([L7.1] to [L7.12]): sets
// values, enters objects, replaces lists, removes at "@remove"; @root, @path(..) and @parent lead
// where they do in rules. There is no rule around it, so variables, expressions, @rules, @call and
// @print are errors. On any error, of form or against the shape, leaves the state unchanged,
// reports all errors to `diagnostics` and returns false. `sources` holds the text of `action`.
bool apply(const Catalogue& catalogue, State& state, const Document& action, const Sources& sources,
           Diagnostics& diagnostics);

} // namespace croupier::engine
