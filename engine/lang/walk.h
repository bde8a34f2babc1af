// Visits the parts of rules that every check needs to see.
#pragma once

#include "engine/lang/ruleset.h"

#include <functional>

namespace croupier::engine {

using RuleVisitor = std::function<void(const Rule&)>;
using PathVisitor = std::function<void(const PathExpr&)>;
using VariableVisitor = std::function<void(const std::string& name, Span place)>;

// Every rule, outer before inner, in written order.
void for_each_rule(const Ruleset& ruleset, const RuleVisitor& visit);
// The groups inside a rule's action or else.
void for_each_group(const Action& action, const std::function<void(const Group&)>& visit);

// Every variable that the text of an expression, path or key mentions.
void for_each_variable(const Expr& expr, const VariableVisitor& visit);
void for_each_variable(const PathExpr& path, const VariableVisitor& visit);
void for_each_variable(const KeyTemplate& key, const VariableVisitor& visit);

// The path of every size(..).
void for_each_path(const Expr& expr, const PathVisitor& visit);

} // namespace croupier::engine
