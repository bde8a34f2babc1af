// Whether two expressions are the same text.
#pragma once

#include "engine/ir/ir.h"

namespace croupier::engine::ir {

// Node by node, notes left aside. Variables are the same if they are one.
bool same_expression(const Module& module, const Function& function, Id a, Id b);

} // namespace croupier::engine::ir
