// Checks whether a function follows nodes.def.
#pragma once

#include "engine/form/form.h"

#include <string>
#include <vector>

namespace croupier::engine::form {

// All errors, one line each: "node 7 Test (rule count): operand 1 is int; wanted truth".
std::vector<std::string> verify(const Module& module, const Function& function);

} // namespace croupier::engine::form
