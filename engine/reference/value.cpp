#include "engine/reference/value.h"

#include <charconv>
#include <cmath>

namespace croupier::engine::reference {

std::optional<std::int64_t> integer_of(std::string_view text) {
    std::int64_t integer = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, integer);
    if (error != std::errc{} || stop != end) return std::nullopt;
    // Printing it again shows whether `text` was in canonical form.
    return std::to_string(integer) == text ? std::optional{integer} : std::nullopt;
}

std::optional<Number> number_of(const Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return Number{true, *integer, 0};
    if (const auto* real = std::get_if<double>(&value)) return Number{false, 0, *real};
    if (const auto* key = std::get_if<Key>(&value)) {
        if (const auto integer = integer_of(key->text)) return Number{true, *integer, 0};
    }
    return std::nullopt;
}

namespace {

template <typename T>
int three_way(const T& a, const T& b) {
    return a < b ? -1 : b < a ? 1 : 0;
}

int compare_exactly(std::int64_t a, double b) {
    if (b >= 0x1p63) return -1;
    if (b < -0x1p63) return 1;
    const double whole = std::trunc(b);
    const int order = three_way(a, static_cast<std::int64_t>(whole));
    return order != 0 ? order : three_way(whole, b);
}

const std::string& text_in(const Value& value) {
    const auto* key = std::get_if<Key>(&value);
    return key != nullptr ? key->text : std::get<std::string>(value);
}

} // namespace

int compare_numbers(const Number& a, const Number& b) {
    if (a.is_int && b.is_int) return three_way(a.integer, b.integer);
    if (a.is_int) return compare_exactly(a.integer, b.real);
    if (b.is_int) return -compare_exactly(b.integer, a.real);
    return three_way(a.real, b.real);
}

bool equal(const Value& a, const Value& b) {
    if (is_text(a) && is_text(b)) return text_in(a) == text_in(b);
    const auto x = number_of(a);
    const auto y = number_of(b);
    if (x && y) return compare_numbers(*x, *y) == 0;
    if (a.index() != b.index()) return false;
    if (const auto* truth = std::get_if<bool>(&a)) return *truth == std::get<bool>(b);
    return std::holds_alternative<std::monostate>(a);
}

std::optional<int> order(const Value& a, const Value& b) {
    const auto x = number_of(a);
    const auto y = number_of(b);
    if (x && y) return compare_numbers(*x, *y);
    if (is_text(a) && is_text(b)) return three_way(text_in(a), text_in(b));
    return std::nullopt;
}

bool is_text(const Value& value) {
    return std::holds_alternative<std::string>(value) || std::holds_alternative<Key>(value);
}

std::string text_of(const Value& value) {
    return is_text(value) ? text_in(value) : json_of(value);
}

std::string kind_of(const Value& value) {
    static constexpr const char* kNames[] = {"null", "bool", "int", "double", "string", "key"};
    return kNames[value.index()];
}

std::string json_of(const Value& value) {
    return json_of(to_scalar(value));
}

Value from_scalar(const Scalar& scalar) {
    return std::visit([](const auto& held) { return Value{held}; }, scalar);
}

Scalar to_scalar(const Value& value) {
    if (is_text(value)) return text_in(value);
    if (const auto* truth = std::get_if<bool>(&value)) return *truth;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return std::monostate{};
}

std::string json_of(const Scalar& scalar) {
    Document document;
    document.scalar = scalar;
    return write_json(document, -1);
}

namespace {

// Wide enough for any operation on two 64-bit integers.
__extension__ using Wide = __int128;

Value checked(double result) {
    if (!std::isfinite(result))
        throw ArithmeticError{RunErrorKind::Overflow, "the result is too large for a double"};
    return result;
}

Value checked(Wide result) {
    const auto narrow = static_cast<std::int64_t>(result);
    if (narrow != result)
        throw ArithmeticError{RunErrorKind::Overflow, "the result is too large for an integer"};
    return narrow;
}

Number operand(const Value& value) {
    if (const auto number = number_of(value)) return *number;
    throw ArithmeticError{RunErrorKind::Type, "not a number: " + json_of(value)};
}

Value divide(const Number& a, const Number& b) {
    if (b.is_int ? b.integer == 0 : b.real == 0)
        throw ArithmeticError{RunErrorKind::DivisionByZero, text_of(a.value()) + " / 0"};
    if (!a.is_int || !b.is_int) return checked(a.as_double() / b.as_double());
    const Wide quotient = static_cast<Wide>(a.integer) / b.integer;
    if (quotient * b.integer == a.integer) return checked(quotient);
    return checked(a.as_double() / b.as_double());
}

Value modulo(const Number& a, const Number& b) {
    if (!a.is_int || !b.is_int) throw ArithmeticError{RunErrorKind::Type, "% needs integers"};
    if (b.integer == 0)
        throw ArithmeticError{RunErrorKind::DivisionByZero, text_of(a.value()) + " % 0"};
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
    if (rounded < -0x1p63 || rounded >= 0x1p63)
        throw ArithmeticError{RunErrorKind::Overflow, "the result is too large for an integer"};
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
    if (op == ExprOp::Add && (joins(args[0]) || joins(args[1])))
        return text_of(args[0]) + text_of(args[1]);
    std::vector<Number> numbers;
    numbers.reserve(args.size());
    for (const Value& arg : args)
        numbers.push_back(operand(arg));
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
