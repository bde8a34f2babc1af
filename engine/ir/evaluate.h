// What nodes come to whose operands are known: how passes compute in advance.
#pragma once

#include "engine/ir/ir.h"

#include <optional>
#include <span>

namespace croupier::engine::ir {

// What a node of such a kind comes to depends on its operands alone.
bool can_evaluate(Kind kind);
// Nothing where it could end in an error, or an operand cannot be told that matters. A code is its
// list's value, a code of 0 none.
std::optional<Value> result_of(const Module& module, const Function& function, const Node& node,
                               std::span<const std::optional<Value>> operands);
// What an expression comes to; nothing where it needs a state.
std::optional<Value> evaluate(const Module& module, const Function& function, Id id);

} // namespace croupier::engine::ir
