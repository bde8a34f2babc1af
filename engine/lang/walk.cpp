// Plain recursion over rules, actions and expressions.
#include "engine/lang/walk.h"

namespace croupier::engine {
namespace {

void groups_of(const ActionNode& node, const std::function<void(const Group&)>& visit) {
    for (const ActionEntry& entry : node.entries) {
        if (entry.group) visit(*entry.group);
        groups_of(entry.node, visit);
    }
}

void rules_of(const Group& group, const RuleVisitor& visit) {
    for (const Rule& rule : group.rules) {
        visit(rule);
        const auto inner = [&](const Group& nested) { rules_of(nested, visit); };
        for_each_group(rule.action, inner);
        for_each_group(rule.otherwise, inner);
    }
}

} // namespace

void for_each_rule(const Ruleset& ruleset, const RuleVisitor& visit) {
    for (const Group& group : ruleset.groups)
        rules_of(group, visit);
}

void for_each_group(const Action& action, const std::function<void(const Group&)>& visit) {
    if (action.group) visit(*action.group);
    groups_of(action.tree, visit);
}

void for_each_variable(const Expr& expr, const VariableVisitor& visit) {
    if (expr.op == ExprOp::Variable) visit(expr.variable, expr.span);
    for_each_variable(expr.path, visit);
    for (const Expr& arg : expr.args)
        for_each_variable(arg, visit);
}

void for_each_variable(const PathExpr& path, const VariableVisitor& visit) {
    for (const KeyTemplate& segment : path.segments)
        for_each_variable(segment, visit);
}

void for_each_variable(const KeyTemplate& key, const VariableVisitor& visit) {
    for (const KeyPart& part : key.parts) {
        if (part.variable) visit(part.text, part.span);
    }
}

void for_each_path(const Expr& expr, const PathVisitor& visit) {
    if (expr.op == ExprOp::Size) visit(expr.path);
    for (const Expr& arg : expr.args)
        for_each_path(arg, visit);
}

} // namespace croupier::engine
