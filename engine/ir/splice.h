// Searches that become a part of the search around them.
#pragma once

#include "engine/ir/edit.h"

namespace croupier::engine::ir {

// Of alternatives of which one is left: in the place of its result, if it has only one such place,
// `rest` goes on with the result's values as variables `result` and following. False: it has
// several.
bool splice(Editor& edit, VarId result, BlockId search, BlockId rest);

// It goes through its statements once, without loops, and ends in a result.
bool is_straight(const Function& function, BlockId search);

} // namespace croupier::engine::ir
