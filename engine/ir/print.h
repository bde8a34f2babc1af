// The intermediate form as text, for engineers: a statement a line, blocks indented.
#pragma once

#include "engine/ir/ir.h"

#include <string>

namespace croupier::engine::ir {

// With `notes`, behind each statement what it and its operands come from, and what it cuts.
std::string to_text(const Module& module, const Function& function, bool notes = false);
// The same of one statement with all inside it.
std::string statement_to_text(const Module& module, const Function& function, Id statement,
                              bool notes = false);

} // namespace croupier::engine::ir
