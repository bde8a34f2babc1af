// Whether the tests of a rule are done in the order in which they are written.
#pragma once

#include "engine/ir/ir.h"

namespace croupier::engine::ir {

// Of the module after all passes: where tests have become sets of rows, they are done at once.
bool keeps_order(const Module& module, RuleId rule);

} // namespace croupier::engine::ir
