// Conditions of the model: plain backtracking over the tree, one entry after the other.
#pragma once

#include "engine/reference/world.h"

#include <optional>
#include <string>
#include <vector>

namespace croupier::engine::reference {

// Expressions, key templates and paths of the model, evaluated straight from their trees.

// The value of `$this`; nothing where the node has none.
using This = std::optional<Value>;

Value evaluate(const Expr& expr, Scope& scope, const This& current);

// False if the expression cannot yield a truth value, whatever its variables hold.
bool may_be_test(const Expr& expr);

std::string expand(const KeyTemplate& key, const Scope& scope);

// The path from the root of the whole state.
Path resolve(const PathExpr& path, const Scope& scope);

// All matches of the rule's condition at the root of `scope`, or the first one.
std::vector<Match> find_matches(const Rule& rule, Scope& scope);

// A match with the nodes that it stands on: those of the entries outside all directives, in order.
struct Standing {
    Match match;
    std::vector<Path> nodes;
    std::size_t first = 0; // so many of them belong to the condition's first entry
};
std::vector<Standing> find_standing(const Rule& rule, Scope& scope);

} // namespace croupier::engine::reference
