// JSON applied to a state from outside the rules: what an action would do, in one call.
#pragma once

#include "engine/catalogue/catalogue.h"

namespace croupier::engine {

// Makes the state agree with `action`, an object read as an action is ([L7.1] to [L7.12]): values
// are set, objects entered, lists put, "@remove" removes; @root, @path(..) and @parent lead where
// they do in rules. There is no rule around it, so that variables, expressions, @rules, @call and
// @print are mistakes. All or nothing: on any mistake, of form or against the shape, the state
// stays as it is, false is returned and `diagnostics` has all of them. `sources` holds the text of
// `action`.
bool apply(const Catalogue& catalogue, State& state, const Document& action, const Sources& sources,
           Diagnostics& diagnostics);

} // namespace croupier::engine
