// Lookups by name, and what the header must leave out of line.
#include "engine/lang/ruleset.h"

#include <algorithm>

namespace croupier::engine {
namespace {

template <typename Items>
auto find_named(const Items& items, std::string_view name) -> decltype(items.data()) {
    const auto at = std::find_if(items.begin(), items.end(),
                                 [&](const auto& item) { return item.name == name; });
    return at == items.end() ? nullptr : &*at;
}

} // namespace

std::string_view name_of(ShapeKind kind) {
    switch (kind) {
    case ShapeKind::Any:
        return "any";
    case ShapeKind::Unit:
        return "true";
    case ShapeKind::Int:
        return "int";
    case ShapeKind::Double:
        return "double";
    case ShapeKind::Number:
        return "number";
    case ShapeKind::Bool:
        return "bool";
    case ShapeKind::String:
        return "string";
    case ShapeKind::Member:
        return "member";
    case ShapeKind::Record:
        return "record";
    case ShapeKind::Map:
        return "map";
    }
    return "";
}

Shape::Shape() = default;
Shape::Shape(const Shape&) = default;
Shape::Shape(Shape&&) noexcept = default;
Shape& Shape::operator=(const Shape&) = default;
Shape& Shape::operator=(Shape&&) noexcept = default;
Shape::~Shape() = default;

const Group* Ruleset::group(std::string_view name) const {
    return find_named(groups, name);
}
const Domain* Ruleset::domain(std::string_view name) const {
    return find_named(types, name);
}

} // namespace croupier::engine
