// Turns a program's groups into the intermediate form, in its general way: rules as they are
// written, nothing yet known of types and declared nodes.
#pragma once

#include "engine/form/form.h"

namespace croupier::engine::form {

// The catalogue may get new symbols and types, so that states are to be made afterwards, and passes
// to be run. Its rules and groups keep their numbers. `observed`: with Try, Pass, Before, After and
// what each failure cuts, for those who watch.
std::unique_ptr<Module> build(Catalogue& catalogue, bool observed = false);

} // namespace croupier::engine::form
