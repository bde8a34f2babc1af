// The intermediate form as text, for engineers: a statement a line, blocks indented.
#pragma once

#include "engine/ir/ir.h"

#include <string>
#include <vector>

namespace croupier::engine::ir {

// What types, values, places and variables of the intermediate form are called in texts.

// "int 0..7", "Card", "set of Card".
std::string name_of(const Module& module, const Type& type);
std::string name_of(const Module& module, const CodeList& list);
// A type of the program, as after `$X:`.
std::string name_of_program_type(const Module& module, std::uint32_t type);
// "'text'", "\"key\"", "3", "none".
std::string text_of(const Module& module, const Value& value);
// The value behind a code, "none" for 0.
std::string text_of_code(const Module& module, std::uint32_t list, std::int64_t code);
// "play/1:3", of rule and entry; of what is no entry, where it begins in its file: "play/1@120".
std::string text_of_note(const Module& module, NoteId note);
// "hands[$P][$C]" from the texts of the rows; the root is "(root)".
std::string text_of_place(const Module& module, SchemaId schema,
                          const std::vector<std::string>& rows);
// "$C", "$C@2" for the second of that name; by variable.
std::vector<std::string> variable_texts(const Function& function);

// With `notes`, behind each statement what it and its operands come from, and what it cuts.
std::string to_text(const Module& module, const Function& function, bool notes = false);
// The same of one statement with all inside it.
std::string statement_to_text(const Module& module, const Function& function, Id statement,
                              bool notes = false);

} // namespace croupier::engine::ir
