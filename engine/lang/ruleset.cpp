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
