// What an expression comes to whose leaves are known: how passes compute in advance.
#pragma once

#include "engine/ir/ir.h"

#include <functional>
#include <optional>

namespace croupier::engine::ir {

// `leaf` is asked first, for every node below, and gives the value of those that it knows. Nothing
// where the expression needs a state, or could end in an error. A code is its list's value, a code
// of 0 none.
using Leaf = std::function<std::optional<Value>(Id)>;
std::optional<Value> evaluate(const Module& module, const Function& function, Id id,
                              const Leaf& leaf);

} // namespace croupier::engine::ir
