// The intermediate form as text, for engineers: a statement a line, blocks indented.
#pragma once

#include "engine/form/form.h"

#include <string>
#include <vector>

namespace croupier::engine::form {

// What types, values, places and variables of the intermediate form are called in texts.

// "int 0..7", "Card", "set of Card".
std::string name_of(const Module& module, const Type& type);
// "$C", "$C@2" for the second of that name; by variable.
std::vector<std::string> variable_texts(const Function& function);

// With `notes`, behind each statement what it and its operands come from, and what it cuts.
std::string to_text(const Module& module, const Function& function, bool notes = false);
// The same of one statement with all inside it.
std::string statement_to_text(const Module& module, const Function& function, Id statement,
                              bool notes = false);

} // namespace croupier::engine::form
