// What expressions make of values: comparison, arithmetic, functions, chance, keys.
#include "engine/catalogue/fits.h"
#include "engine/run/runtime.h"

#include <cmath>
#include <limits>
#include <optional>

namespace croupier::engine {

namespace {

// Nothing where the result is no 64-bit integer.
std::optional<std::int64_t> to_whole(double d) {
    if (!(d >= -9223372036854775808.0 && d < 9223372036854775808.0)) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(d);
}

double worth_of(const Value& v) {
    return v.tag == Tag::Int ? static_cast<double>(v.integer) : v.real();
}

// What + - * / % make of two integers; nothing where the result is no integer.
struct IntegerResult {
    std::optional<std::int64_t> value;
    bool overflow = false;
};

IntegerResult of_integers(ExprOp op, std::int64_t a, std::int64_t b) {
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    std::int64_t result = 0;
    bool overflow = false;
    switch (op) {
    case ExprOp::Add:
        overflow = __builtin_add_overflow(a, b, &result);
        break;
    case ExprOp::Multiply:
        overflow = __builtin_mul_overflow(a, b, &result);
        break;
    case ExprOp::Divide:
        if (b == -1 && a == kLeast) {
            return {std::nullopt, true};
        }
        return {a % b == 0 ? std::optional(a / b) : std::nullopt, false};
    case ExprOp::Modulo: // by -1 it is 0, also where the division would overflow
        result = b == -1 ? 0 : a % b;
        break;
    default: // Subtract, Negate
        overflow = __builtin_sub_overflow(a, b, &result);
        break;
    }
    return {result, overflow};
}

double of_doubles(ExprOp op, double a, double b) {
    switch (op) {
    case ExprOp::Add:
        return a + b;
    case ExprOp::Subtract:
        return a - b;
    case ExprOp::Negate:
        return -b; // not 0 - b, which has no negative zero
    case ExprOp::Multiply:
        return a * b;
    default:
        return a / b;
    }
}

} // namespace

bool Runtime::has_type(const Value& value, const TypePlan& type) const {
    return value.tag != Tag::None && is_of_type(value, type, *catalogue_.layout, symbols());
}

bool Runtime::compares(ExprOp op, const Value& a, const Value& b) const {
    if (a.tag == Tag::None || b.tag == Tag::None) {
        return op == ExprOp::NotEqual;
    }
    return engine::compares(op, a, b, symbols());
}

bool Runtime::truth(const Value& value, Span span) const {
    if (value.tag != Tag::Bool) {
        fail(RunErrorKind::Type, span, "'" + text(value) + "' is neither true nor false");
    }
    return value.truth();
}

Value Runtime::number(const Value& value, Span span) const {
    const Value number = as_number(value, symbols());
    if (number.tag == Tag::None) {
        fail(RunErrorKind::Type, span, "'" + text(value) + "' is not a number");
    }
    return number;
}

Value Runtime::arithmetic(ExprOp op, const Value& a, const Value& b, Span span) const {
    return op == ExprOp::Add ? sum(a, b, span) : computed(op, a, b, span);
}

// Texts are joined, numbers added.
Value Runtime::sum(const Value& a, const Value& b, Span span) const {
    const auto joins = [&](const Value& v) {
        return v.tag == Tag::String || (v.tag == Tag::Key && !symbols().integer(v.symbol()));
    };
    if (!joins(a) && !joins(b)) {
        return computed(ExprOp::Add, a, b, span);
    }
    const std::string joined = text(a) + text(b);
    if (joined.size() > kLongestText || symbols().own_size() > budgets_.nodes) {
        fail(RunErrorKind::BudgetSize, span, "a joined text is too long");
    }
    return Value::string(symbols().intern(joined));
}

Value Runtime::computed(ExprOp op, const Value& left, const Value& right, Span span) const {
    const Value a = number(left, span);
    const Value b = number(right, span);
    const auto both = [&] { return text(a) + " and " + text(b); };
    if (op == ExprOp::Modulo && (a.tag != Tag::Int || b.tag != Tag::Int)) {
        fail(RunErrorKind::Type, span, "% takes integers, not " + both());
    }
    const bool divides = op == ExprOp::Divide || op == ExprOp::Modulo;
    if (divides && (b.tag == Tag::Int ? b.integer == 0 : b.real() == 0.0)) {
        fail(RunErrorKind::DivisionByZero, span, both());
    }
    if (a.tag == Tag::Int && b.tag == Tag::Int) {
        const IntegerResult result = of_integers(op, a.integer, b.integer);
        if (result.overflow) {
            fail(RunErrorKind::Overflow, span, both());
        }
        if (result.value) {
            return Value::number(*result.value);
        }
    }
    const double result = of_doubles(op, worth_of(a), worth_of(b));
    if (!std::isfinite(result)) {
        fail(RunErrorKind::Overflow, span, both());
    }
    return Value::number(result);
}

Value Runtime::function(ExprOp op, std::span<const Value> arguments, Span span) const {
    Value best = number(arguments[0], span);
    for (const Value& argument : arguments.subspan(1)) {
        const Value next = number(argument, span);
        if (compares(op == ExprOp::Min ? ExprOp::Less : ExprOp::Greater, next, best)) {
            best = next;
        }
    }
    if (op == ExprOp::Min || op == ExprOp::Max) {
        return best;
    }
    if (op == ExprOp::Abs && best.tag == Tag::Double) {
        return Value::number(std::fabs(best.real()));
    }
    if (op == ExprOp::Abs && best.integer == std::numeric_limits<std::int64_t>::min()) {
        fail(RunErrorKind::Overflow, span, "abs of " + text(best));
    }
    if (best.tag == Tag::Int) {
        return op == ExprOp::Abs && best.integer < 0 ? Value::number(-best.integer) : best;
    }
    const double d = op == ExprOp::Floor ? std::floor(best.real()) : std::round(best.real());
    const auto integer = to_whole(d);
    if (!integer) {
        fail(RunErrorKind::Overflow, span, text(best) + " is not a 64-bit integer");
    }
    return Value::number(*integer);
}

Value Runtime::draw(const Value& below, Span span) const {
    const Value n = number(below, span);
    if (n.tag != Tag::Int || n.integer < 1) {
        fail(RunErrorKind::Type, span, "random takes a positive integer, not " + text(n));
    }
    return Value::number(
        static_cast<std::int64_t>(random_->below(static_cast<std::uint64_t>(n.integer))));
}

Symbol Runtime::key_of(std::span<const Value> parts, bool make) const {
    if (parts.size() == 1 && parts[0].is_text()) {
        return parts[0].symbol();
    }
    std::string joined;
    for (const Value& part : parts) {
        joined += text(part);
    }
    return make ? symbols().intern(joined) : symbols().find(joined);
}

} // namespace croupier::engine
