// Turns a program's groups into the intermediate form, in its general way: rules as they are
// written, nothing yet known of types and declared nodes.
#pragma once

#include "engine/form/form.h"

namespace croupier::engine::form {

// May add symbols and types to the catalogue, so states must be made afterwards. Rules and groups
// keep their numbers. The passes are still to be run. `observed` adds Try, Pass, Before, After and
// what each failure cuts, for observers.
std::unique_ptr<Module> build(Catalogue& catalogue, bool observed = false);

} // namespace croupier::engine::form
