// From the document that all files make together to a Ruleset.
#pragma once

#include "engine/lang/reader.h"
#include "engine/lang/reading.h"

namespace croupier::engine {

// `document` is a normalized file with all overlays. Mistakes are reported; what could be read is
// returned. Checks that need the whole ruleset come later.
Ruleset parse_ruleset(Reading& reading, const Document& document, const LoadSettings& settings);

} // namespace croupier::engine
