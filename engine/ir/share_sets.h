// Sets of rows that several searches make alike.
#pragma once

#include "engine/ir/ir.h"

namespace croupier::engine::ir {

// A set that a search makes twice is made once; one that several rules of a group at once make,
// which all look at the same state, is made before the group.
void share_sets(Module& module, Function& function);

} // namespace croupier::engine::ir
