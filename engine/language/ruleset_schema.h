// The JSON Schema of rulesets, for editors, with the names of one ruleset.
#pragma once

#include "engine/language/ruleset.h"
#include "engine/text/document.h"
#include "engine/text/source.h"

namespace croupier::engine {

// `schema` is the schema of all rulesets (engine/ruleset.schema.json). In the result, `options` and
// `option_values` name the ruleset's options with their defaults and allowed values, and shapes
// offer its types. Other names are still allowed, since a revision may add them. `sources` are the
// texts that the ruleset was read from.
Document schema_for(const Ruleset& ruleset, const Sources& sources, Document schema);

} // namespace croupier::engine
