// Conditions of the model: plain backtracking over the tree, one entry after the other.
#pragma once

#include "engine/reference/world.h"

#include <optional>
#include <string>
#include <vector>

namespace croupier::engine::reference {

// Evaluates expressions, key templates and paths of the model directly from their trees.

// The value of `$this`, or nullopt if the node has none.
using This = std::optional<Value>;

Value evaluate(const Expr& expr, Scope& scope, const This& current);

// False if the expression cannot yield a truth value, whatever its variables hold.
bool may_be_test(const Expr& expr);

std::string expand(const KeyTemplate& key, const Scope& scope);

// The full path, from the root of the whole state.
Path resolve(const PathExpr& path, const Scope& scope);

// All matches of the rule's condition at the root of `scope`, or the first one.
std::vector<Match> find_matches(const Rule& rule, Scope& scope);

// A match with the nodes it stands on: those of the entries outside all directives, in order.
struct Standing {
    Match match;
    std::vector<Path> nodes;
    std::size_t first = 0; // number of nodes for the condition's first entry
};
std::vector<Standing> find_standing(const Rule& rule, Scope& scope);

} // namespace croupier::engine::reference
