#include "engine/reference/edit.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::reference {

namespace {

// Without its last key: the node above.
Path above(const Path& path) {
    return {path.begin(), path.end() - 1};
}

// The node at `path`; creates what is missing and drops the values above it. Whether the shape
// permits the path has been checked.
Node& reach(World& world, const Path& path) {
    Node* node = &world.state;
    for (std::size_t depth = 0; depth < path.size(); ++depth) {
        node->value.reset();
        Node* child = node->find(path[depth]);
        if (child == nullptr) {
            const bool first = world.fault == Fault::NewNodesFirst;
            Node fresh;
            fresh.key = path[depth];
            node->children.insert(first ? node->children.begin() : node->children.end(), fresh);
            const Path parent(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(depth));
            if (world.fault != Fault::DomainOrderIgnored) {
                world.shapes.sort_children(*node, *world.shapes.at(parent));
            }
            child = node->find(path[depth]);
        }
        node = child;
    }
    return *node;
}

void check_size(World& world, Span span) {
    if (count_nodes(world.state) > world.budgets.nodes) {
        world.fail(RunErrorKind::BudgetSize, span, "the state has too many nodes");
    }
}

} // namespace

std::string to_text(const Path& path) {
    std::string text;
    for (const std::string& key : path) {
        text += (text.empty() ? "" : ".") + key;
    }
    return text;
}

void check_writable(World& world, const Path& path, Span span) {
    if (world.is_constant(path)) {
        world.fail(RunErrorKind::Constant, span, to_text(path) + " cannot be changed");
    }
}

const Shape& shape_at(World& world, const Path& path, Span span) {
    const Shape* shape = world.shapes.at(path);
    if (shape == nullptr) {
        world.fail(RunErrorKind::Shape, span, "the shape has no " + to_text(path));
    }
    return *shape;
}

void set_value(World& world, const Path& path, const Value& value, Span span) {
    check_writable(world, path, span);
    const auto stored = world.shapes.stored(shape_at(world, path, span), value);
    if (!stored) {
        world.fail(RunErrorKind::Shape, span, to_text(path) + " cannot hold " + json_of(value));
    }
    Node& node = reach(world, path);
    node.clear();
    node.value = *stored;
    check_size(world, span);
}

void set_content(World& world, const Path& path, Node content, Span span) {
    check_writable(world, path, span);
    if (!world.shapes.fit(content, shape_at(world, path, span))) {
        world.fail(RunErrorKind::Shape, span,
                   to_text(path) + " cannot hold " + write_json(export_node(content), -1));
    }
    Node& node = reach(world, path);
    content.key = node.key;
    node = std::move(content);
    check_size(world, span);
}

void create(World& world, const Path& path, Span span) {
    check_writable(world, path, span);
    if (find(world.state, path) != nullptr) return;
    if (holds_value(shape_at(world, path, span))) {
        world.fail(RunErrorKind::Shape, span, to_text(path) + " holds a value, not children");
    }
    reach(world, path);
    check_size(world, span);
}

void make_inner(World& world, const Path& path, Span span) {
    create(world, path, span);
    if (holds_value(shape_at(world, path, span))) {
        world.fail(RunErrorKind::Shape, span, to_text(path) + " holds a value, not children");
    }
    reach(world, path).value.reset();
}

void remove(World& world, const Path& path, Span span) {
    check_writable(world, path, span);
    if (find(world.state, path) == nullptr) return;
    if (path.empty()) return world.state.clear();
    Node& parent = reach(world, above(path));
    std::erase_if(parent.children, [&](const Node& child) { return child.key == path.back(); });
}

} // namespace croupier::engine::reference
