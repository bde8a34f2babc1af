#include "engine/reference/shapes.h"

#include <algorithm>

namespace croupier::engine::reference {

namespace {

const Shape kAnyShape{};

std::ptrdiff_t place_in(const Domain& domain, const std::string& member) {
    return std::find(domain.members.begin(), domain.members.end(), member) - domain.members.begin();
}

bool has_member(const Domain& domain, const std::string& name) {
    return place_in(domain, name) < std::ssize(domain.members);
}

} // namespace

bool is_member(const Domain& domain, const Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return domain.numbered && has_member(domain, std::to_string(*integer));
    }
    if (const auto* text = std::get_if<std::string>(&value)) {
        return !domain.numbered && has_member(domain, *text);
    }
    const auto* key = std::get_if<Key>(&value);
    return key != nullptr && has_member(domain, key->text);
}

bool holds_children(const Shape& shape) {
    return shape.kind == ShapeKind::Record || shape.kind == ShapeKind::Map;
}

bool holds_value(const Shape& shape) {
    return shape.kind != ShapeKind::Any && !holds_children(shape);
}

Shapes::Shapes(const Ruleset& ruleset) : ruleset_(ruleset) {
    if (ruleset.shape) root_ = *ruleset.shape;
}

const Shape* Shapes::child(const Shape& shape, const std::string& key) const {
    switch (shape.kind) {
    case ShapeKind::Any:
        return &kAnyShape;
    case ShapeKind::Record:
        for (const auto& [name, field] : shape.fields) {
            if (name == key) return &field;
        }
        return &shape == &root_ ? &kAnyShape : nullptr;
    case ShapeKind::Map: {
        const bool allowed = !shape.domain.empty()
                                 ? has_member(*ruleset_.domain(shape.domain), key)
                                 : shape.key_type != "int" || integer_of(key).has_value();
        return allowed ? &shape.fields[0].second : nullptr;
    }
    default:
        return nullptr;
    }
}

const Shape* Shapes::at(const Path& path) const {
    const Shape* shape = &root_;
    for (const std::string& key : path) {
        shape = child(*shape, key);
        if (shape == nullptr) return nullptr;
    }
    return shape;
}

std::optional<Scalar> Shapes::stored(const Shape& shape, const Value& value) const {
    const auto number = number_of(value);
    const auto if_fits = [&](bool fits) {
        return fits ? std::optional{to_scalar(value)} : std::nullopt;
    };
    switch (shape.kind) {
    case ShapeKind::Any:
        return to_scalar(value);
    case ShapeKind::Unit: {
        const auto* truth = std::get_if<bool>(&value);
        return if_fits(truth != nullptr && *truth);
    }
    case ShapeKind::Int: // an integer key is stored as its integer
        if (!number || !number->is_int) return std::nullopt;
        if (number->integer < shape.low || number->integer > shape.high) return std::nullopt;
        return number->integer;
    case ShapeKind::Double: { // an integer is stored as the double that is exactly as much
        if (!number) return std::nullopt;
        const double real = number->as_double();
        if (compare_numbers(*number, Number{false, 0, real}) != 0) return std::nullopt;
        return real;
    }
    case ShapeKind::Number:
        return number ? std::optional{to_scalar(number->value())} : std::nullopt;
    case ShapeKind::Bool:
        return if_fits(std::holds_alternative<bool>(value));
    case ShapeKind::String:
        return if_fits(is_text(value));
    case ShapeKind::Member: {
        const Domain& domain = *ruleset_.domain(shape.domain);
        if (!is_member(domain, value)) return std::nullopt;
        return domain.numbered ? Scalar{number->integer} : to_scalar(value);
    }
    case ShapeKind::Record:
    case ShapeKind::Map:
        return std::nullopt;
    }
    return std::nullopt;
}

bool Shapes::fit(Node& node, const Shape& shape) const {
    if (node.value) {
        const auto kept = stored(shape, from_scalar(*node.value));
        if (!kept || !node.children.empty()) return false;
        node.value = *kept;
        return true;
    }
    if (holds_value(shape)) return false;
    // Nothing can be a list whose keys are declared to be something else.
    if (node.array && shape.kind == ShapeKind::Record) return false;
    if (node.array && shape.kind == ShapeKind::Map && !shape.domain.empty() &&
        !ruleset_.domain(shape.domain)->numbered) {
        return false;
    }
    for (Node& inner : node.children) {
        const Shape* below = child(shape, inner.key);
        if (below == nullptr || !fit(inner, *below)) return false;
    }
    sort_children(node, shape);
    return true;
}

void Shapes::sort_children(Node& node, const Shape& shape) const {
    if (shape.kind != ShapeKind::Map || shape.domain.empty()) return;
    const Domain& domain = *ruleset_.domain(shape.domain);
    std::stable_sort(node.children.begin(), node.children.end(), [&](const Node& a, const Node& b) {
        return place_in(domain, a.key) < place_in(domain, b.key);
    });
}

} // namespace croupier::engine::reference
