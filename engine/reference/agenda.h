// Agenda groups of the model: all matches are found anew before each firing.
#pragma once

#include "engine/reference/world.h"

namespace croupier::engine::reference {

void run_agenda(const Group& group, Scope& scope);

} // namespace croupier::engine::reference
