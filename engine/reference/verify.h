// Whether a function is as nodes.def says.
#pragma once

#include "engine/form/form.h"

#include <string>
#include <vector>

namespace croupier::engine::form {

// All that is wrong, a line each: "node 7 Test (rule count): operand 1 is int; wanted truth".
std::vector<std::string> verify(const Module& module, const Function& function);

} // namespace croupier::engine::form
