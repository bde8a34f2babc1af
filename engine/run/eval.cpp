// Values of expressions.
#include "engine/run/machine.h"

#include <cmath>
#include <limits>

namespace croupier::engine {

namespace {

// Half away from zero; nullopt where the result is not a 64-bit integer.
std::optional<std::int64_t> whole(double d) {
    if (!(d >= -9223372036854775808.0 && d < 9223372036854775808.0)) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(d);
}

double as_double(const Value& v) {
    return v.tag == Tag::Int ? static_cast<double>(v.integer) : v.real();
}

} // namespace

bool Machine::condition(ExprId id, const Value& this_value) {
    const Value value = eval(id, this_value);
    if (value.tag != Tag::Bool) {
        fail(RunErrorKind::Type, program_.exprs[id].span,
             "'" + to_text(value, state_->symbols()) + "' is neither true nor false");
    }
    return value.truth();
}

Value Machine::eval(ExprId id, const Value& this_value) {
    const ExprNode& node = program_.exprs[id];
    const auto arg = [&](std::uint32_t i) { return program_.expr_args[node.first + i]; };
    // Most operands are leaves of the expression: their values cost no call.
    const auto operand = [&](std::uint32_t i) {
        const ExprNode& each = program_.exprs[arg(i)];
        if (each.op == ExprOp::Variable) {
            return values_[each.reg];
        }
        return each.op == ExprOp::Literal ? each.literal : eval(arg(i), this_value);
    };
    switch (node.op) {
    case ExprOp::Literal:
        return node.literal;
    case ExprOp::Variable:
        return values_[node.reg];
    case ExprOp::This:
        if (this_value.tag == Tag::None) {
            fail(RunErrorKind::NoValue, node.span, "$this has no value here");
        }
        return this_value;
    case ExprOp::Not:
        return Value::boolean(!condition(arg(0), this_value));
    case ExprOp::And:
        return Value::boolean(condition(arg(0), this_value) && condition(arg(1), this_value));
    case ExprOp::Or:
        return Value::boolean(condition(arg(0), this_value) || condition(arg(1), this_value));
    case ExprOp::Conditional:
        return eval(condition(arg(0), this_value) ? arg(1) : arg(2), this_value);
    case ExprOp::Equal:
    case ExprOp::NotEqual:
    case ExprOp::Less:
    case ExprOp::LessEqual:
    case ExprOp::Greater:
    case ExprOp::GreaterEqual: {
        const Value a = operand(0);
        const Value b = operand(1);
        return Value::boolean(compares(node.op, a, b));
    }
    case ExprOp::Add: {
        const Value a = operand(0);
        const Value b = operand(1);
        std::int64_t sum = 0;
        if (a.tag == Tag::Int && b.tag == Tag::Int &&
            !__builtin_add_overflow(a.integer, b.integer, &sum)) {
            return Value::number(sum);
        }
        return add(node.span, a, b);
    }
    case ExprOp::Subtract:
    case ExprOp::Multiply:
    case ExprOp::Divide:
    case ExprOp::Modulo: {
        const Value a = operand(0);
        const Value b = operand(1);
        return arithmetic(node.op, node.span, a, b);
    }
    case ExprOp::Negate:
        return arithmetic(node.op, node.span, Value::number(std::int64_t{0}),
                          eval(arg(0), this_value));
    case ExprOp::Size:
        return Value::number(std::int64_t{child_count(find(node.first))});
    case ExprOp::Min:
    case ExprOp::Max:
    case ExprOp::Abs:
    case ExprOp::Floor:
    case ExprOp::Round:
    case ExprOp::Random:
        return function(node, this_value);
    }
    return {};
}

Value Machine::add(Span span, const Value& a, const Value& b) {
    const Symbols& symbols = state_->symbols();
    const auto joins = [&](const Value& v) {
        return v.tag == Tag::String || (v.tag == Tag::Key && !symbols.integer(v.symbol()));
    };
    if (joins(a) || joins(b)) {
        const std::string joined = to_text(a, symbols) + to_text(b, symbols);
        if (joined.size() > kLongestText || state_->symbols().own_size() > budgets_.nodes) {
            fail(RunErrorKind::BudgetSize, span, "a joined text is too long");
        }
        return Value::string(state_->symbols().intern(joined));
    }
    return arithmetic(ExprOp::Add, span, a, b);
}

Value Machine::arithmetic(ExprOp op, Span span, const Value& left, const Value& right) {
    const Symbols& symbols = state_->symbols();
    const Value a = as_number(left, symbols);
    const Value b = as_number(right, symbols);
    if (a.tag == Tag::None || b.tag == Tag::None) {
        fail(RunErrorKind::Type, span,
             "'" + to_text(a.tag == Tag::None ? left : right, symbols) + "' is not a number");
    }
    const auto text = [&] { return to_text(a, symbols) + " and " + to_text(b, symbols); };
    if (op == ExprOp::Modulo && (a.tag != Tag::Int || b.tag != Tag::Int)) {
        fail(RunErrorKind::Type, span, "% takes integers, not " + text());
    }
    const bool divides = op == ExprOp::Divide || op == ExprOp::Modulo;
    if (divides && (b.tag == Tag::Int ? b.integer == 0 : b.real() == 0.0)) {
        fail(RunErrorKind::DivisionByZero, span, text());
    }
    if (a.tag == Tag::Int && b.tag == Tag::Int) {
        std::int64_t result = 0;
        bool overflow = false;
        bool exact = true;
        switch (op) {
        case ExprOp::Add:
            overflow = __builtin_add_overflow(a.integer, b.integer, &result);
            break;
        case ExprOp::Subtract:
        case ExprOp::Negate:
            overflow = __builtin_sub_overflow(a.integer, b.integer, &result);
            break;
        case ExprOp::Multiply:
            overflow = __builtin_mul_overflow(a.integer, b.integer, &result);
            break;
        case ExprOp::Divide:
            overflow = b.integer == -1 && a.integer == std::numeric_limits<std::int64_t>::min();
            if (!overflow) {
                exact = a.integer % b.integer == 0;
                result = a.integer / b.integer;
            }
            break;
        default: // Modulo; by -1 it is 0, also where the division would overflow
            result = b.integer == -1 ? 0 : a.integer % b.integer;
            break;
        }
        if (overflow) {
            fail(RunErrorKind::Overflow, span, text());
        }
        if (exact) {
            return Value::number(result);
        }
    }
    const double x = as_double(a);
    const double y = as_double(b);
    double result = 0;
    switch (op) {
    case ExprOp::Add:
        result = x + y;
        break;
    case ExprOp::Subtract:
        result = x - y;
        break;
    case ExprOp::Negate:
        result = -y; // not 0 - y, which has no negative zero
        break;
    case ExprOp::Multiply:
        result = x * y;
        break;
    default:
        result = x / y;
        break;
    }
    if (!std::isfinite(result)) {
        fail(RunErrorKind::Overflow, span, text());
    }
    return Value::number(result);
}

Value Machine::function(const ExprNode& node, const Value& this_value) {
    const Symbols& symbols = state_->symbols();
    // All arguments have their values before any is looked at.
    const std::size_t first = operands_.size();
    for (std::uint32_t i = 0; i < node.count; ++i) {
        const Value value = eval(program_.expr_args[node.first + i], this_value);
        operands_.push_back(value);
    }
    Value best;
    for (std::uint32_t i = 0; i < node.count; ++i) {
        const Value raw = operands_[first + i];
        const Value number = as_number(raw, symbols);
        if (number.tag == Tag::None) {
            fail(RunErrorKind::Type, node.span, "'" + to_text(raw, symbols) + "' is not a number");
        }
        const bool better = i == 0 ||
                            (node.op == ExprOp::Min && compares(ExprOp::Less, number, best)) ||
                            (node.op == ExprOp::Max && compares(ExprOp::Greater, number, best));
        if (better) {
            best = number;
        }
    }
    operands_.resize(first);
    if (node.op == ExprOp::Random) {
        if (best.tag != Tag::Int || best.integer < 1) {
            fail(RunErrorKind::Type, node.span,
                 "random takes a positive integer, not " + to_text(best, symbols));
        }
        return Value::number(
            static_cast<std::int64_t>(random_->below(static_cast<std::uint64_t>(best.integer))));
    }
    if (node.op == ExprOp::Min || node.op == ExprOp::Max) {
        return best;
    }
    if (node.op == ExprOp::Abs) {
        if (best.tag == Tag::Double) {
            return Value::number(std::fabs(best.real()));
        }
        if (best.integer == std::numeric_limits<std::int64_t>::min()) {
            fail(RunErrorKind::Overflow, node.span, "abs of " + to_text(best, symbols));
        }
        return Value::number(best.integer < 0 ? -best.integer : best.integer);
    }
    if (best.tag == Tag::Int) {
        return best;
    }
    const double d = node.op == ExprOp::Floor ? std::floor(best.real()) : std::round(best.real());
    const auto integer = whole(d);
    if (!integer) {
        fail(RunErrorKind::Overflow, node.span,
             to_text(best, symbols) + " is not a 64-bit integer");
    }
    return Value::number(*integer);
}

} // namespace croupier::engine
