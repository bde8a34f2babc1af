// Values and types against shapes, by LANGUAGE.md sections 3 and 5.
#include "engine/lang/fit.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace croupier::engine {
namespace {

// The integer that a number is equal to.
std::optional<std::int64_t> as_integer(const Scalar& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
    const auto* number = std::get_if<double>(&value);
    if (number == nullptr || std::trunc(*number) != *number) return std::nullopt;
    if (!(*number >= -0x1p63 && *number < 0x1p63)) return std::nullopt;
    return static_cast<std::int64_t>(*number);
}

bool is_number(const Scalar& value) {
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

bool contains(const Domain& domain, std::string_view member) {
    return std::find(domain.members.begin(), domain.members.end(), member) != domain.members.end();
}

bool in_domain(const Domain& domain, const Scalar& value) {
    if (domain.numbered) {
        const auto number = as_integer(value);
        return number && *number >= 0 && *number < static_cast<std::int64_t>(domain.members.size());
    }
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr && contains(domain, *text);
}

// The least and greatest integer of a leaf that holds integers.
struct Range {
    std::int64_t low;
    std::int64_t high;
};

std::optional<Range> range_of(const Ruleset& ruleset, const Shape& shape) {
    if (shape.kind == ShapeKind::Int) return Range{shape.low, shape.high};
    if (shape.kind != ShapeKind::Member) return std::nullopt;
    const Domain* domain = ruleset.domain(shape.domain);
    if (domain == nullptr || !domain->numbered) return std::nullopt;
    return Range{0, static_cast<std::int64_t>(domain->members.size()) - 1};
}

bool range_can(Range range, ExprOp compare, std::int64_t value) {
    switch (compare) {
    case ExprOp::Less:
        return range.low < value;
    case ExprOp::LessEqual:
        return range.low <= value;
    case ExprOp::Greater:
        return range.high > value;
    default:
        return range.high >= value;
    }
}

bool holds_text(const Ruleset& ruleset, const Shape& shape) {
    if (shape.kind == ShapeKind::String) return true;
    const Domain* domain = shape.kind == ShapeKind::Member ? ruleset.domain(shape.domain) : nullptr;
    return domain != nullptr && !domain->numbered;
}

bool share_member(const Domain& a, const Domain& b) {
    return std::any_of(a.members.begin(), a.members.end(),
                       [&](const std::string& member) { return contains(b, member); });
}

bool has_integer_member(const Domain& domain) {
    return std::any_of(domain.members.begin(), domain.members.end(), is_integer_key);
}

} // namespace

bool equal_scalars(const Scalar& a, const Scalar& b) {
    if (!is_number(a) || !is_number(b)) return a == b;
    const auto left = as_integer(a);
    const auto right = as_integer(b);
    if (left || right) return left == right;
    return std::get<double>(a) == std::get<double>(b);
}

bool can_hold(const Ruleset& ruleset, const Shape& shape, const Scalar& value) {
    switch (shape.kind) {
    case ShapeKind::Any:
        return true;
    case ShapeKind::Unit:
        return value == Scalar(true);
    case ShapeKind::Int: {
        const auto number = as_integer(value);
        return number && *number >= shape.low && *number <= shape.high;
    }
    case ShapeKind::Double:
    case ShapeKind::Number:
        return is_number(value);
    case ShapeKind::Bool:
        return std::holds_alternative<bool>(value);
    case ShapeKind::String:
        return std::holds_alternative<std::string>(value);
    case ShapeKind::Member: {
        const Domain* domain = ruleset.domain(shape.domain);
        return domain == nullptr || in_domain(*domain, value);
    }
    case ShapeKind::Record:
    case ShapeKind::Map:
        break;
    }
    return false;
}

bool can_store(const Ruleset& ruleset, const Shape& shape, const Scalar& value) {
    if (!can_hold(ruleset, shape, value)) return false;
    const auto* integer = std::get_if<std::int64_t>(&value);
    if (shape.kind == ShapeKind::Double)
        return integer == nullptr || as_integer(static_cast<double>(*integer)) == *integer;
    return integer != nullptr || !range_of(ruleset, shape);
}

bool can_compare(const Ruleset& ruleset, const Shape& shape, ExprOp compare, const Scalar& value) {
    if (shape.kind == ShapeKind::Any) return true;
    if (compare == ExprOp::NotEqual)
        return shape.kind != ShapeKind::Record && shape.kind != ShapeKind::Map;
    if (compare == ExprOp::Equal) return can_hold(ruleset, shape, value);
    if (std::holds_alternative<std::string>(value)) return holds_text(ruleset, shape);
    if (!is_number(value)) return false;
    if (shape.kind == ShapeKind::Double || shape.kind == ShapeKind::Number) return true;
    const auto range = range_of(ruleset, shape);
    const auto integer = as_integer(value);
    return range && (!integer || range_can(*range, compare, *integer));
}

bool value_can_be(const Ruleset& ruleset, const Shape& shape, std::string_view type) {
    if (type.empty() || type == "any" || shape.kind == ShapeKind::Any)
        return shape.kind != ShapeKind::Record && shape.kind != ShapeKind::Map;
    const bool integers = range_of(ruleset, shape).has_value();
    if (const Domain* domain = ruleset.domain(type)) {
        if (shape.kind == ShapeKind::Member) {
            const Domain* held = ruleset.domain(shape.domain);
            return held == nullptr || share_member(*domain, *held);
        }
        if (domain->numbered) return integers || shape.kind == ShapeKind::Number;
        return shape.kind == ShapeKind::String;
    }
    if (type == "int") return integers || shape.kind == ShapeKind::Number;
    if (type == "double") return shape.kind == ShapeKind::Double || shape.kind == ShapeKind::Number;
    if (type == "number")
        return integers || shape.kind == ShapeKind::Double || shape.kind == ShapeKind::Number;
    if (type == "string") return holds_text(ruleset, shape);
    if (type == "bool") return shape.kind == ShapeKind::Bool || shape.kind == ShapeKind::Unit;
    return false; // null: no declared leaf holds it
}

bool key_can_be(const Ruleset& ruleset, const Shape& parent, std::string_view type) {
    const Domain* wanted = ruleset.domain(type);
    const bool integer = type == "int" || type == "number";
    const auto fits = [&](std::string_view key) {
        return wanted != nullptr ? contains(*wanted, key) : !integer || is_integer_key(key);
    };
    if (parent.kind == ShapeKind::Record) {
        return std::any_of(parent.fields.begin(), parent.fields.end(),
                           [&](const auto& field) { return fits(field.first); });
    }
    if (parent.kind != ShapeKind::Map) return true;
    if (const Domain* keys = ruleset.domain(parent.domain))
        return std::any_of(keys->members.begin(), keys->members.end(), fits);
    if (parent.key_type == "int") return wanted == nullptr || has_integer_member(*wanted);
    return true;
}

std::string describe(const Ruleset& ruleset, const Shape& shape) {
    switch (shape.kind) {
    case ShapeKind::Any:
        return "anything";
    case ShapeKind::Unit:
        return "true or nothing";
    case ShapeKind::Int:
        if (shape.low == INT64_MIN && shape.high == INT64_MAX) return "an integer";
        return "an integer from " + std::to_string(shape.low) + " to " + std::to_string(shape.high);
    case ShapeKind::Double:
        return "a double";
    case ShapeKind::Number:
        return "a number";
    case ShapeKind::Bool:
        return "true or false";
    case ShapeKind::String:
        return "a string";
    case ShapeKind::Member:
        if (const auto range = range_of(ruleset, shape)) {
            return "an integer from 0 to " + std::to_string(range->high) + " (" + shape.domain +
                   ")";
        }
        return "a member of " + shape.domain;
    case ShapeKind::Record:
    case ShapeKind::Map:
        break;
    }
    return "children, not a value";
}

std::string mend(const Reading& reading, const Ruleset& ruleset, const Shape& shape,
                 const Scalar& value) {
    const auto* text = std::get_if<std::string>(&value);
    const Domain* domain = shape.kind == ShapeKind::Member ? ruleset.domain(shape.domain) : nullptr;
    if (text != nullptr && is_integer_key(*text) &&
        can_hold(ruleset, shape, std::int64_t{std::stoll(*text)}))
        return "write the number without quotes";
    if (shape.kind == ShapeKind::Double && is_number(value))
        return "no double has exactly this value; write it with a decimal point to have it rounded";
    if (text == nullptr && is_number(value) && domain != nullptr &&
        contains(*domain, scalar_json(value)))
        return "write it in quotes";
    if (domain == nullptr || domain->numbered || text == nullptr) return {};
    return reading.did_you_mean(*text, domain->members);
}

bool is_integer_key(std::string_view key) {
    std::int64_t value = 0;
    const auto result = std::from_chars(key.data(), key.data() + key.size(), value);
    return result.ec == std::errc{} && result.ptr == key.data() + key.size() &&
           std::to_string(value) == key;
}

} // namespace croupier::engine
