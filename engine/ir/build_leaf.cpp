// What a condition asks of a value: tests, and variables that it binds.
#include "engine/ir/builder.h"

#include <algorithm>

namespace croupier::engine::ir {

namespace {

bool is_bool(const Expr& expr) {
    return expr.op == ExprOp::Literal && std::holds_alternative<bool>(expr.literal);
}

// It is true or false, or ends in an error.
bool gives_bool(const Expr& expr) {
    return gives_truth(expr.op) || is_bool(expr);
}

// False if it is never true or false, whatever its variables hold: then it is only equality, and
// nothing is computed where there is no value to be equal to.
bool may_be_test(const Expr& expr) {
    switch (expr.op) {
    case ExprOp::Literal:
        return is_bool(expr);
    case ExprOp::Conditional:
        return may_be_test(expr.args[1]) || may_be_test(expr.args[2]);
    case ExprOp::Variable:
    case ExprOp::This:
        return true;
    default:
        return gives_truth(expr.op);
    }
}

// It has its value without any computing that could end in an error.
bool is_plain(const Expr& expr) {
    return expr.op == ExprOp::Literal || expr.op == ExprOp::Variable;
}

} // namespace

// A variable on its own that nothing has bound yet.
bool Builder::is_free(const Pattern& pattern) const {
    return pattern.kind == PatternKind::Bind && !bound_.contains(pattern.variable);
}

// The node's value is looked up only if the pattern speaks of it, or somebody watches.
void Builder::leaf_of_node(const Pattern& pattern, At at) {
    const bool by_test = pattern.kind == PatternKind::Assign ||
                         (pattern.kind == PatternKind::Expression && gives_bool(pattern.expr));
    Subject subject;
    if (observed_ || !by_test || pattern.expr.mentions_this()) {
        subject.value = is_free(pattern) ? bind(pattern.variable) : new_var("value", TypeKind::Any);
        let(subject.value, add(Kind::ValueOf, {node(at)}));
        shown_ = cut_ != 0 ? subject.value : kNothing;
    }
    leaf(pattern, subject);
}

void Builder::leaf(const Pattern& pattern, Subject& of) {
    switch (pattern.kind) {
    case PatternKind::Value:
        compares(ExprOp::Equal, pattern.expr, of);
        break;
    case PatternKind::Compare:
        compares(pattern.compare, pattern.expr, of);
        break;
    case PatternKind::Bind:
        bind_or_equal(pattern, of);
        break;
    case PatternKind::Assign:
        assign(pattern, of);
        break;
    case PatternKind::Expression:
        expression_leaf(pattern.expr, of);
        break;
    case PatternKind::OneOf:
        if (!std::all_of(pattern.choices.begin(), pattern.choices.end(), is_plain)) {
            need(of);
        }
        test(one_of(pattern.choices, of.value));
        break;
    case PatternKind::Object:
    case PatternKind::Absent:
    case PatternKind::Any:
        break; // no value is looked at
    }
}

// There must be a value before anything is computed that could end in an error.
void Builder::need(Subject& of) {
    if (of.value == kNothing) {
        fail();
    } else if (!of.there) {
        test(add(Kind::Has, {variable(of.value)}));
    }
    of.there = true;
}

// No value is less than another, or equal to it, but each is different.
void Builder::compares(ExprOp op, const Expr& expr, Subject& of) {
    if (op == ExprOp::NotEqual || !is_plain(expr)) {
        need(of);
    }
    test(comparison(op, of.value, expr));
}

Id Builder::comparison(ExprOp op, VarId value, const Expr& expr) {
    const Id first = variable(value);
    const Id second = expression(expr, value);
    return add(Kind::Compare, {first, second}, {.x = static_cast<std::uint32_t>(op)});
}

Id Builder::is_equal(VarId a, Id b) {
    const Id first = variable(a);
    return add(Kind::Compare, {first, b}, {.x = static_cast<std::uint32_t>(ExprOp::Equal)});
}

// A tree of low depth, however long the list is.
Id Builder::one_of(std::span<const Expr> choices, VarId value) {
    if (choices.size() == 1) {
        return comparison(ExprOp::Equal, value, choices[0]);
    }
    const std::size_t half = choices.size() / 2;
    const Id first = one_of(choices.first(half), value);
    const Id second = one_of(choices.subspan(half), value);
    return add(Kind::Or, {first, second});
}

void Builder::bind_or_equal(const Pattern& pattern, Subject& of) {
    const auto known = bound_.find(pattern.variable);
    if (known != bound_.end() && known->second != of.value) {
        test(is_equal(of.value, variable(known->second)));
    } else {
        need(of);
    }
    fits(of.value, pattern.type);
}

void Builder::assign(const Pattern& pattern, Subject& of) {
    if (pattern.expr.mentions_this()) {
        need(of);
    }
    const Id result = expression(pattern.expr, of.value);
    const auto known = bound_.find(pattern.variable);
    if (known != bound_.end() && is_any(pattern.type)) {
        test(is_equal(known->second, result));
        return;
    }
    const VarId made =
        known == bound_.end() ? bind(pattern.variable) : new_var("result", TypeKind::Any);
    let(made, result);
    fits(made, pattern.type);
    if (known != bound_.end()) {
        test(is_equal(known->second, variable(made)));
    }
}

// A test if it yields true or false, else equality.
void Builder::expression_leaf(const Expr& expr, Subject& of) {
    if (!may_be_test(expr)) {
        compares(ExprOp::Equal, expr, of);
        return;
    }
    if (expr.mentions_this()) {
        need(of);
    }
    if (gives_bool(expr)) {
        test(expr, of.value);
        return;
    }
    const VarId result = new_var("result", TypeKind::Any);
    let(result, expression(expr, of.value));
    const Id which = add(Kind::Fits, {variable(result)}, {.x = catalogue_.type_id({"bool", {}})});
    const Id holds = is_equal(result, constant(Value::boolean(true)));
    const Id equal = is_equal(of.value, variable(result));
    test(add_typed(Kind::Choose, TypeKind::Truth, {which, holds, equal}));
}

void Builder::fits(VarId value, const TypeName& type) {
    if (!is_any(type)) {
        test(add(Kind::Fits, {variable(value)}, {.x = catalogue_.type_id(type)}));
    }
}

// What stands under `_`: a binding, or an expression that must be true.
void Builder::test_entry(const Pattern& pattern) {
    if (pattern.kind == PatternKind::Assign) {
        Subject none;
        assign(pattern, none);
    } else if (pattern.kind == PatternKind::Bind) {
        test(is_equal(bound_.at(pattern.variable), constant(Value::boolean(true))));
    } else {
        test(pattern.expr, kNothing);
    }
}

// Goes on if it is true; any other value will not do.
void Builder::test(const Expr& expr, VarId self) {
    if (is_bool(expr)) {
        if (!std::get<bool>(expr.literal)) {
            fail();
        }
        return;
    }
    if (expr.op == ExprOp::And && gives_bool(expr.args[0]) && gives_bool(expr.args[1])) {
        test(expr.args[0], self);
        test(expr.args[1], self);
        return;
    }
    const Id result = expression(expr, self);
    if (observed_) {
        at_span(expr.span, result); // who watches is told which part of a test it was
    }
    if (is_truth(result)) {
        test(result);
        return;
    }
    const Id truth = constant(Value::boolean(true));
    test(add(Kind::Compare, {result, truth}, {.x = static_cast<std::uint32_t>(ExprOp::Equal)}));
}

void Builder::test(Id truth) {
    std::vector<Id> operands = {truth};
    if (shown_ != kNothing) {
        operands.push_back(variable(shown_));
    }
    put(Kind::Test, std::move(operands), {.y = cut_});
}

} // namespace croupier::engine::ir
