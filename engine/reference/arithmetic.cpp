#include "engine/reference/arithmetic.h"

#include <cmath>

namespace croupier::engine::reference {

namespace {

// Wide enough for any single operation on two 64-bit integers.
__extension__ using Wide = __int128;

Value checked(double result) {
    if (!std::isfinite(result)) {
        throw ArithmeticError{RunErrorKind::Overflow, "the result is too large for a double"};
    }
    return result;
}

Value checked(Wide result) {
    const auto narrow = static_cast<std::int64_t>(result);
    if (narrow != result) {
        throw ArithmeticError{RunErrorKind::Overflow, "the result is too large for an integer"};
    }
    return narrow;
}

Number operand(const Value& value) {
    if (const auto number = number_of(value)) return *number;
    throw ArithmeticError{RunErrorKind::Type, "not a number: " + json_of(value)};
}

Value divide(const Number& a, const Number& b) {
    if (b.is_int ? b.integer == 0 : b.real == 0) {
        throw ArithmeticError{RunErrorKind::DivisionByZero, text_of(a.value()) + " / 0"};
    }
    if (!a.is_int || !b.is_int) return checked(a.as_double() / b.as_double());
    const Wide quotient = static_cast<Wide>(a.integer) / b.integer;
    if (quotient * b.integer == a.integer) return checked(quotient);
    return checked(a.as_double() / b.as_double());
}

Value modulo(const Number& a, const Number& b) {
    if (!a.is_int || !b.is_int) {
        throw ArithmeticError{RunErrorKind::Type, "% needs integers"};
    }
    if (b.integer == 0) {
        throw ArithmeticError{RunErrorKind::DivisionByZero, text_of(a.value()) + " % 0"};
    }
    return checked(static_cast<Wide>(a.integer) % b.integer);
}

Value binary(ExprOp op, const Number& a, const Number& b) {
    const bool whole = a.is_int && b.is_int;
    const auto x = static_cast<Wide>(a.integer);
    switch (op) {
    case ExprOp::Add:
        return whole ? checked(x + b.integer) : checked(a.as_double() + b.as_double());
    case ExprOp::Subtract:
        return whole ? checked(x - b.integer) : checked(a.as_double() - b.as_double());
    case ExprOp::Multiply:
        return whole ? checked(x * b.integer) : checked(a.as_double() * b.as_double());
    case ExprOp::Divide:
        return divide(a, b);
    default:
        return modulo(a, b);
    }
}

Value whole_number(double rounded) {
    if (rounded < -0x1p63 || rounded >= 0x1p63) {
        throw ArithmeticError{RunErrorKind::Overflow, "the result is too large for an integer"};
    }
    return static_cast<std::int64_t>(rounded);
}

Value unary(ExprOp op, const Number& a) {
    switch (op) {
    case ExprOp::Negate:
        return a.is_int ? checked(-static_cast<Wide>(a.integer)) : checked(-a.real);
    case ExprOp::Abs:
        if (!a.is_int) return std::abs(a.real);
        return a.integer < 0 ? checked(-static_cast<Wide>(a.integer)) : Value{a.integer};
    case ExprOp::Floor:
        return a.is_int ? Value{a.integer} : whole_number(std::floor(a.real));
    default:
        return a.is_int ? Value{a.integer} : whole_number(std::round(a.real));
    }
}

bool joins(const Value& value) {
    return is_text(value) && !number_of(value);
}

} // namespace

Value calculate(ExprOp op, const std::vector<Value>& args) {
    if (op == ExprOp::Add && (joins(args[0]) || joins(args[1]))) {
        return text_of(args[0]) + text_of(args[1]);
    }
    std::vector<Number> numbers;
    numbers.reserve(args.size());
    for (const Value& arg : args) {
        numbers.push_back(operand(arg));
    }
    if (op == ExprOp::Min || op == ExprOp::Max) {
        Number best = numbers[0];
        for (const Number& next : numbers) {
            const int order = compare_numbers(next, best);
            if (op == ExprOp::Min ? order < 0 : order > 0) best = next;
        }
        return best.value();
    }
    return numbers.size() == 1 ? unary(op, numbers[0]) : binary(op, numbers[0], numbers[1]);
}

bool holds(ExprOp comparison, const Value& left, const Value& right) {
    if (comparison == ExprOp::Equal) return equal(left, right);
    if (comparison == ExprOp::NotEqual) return !equal(left, right);
    const auto sign = order(left, right);
    if (!sign) return false;
    switch (comparison) {
    case ExprOp::Less:
        return *sign < 0;
    case ExprOp::LessEqual:
        return *sign <= 0;
    case ExprOp::Greater:
        return *sign > 0;
    default:
        return *sign >= 0;
    }
}

} // namespace croupier::engine::reference
