// Variables that are read once, right where they are set.
#pragma once

#include "engine/ir/ir.h"

namespace croupier::engine::ir {

// What has one reader, in the test or the definition right behind it, is computed there: then a set
// of rows or a table can be made of the whole. The rules' own variables stay.
void put_in_place(Function& function);

} // namespace croupier::engine::ir
