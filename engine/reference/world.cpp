#include "engine/reference/world.h"

#include "engine/language/ruleset.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace croupier::engine::reference {

// Names that rules read at the root of the state, though they are not part of it: `constants`, and
// the relations of the domains.

// A root whose children are the names that rules can read but not change.
Node build_constants(const Ruleset& ruleset);

const Node* Node::find(std::string_view name) const {
    for (const Node& child : children)
        if (child.key == name) return &child;
    return nullptr;
}

Node* Node::find(std::string_view name) {
    return const_cast<Node*>(std::as_const(*this).find(name));
}

const Node* find(const Node& root, const Path& path) {
    const Node* node = &root;
    for (const std::string& key : path) {
        node = node->find(key);
        if (node == nullptr) return nullptr;
    }
    return node;
}

std::size_t count_nodes(const Node& node) {
    std::size_t count = 1;
    for (const Node& child : node.children)
        count += count_nodes(child);
    return count;
}

Node import_node(const Document& document, std::string key) {
    Node node;
    node.key = std::move(key);
    node.array = document.is_array();
    if (document.kind == Document::Kind::Scalar) node.value = document.scalar;
    for (const Member& member : document.members) {
        std::string name = node.array ? std::to_string(node.children.size()) : member.key;
        node.children.push_back(import_node(member.value, std::move(name)));
    }
    return node;
}

namespace {

bool is_array_now(const Node& node) {
    if (!node.array) return false;
    for (std::size_t i = 0; i < node.children.size(); ++i)
        if (node.children[i].key != std::to_string(i)) return false;
    return true;
}

} // namespace

Document export_node(const Node& node) {
    Document document;
    if (node.value) {
        document.scalar = *node.value;
        return document;
    }
    const bool array = is_array_now(node);
    document.kind = array ? Document::Kind::Array : Document::Kind::Object;
    for (const Node& child : node.children)
        document.members.push_back({array ? std::string{} : child.key, {}, export_node(child)});
    return document;
}

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
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return domain.numbered && has_member(domain, std::to_string(*integer));
    if (const auto* text = std::get_if<std::string>(&value))
        return !domain.numbered && has_member(domain, *text);
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
        for (const auto& [name, field] : shape.fields)
            if (name == key) return &field;
        return &shape == &root_ ? &kAnyShape : nullptr;
    case ShapeKind::Map: {
        const bool allowed = !shape.domain.empty()
                                 ? has_member(*ruleset_.domain(shape.domain), key)
                                 : shape.key_type != "int" || integer_of(key).has_value();
        return allowed ? &shape.fields[0].shape : nullptr;
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
    case ShapeKind::Double: { // an integer is stored as the exactly equal double
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
    // A node whose keys are declared as anything but numbers cannot be a list.
    if (node.array && shape.kind == ShapeKind::Record) return false;
    if (node.array && shape.kind == ShapeKind::Map && !shape.domain.empty() &&
        !ruleset_.domain(shape.domain)->numbered)
        return false;
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

namespace {

Node& child_of(Node& parent, const std::string& key) {
    if (Node* known = parent.find(key)) return *known;
    Node child;
    child.key = key;
    parent.children.push_back(std::move(child));
    return parent.children.back();
}

struct Cell {
    std::int64_t column = 0;
    std::int64_t row = 0;
};

// "c7" -> {2, 6}; columns past z are aa, ab, ..
Cell cell_named(const std::string& name) {
    Cell cell;
    std::size_t i = 0;
    for (; name[i] >= 'a' && name[i] <= 'z'; ++i)
        cell.column = cell.column * 26 + (name[i] - 'a' + 1);
    return {cell.column - 1, std::stoll(name.substr(i)) - 1};
}

// Steps from `a` to `b` along an axis of that size, the shorter way if it wraps.
std::int64_t distance(std::int64_t a, std::int64_t b, std::int64_t size, bool wrap) {
    const std::int64_t direct = std::abs(a - b);
    return wrap ? std::min(direct, size - direct) : direct;
}

bool are_near(const Cell& a, const Cell& b, const Grid& grid) {
    const std::int64_t across = distance(a.column, b.column, grid.columns, grid.wrap);
    const std::int64_t along = distance(a.row, b.row, grid.rows, grid.wrap);
    if (grid.near == Ways::King) return std::max(across, along) == 1;
    if (grid.near == Ways::Hex) { // one axis, or up the one and down the other
        const auto is = [&](std::int64_t x, std::int64_t y) {
            const auto met = [&](std::int64_t moved, std::int64_t other, std::int64_t size) {
                return grid.wrap ? (moved - other) % size == 0 : moved == other;
            };
            return met(a.column + x, b.column, grid.columns) && met(a.row + y, b.row, grid.rows);
        };
        return across + along > 0 &&
               (is(1, 0) || is(-1, 0) || is(0, 1) || is(0, -1) || is(1, -1) || is(-1, 1));
    }
    if (grid.near == Ways::Bishop) {
        // On an axis with a single place, a step that wraps leads back to the same place.
        const bool aside = across == 1 || (grid.wrap && grid.columns == 1);
        const bool ahead = along == 1 || (grid.wrap && grid.rows == 1);
        return aside && ahead && across + along > 0;
    }
    return across + along == 1;
}

void add_near(Node& root, const Domain& domain) {
    Node& near = child_of(root, "near");
    for (const std::string& from : domain.members) {
        Node& neighbours = child_of(near, from);
        for (const std::string& to : domain.members)
            if (are_near(cell_named(from), cell_named(to), *domain.grid))
                child_of(neighbours, to).value = true;
    }
}

// One step in a direction.
struct Way {
    std::string name;
    std::int64_t east = 0;
    std::int64_t north = 0;
};

std::vector<Way> ways_of_grid(Ways ways) {
    const std::vector<Way> straight = {
        {"north", 0, 1}, {"east", 1, 0}, {"south", 0, -1}, {"west", -1, 0}};
    const std::vector<Way> diagonal = {
        {"northeast", 1, 1}, {"southeast", 1, -1}, {"southwest", -1, -1}, {"northwest", -1, 1}};
    std::vector<Way> all;
    for (std::size_t i = 0; i < 4 && ways != Ways::None; ++i) {
        if (ways != Ways::Bishop) all.push_back(straight[i]);
        if (ways != Ways::Rook && (ways != Ways::Hex || i % 2 == 1)) all.push_back(diagonal[i]);
    }
    return all;
}

// The cells from `from` on, one after the other, up to the edge or back to `from`.
std::vector<std::string> line_from(const std::string& from, const Way& way, const Domain& domain) {
    const Grid& grid = *domain.grid;
    const Cell start = cell_named(from);
    std::vector<std::string> line;
    for (std::int64_t n = 1;; ++n) {
        std::int64_t column = start.column + n * way.east;
        std::int64_t row = start.row + n * way.north;
        if (grid.wrap) {
            column = ((column % grid.columns) + grid.columns) % grid.columns;
            row = ((row % grid.rows) + grid.rows) % grid.rows;
        }
        if (column < 0 || column >= grid.columns || row < 0 || row >= grid.rows) return line;
        const std::string& name =
            domain.members[static_cast<std::size_t>(row * grid.columns + column)];
        if (name == from) return line;
        line.push_back(name);
    }
}

void add_lines(Node& root, const Domain& domain) {
    for (const Way& way : ways_of_grid(domain.grid->step)) {
        Node& cells = child_of(child_of(root, "step"), way.name);
        for (const std::string& from : domain.members) {
            const auto line = line_from(from, way, domain);
            if (!line.empty()) child_of(cells, from).value = line.front();
        }
    }
    for (const Way& way : ways_of_grid(domain.grid->ray)) {
        Node& cells = child_of(child_of(root, "ray"), way.name);
        for (const std::string& from : domain.members) {
            const auto line = line_from(from, way, domain);
            for (std::size_t i = 0; i < line.size(); ++i)
                child_of(child_of(cells, from), line[i]).value = static_cast<std::int64_t>(i + 1);
        }
    }
}

void add_next(Node& root, const Domain& domain) {
    Node& next = child_of(root, "next");
    const std::size_t count = domain.members.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (i + 1 == count && domain.order == Domain::Order::Linear) break;
        const std::size_t after = (i + 1) % count;
        Node& entry = child_of(next, domain.members[i]);
        entry.value = domain.numbered ? Scalar{static_cast<std::int64_t>(after)}
                                      : Scalar{domain.members[after]};
    }
}

} // namespace

Node build_constants(const Ruleset& ruleset) {
    Node root = ruleset.constants ? import_node(*ruleset.constants) : Node{};
    for (const Domain& domain : ruleset.types) {
        if (domain.grid && domain.grid->near != Ways::None) add_near(root, domain);
        if (domain.grid) add_lines(root, domain);
        if (domain.order != Domain::Order::None) add_next(root, domain);
    }
    for (const Domain* type : types_as_constants(ruleset))
        for (const std::string& member : type->members)
            child_of(child_of(root, type->name), member).value = true;
    return root;
}

World::World(const Ruleset& rules, Node& root, Random& chance, const Budgets& limits, Fault mistake)
    : ruleset(rules), state(root), random(chance), budgets(limits), fault(mistake), shapes(rules),
      constants(build_constants(rules)) {}

void World::fail(RunErrorKind kind, Span span, std::string detail) const {
    throw RunFailure({kind, rule != nullptr ? rule->name : std::string{}, span, std::move(detail)});
}

void World::count_step() {
    if (++steps > budgets.steps)
        fail(RunErrorKind::BudgetSteps, rule->span, "too many things tried");
}

const Node* World::at(const Path& path) const {
    return find(is_constant(path) ? constants : state, path);
}

bool World::is_constant(const Path& path) const {
    return !path.empty() && constants.find(path.front()) != nullptr;
}

} // namespace croupier::engine::reference
