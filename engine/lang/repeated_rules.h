// Gives rules that stand in several places, since their file was included there, names of their
// own.
#pragma once

#include "engine/text/document.h"

namespace croupier::engine {

// A named rule whose name has stood in an earlier place already is called after the rule or group
// around it as well: "derive-start/kinds". `whole` is a normalized file with all overlays, so that
// later files have still known the rule by its own name.
void name_repeated_rules(Document& whole);

} // namespace croupier::engine
