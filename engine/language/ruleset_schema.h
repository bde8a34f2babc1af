// The JSON Schema of rulesets, for editors, with the names that one ruleset brings.
#pragma once

#include "engine/language/ruleset.h"
#include "engine/text/document.h"
#include "engine/text/source.h"

namespace croupier::engine {

// `schema` is that of all rulesets (engine/ruleset.schema.json). In the one returned, `options` and
// `option_values` name the ruleset's options, each with its default and what `option_values` says
// that it may be, and shapes offer the ruleset's types. Further names are still allowed, since a
// revision may add them. `sources` are those that the ruleset was read from.
Document schema_for(const Ruleset& ruleset, const Sources& sources, Document schema);

} // namespace croupier::engine
