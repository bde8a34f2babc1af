// The intermediate form as text, for engineers: a statement a line, blocks indented.
#pragma once

#include "engine/form/form.h"

#include <string>
#include <vector>

namespace croupier::engine::form {

// Texts for types, values, places and variables of the intermediate form.

// "int 0..7", "Card", "set of Card".
std::string name_of(const Module& module, const Type& type);
// By variable: "$C", or "$C@2" for the second of that name.
std::vector<std::string> variable_texts(const Function& function);

// `notes` adds to each statement the origins of it and its operands, and what it cuts.
std::string to_text(const Module& module, const Function& function, bool notes = false);
// The text of one statement with all inside it.
std::string statement_to_text(const Module& module, const Function& function, Id statement,
                              bool notes = false);

} // namespace croupier::engine::form
