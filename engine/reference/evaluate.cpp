#include "engine/reference/evaluate.h"

#include "engine/reference/arithmetic.h"

#include <algorithm>
#include <stdexcept>

namespace croupier::engine::reference {

namespace {

class Evaluator {
  public:
    Evaluator(Scope& scope, const This& current) : scope_(scope), current_(current) {}

    Value value(const Expr& expr) {
        switch (expr.op) {
        case ExprOp::Literal:
            return from_scalar(expr.literal);
        case ExprOp::Variable:
            return variable(expr.variable);
        case ExprOp::This:
            if (!current_) fail(RunErrorKind::NoValue, expr, "$this has no value here");
            return *current_;
        case ExprOp::Not:
            return !truth(expr.args[0]);
        case ExprOp::And:
            return truth(expr.args[0]) && truth(expr.args[1]);
        case ExprOp::Or:
            return truth(expr.args[0]) || truth(expr.args[1]);
        case ExprOp::Conditional:
            return value(expr.args[truth(expr.args[0]) ? 1 : 2]);
        case ExprOp::Size:
            return size(expr);
        default:
            return applied(expr);
        }
    }

  private:
    [[noreturn]] void fail(RunErrorKind kind, const Expr& expr, std::string detail) const {
        scope_.world.fail(kind, expr.span, std::move(detail));
    }

    Value variable(const std::string& name) const {
        if (const Value* bound = scope_.bindings.find(name)) return *bound;
        throw std::logic_error("the reader let an unbound variable pass: $" + name);
    }

    // It is the operand's fault if it is none.
    bool truth(const Expr& operand) {
        const Value result = value(operand);
        if (const auto* is_true = std::get_if<bool>(&result)) return *is_true;
        fail(RunErrorKind::Type, operand, "not a truth value: " + json_of(result));
    }

    Value size(const Expr& expr) const {
        const Node* node = scope_.world.at(resolve(expr.path, scope_));
        return node != nullptr ? static_cast<std::int64_t>(node->children.size()) : std::int64_t{0};
    }

    // Operators and functions that need all their arguments first.
    Value applied(const Expr& expr) {
        std::vector<Value> args;
        for (const Expr& arg : expr.args) {
            args.push_back(value(arg));
        }
        switch (expr.op) {
        case ExprOp::Equal:
        case ExprOp::NotEqual:
        case ExprOp::Less:
        case ExprOp::LessEqual:
        case ExprOp::Greater:
        case ExprOp::GreaterEqual:
            return holds(expr.op, args[0], args[1]);
        case ExprOp::Random:
            return random(expr, args[0]);
        default:
            break;
        }
        try {
            Value result = calculate(expr.op, args);
            if (scope_.world.fault == Fault::DivisionRounds && expr.op == ExprOp::Divide) {
                return calculate(ExprOp::Floor, {result});
            }
            return result;
        } catch (const ArithmeticError& error) {
            fail(error.kind, expr, error.detail);
        }
    }

    Value random(const Expr& expr, const Value& bound) {
        const auto n = number_of(bound);
        if (!n || !n->is_int || n->integer < 1) {
            fail(RunErrorKind::Type, expr, "random needs an integer from 1: " + json_of(bound));
        }
        return static_cast<std::int64_t>(
            scope_.world.random.below(static_cast<std::uint64_t>(n->integer)));
    }

    Scope& scope_;
    const This& current_;
};

} // namespace

Value evaluate(const Expr& expr, Scope& scope, const This& current) {
    return Evaluator(scope, current).value(expr);
}

bool may_be_test(const Expr& expr) {
    switch (expr.op) {
    case ExprOp::Literal:
        return std::holds_alternative<bool>(expr.literal);
    case ExprOp::Variable:
    case ExprOp::This:
    case ExprOp::Not:
    case ExprOp::And:
    case ExprOp::Or:
    case ExprOp::Equal:
    case ExprOp::NotEqual:
    case ExprOp::Less:
    case ExprOp::LessEqual:
    case ExprOp::Greater:
    case ExprOp::GreaterEqual:
        return true;
    case ExprOp::Conditional:
        return may_be_test(expr.args[1]) || may_be_test(expr.args[2]);
    default:
        return false;
    }
}

std::string expand(const KeyTemplate& key, const Scope& scope) {
    std::string text;
    for (const KeyPart& part : key.parts) {
        if (!part.variable) {
            text += part.text;
        } else if (const Value* bound = scope.bindings.find(part.text)) {
            text += text_of(*bound);
        } else {
            throw std::logic_error("the reader let an unbound variable pass: $" + part.text);
        }
    }
    return text;
}

Path resolve(const PathExpr& path, const Scope& scope) {
    Path keys = scope.root;
    for (const KeyTemplate& segment : path.segments) {
        keys.push_back(expand(segment, scope));
    }
    return keys;
}

} // namespace croupier::engine::reference
