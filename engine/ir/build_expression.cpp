// Expressions and keys: trees of values, each node that may raise with its own place in the rules.
#include "engine/ir/builder.h"

namespace croupier::engine::ir {

Id Builder::expression(const Expr& expr, VarId self) {
    const auto arg = [&](std::size_t i) { return expression(expr.args[i], self); };
    const auto fields = Fields{.x = static_cast<std::uint32_t>(expr.op)};
    switch (expr.op) {
    case ExprOp::Literal:
        return constant(to_value(expr.literal, catalogue_.symbols));
    case ExprOp::Variable:
        return variable(bound_.at(expr.variable));
    case ExprOp::This:
        return at_span(expr.span, add(Kind::Given, {this_value(self)}));
    case ExprOp::Not:
        return add(Kind::Not, {truth(expr.args[0], self)});
    case ExprOp::And:
    case ExprOp::Or: {
        const Id first = truth(expr.args[0], self);
        const Id second = truth(expr.args[1], self);
        return add(expr.op == ExprOp::And ? Kind::And : Kind::Or, {first, second});
    }
    case ExprOp::Conditional:
        return choice(expr, self);
    case ExprOp::Equal:
    case ExprOp::NotEqual:
    case ExprOp::Less:
    case ExprOp::LessEqual:
    case ExprOp::Greater:
    case ExprOp::GreaterEqual: {
        const Id first = arg(0);
        const Id second = arg(1);
        return add(Kind::Compare, {first, second}, fields);
    }
    case ExprOp::Size: {
        std::vector<Id> segments;
        for (const KeyTemplate& segment : expr.path.segments) {
            segments.push_back(key(segment, false));
        }
        const Id found = add(Kind::PathNode, std::move(segments));
        return add(Kind::SizeOf, {found});
    }
    case ExprOp::Random:
        return at_span(expr.span, add(Kind::Random, {arg(0)}));
    case ExprOp::Negate:
    case ExprOp::Add:
    case ExprOp::Subtract:
    case ExprOp::Multiply:
    case ExprOp::Divide:
    case ExprOp::Modulo:
    case ExprOp::Min:
    case ExprOp::Max:
    case ExprOp::Abs:
    case ExprOp::Floor:
    case ExprOp::Round:
        break;
    }
    std::vector<Id> operands;
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
        operands.push_back(arg(i));
    }
    return at_span(expr.span, add(Kind::Arithmetic, std::move(operands), fields));
}

// The node's errors are there.
Id Builder::at_span(Span span, Id id) {
    function_.nodes[id].note = note(span);
    return id;
}

// Of what an expression must be true or false.
Id Builder::truth(const Expr& expr, VarId self) {
    if (expr.op == ExprOp::Literal && std::holds_alternative<bool>(expr.literal)) {
        return true_or_false(std::get<bool>(expr.literal));
    }
    const Id made = expression(expr, self);
    return is_truth(made) ? made : at_span(expr.span, add(Kind::Truth, {made}));
}

Id Builder::choice(const Expr& expr, VarId self) {
    const Id which = truth(expr.args[0], self);
    const Id first = expression(expr.args[1], self);
    const Id second = expression(expr.args[2], self);
    const bool truths = is_truth(first) && is_truth(second);
    return add_typed(Kind::Choose, truths ? TypeKind::Truth : TypeKind::Any,
                     {which, first, second});
}

Id Builder::this_value(VarId self) {
    return self == kNothing ? constant({}) : variable(self);
}

Id Builder::constant(const Value& value) {
    const auto next = static_cast<std::uint32_t>(module_.values.size());
    const auto [place, made] = constants_.try_emplace({value.tag, value.integer}, next);
    if (made) {
        module_.values.push_back(value);
    }
    return add(Kind::Constant, {}, {.x = place->second});
}

Id Builder::true_or_false(bool truth) {
    return add_typed(Kind::Constant, TypeKind::Truth, {}, {.number = truth ? 1 : 0});
}

// ---- keys --------------------------------------------------------------------------------------

Id Builder::key(const KeyTemplate& key, bool made) {
    if (key.is_variable()) {
        return key_of(bound_.at(key.parts[0].text), made);
    }
    if (key.parts.size() <= 1) {
        const std::string text = key.parts.empty() ? std::string() : key.parts[0].text;
        return add(Kind::Name, {}, {.x = catalogue_.symbols.intern(text)});
    }
    std::vector<Id> parts;
    for (const KeyPart& part : key.parts) {
        parts.push_back(part.variable
                            ? variable(bound_.at(part.text))
                            : constant(Value::string(catalogue_.symbols.intern(part.text))));
    }
    return add(Kind::KeyText, std::move(parts), {.y = made ? 1u : 0u});
}

Id Builder::key_of(VarId var, bool made) {
    return add(Kind::KeyText, {variable(var)}, {.y = made ? 1u : 0u});
}

std::vector<Id> Builder::keys(const std::vector<const KeyTemplate*>& path, bool made) {
    std::vector<Id> all;
    all.reserve(path.size());
    for (const KeyTemplate* each : path) {
        all.push_back(key(*each, made));
    }
    return all;
}

} // namespace croupier::engine::ir
