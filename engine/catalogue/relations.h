// The constant relations that domains bring: near, step and ray of grids, next of ordered domains.
#pragma once

#include "engine/lang/ruleset.h"
#include "engine/text/document.h"

namespace croupier::engine {

// Adds those of all domains to `constants`, an object; domains share relations of one name.
void add_relations(const std::vector<Domain>& domains, Document& constants);

} // namespace croupier::engine
