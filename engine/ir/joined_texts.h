// Comparisons with texts that are joined of codes.
#pragma once

#include "engine/ir/edit.h"

namespace croupier::engine::ir {

// Whether one side, a text of a list, is what the other one joins becomes a comparison of codes:
// the joined text is looked for in the list. Nothing else changes.
void compare_joined_text(Editor& edit, Id compare);

} // namespace croupier::engine::ir
