// Expressions, key templates and paths of the model, evaluated straight from their trees.
#pragma once

#include "engine/reference/world.h"

#include <optional>
#include <string>

namespace croupier::engine::reference {

// The value of `$this`; nothing where the node has none.
using This = std::optional<Value>;

Value evaluate(const Expr& expr, Scope& scope, const This& current);

// False if the expression cannot yield a truth value, whatever its variables hold.
bool may_be_test(const Expr& expr);

std::string expand(const KeyTemplate& key, const Scope& scope);

// The path from the root of the whole state.
Path resolve(const PathExpr& path, const Scope& scope);

} // namespace croupier::engine::reference
