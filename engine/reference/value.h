// Values of the model: kinds, equality, order and text, following decisions D4-D7 and D11.
#pragma once

#include "engine/language/pattern.h"
#include "engine/run/error.h"
#include "engine/text/document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace croupier::engine::reference {

// The value of a key variable: text that is also an integer if it reads as one.
struct Key {
    std::string text;
};

using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, Key>;

// "0" and "-7", but not "007", "+7" or "-0".
std::optional<std::int64_t> integer_of(std::string_view text);

// An int, a double, or the integer of an integer key; nullopt for any other value.
struct Number {
    bool is_int = true;
    std::int64_t integer = 0;
    double real = 0;

    [[nodiscard]] double as_double() const { return is_int ? static_cast<double>(integer) : real; }
    [[nodiscard]] Value value() const { return is_int ? Value{integer} : Value{real}; }
};
std::optional<Number> number_of(const Value& value);

// Returns a negative number, zero or a positive one. Exact: rounds no integer to a double.
int compare_numbers(const Number& a, const Number& b);

bool equal(const Value& a, const Value& b);

// nullopt if the kinds have no order; every comparison is then false.
std::optional<int> order(const Value& a, const Value& b);

bool is_text(const Value& value); // string or key
std::string text_of(const Value& value);
std::string kind_of(const Value& value); // "int", "key", ...
std::string json_of(const Value& value); // a key is a JSON string

Value from_scalar(const Scalar& scalar);
Scalar to_scalar(const Value& value); // a key becomes a string
std::string json_of(const Scalar& scalar);

// Numbers of the rule language: integers stay integers, and nothing wraps around (D7, D9).

struct ArithmeticError {
    RunErrorKind kind{};
    std::string detail;
};

// Negate, Add .. Modulo and Min .. Round. Throws ArithmeticError.
Value calculate(ExprOp op, const std::vector<Value>& args);

// Less .. GreaterEqual, Equal and NotEqual; false if the kinds have no order.
bool holds(ExprOp comparison, const Value& left, const Value& right);

} // namespace croupier::engine::reference
