// Tests that a later one makes needless.
#pragma once

#include "engine/ir/ir.h"

namespace croupier::engine::ir {

// A test goes if a stricter one follows in its search with nothing between that anybody could tell
// was done: whether `hands[$P][$D]` is there says as much of `hands`. Comes before anything is
// concluded from tests, such as that other variables are surely codes.
void drop_implied(const Module& module, Function& function);

} // namespace croupier::engine::ir
