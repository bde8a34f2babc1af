// Changes of a state by keys and paths.
#include "engine/run/runtime.h"

namespace croupier::engine {

void Runtime::guard(NodeRef node, Symbol key, Span span) const {
    if (node == root_ && key != kNoSymbol && catalogue_.has_constant(key)) {
        fail(RunErrorKind::Constant, span,
             "'" + std::string(symbols().text(key)) + "' is a constant");
    }
}

void Runtime::guard(const Path& path, Span span) const {
    if (!path.keys.empty() && base_of(path, span).empty()) {
        guard(root_, path.keys[0], span);
    }
}

void Runtime::check_size(Span span) const {
    if (state_->arena_nodes() > budgets_.nodes) {
        fail(RunErrorKind::BudgetSize, span, "the state has grown larger than the budget allows");
    }
}

// ---- by node and key -------------------------------------------------------------------------

NodeRef Runtime::make_child(NodeRef node, Symbol key, Span span) {
    guard(node, key, span);
    const NodeRef child = state_->make_child(node, key);
    check_size(span);
    return child;
}

void Runtime::set_child(NodeRef node, Symbol key, const Value& value, Span span) {
    guard(node, key, span);
    state_->set_child(node, key, value);
    check_size(span);
}

void Runtime::put_child(NodeRef node, Symbol key, const Document& document, Span span) {
    guard(node, key, span);
    state_->put_child(node, key, document);
    check_size(span);
}

void Runtime::remove_child(NodeRef node, Symbol key, Span span) {
    if (!node || key == kNoSymbol) {
        return;
    }
    guard(node, key, span);
    if (const NodeRef child = state_->child(node, key)) {
        state_->remove(child);
    }
}

// ---- by path ---------------------------------------------------------------------------------

// Makes the path's first nodes, all but the last able to have children.
NodeRef Runtime::make_above(const Path& path, std::size_t keys, Span span) {
    NodeRef node = root_;
    const auto descend = [&](Symbol key) {
        state_->make_inner(node);
        node = make_child(node, key, span);
    };
    for (const Symbol key : base_of(path, span)) {
        descend(key);
    }
    for (std::size_t i = 0; i < keys; ++i) {
        descend(path.keys[i]);
    }
    return node;
}

NodeRef Runtime::make_all(const Path& path, Span span) {
    return make_above(path, path.keys.size(), span);
}

NodeRef Runtime::make(const Path& path, Span span) {
    guard(path, span);
    if (!find(path, span)) {
        const SchemaId schema = schema_at(path, span);
        if (schema != kNoSchema && catalogue_.layout->node(schema).is_leaf()) {
            throw ShapeFault(catalogue_.layout->path(schema) + " holds a value, not children");
        }
    }
    return make_all(path, span);
}

void Runtime::set(const Path& path, const Value& value, Span span) {
    guard(path, span);
    if (const SchemaId schema = schema_at(path, span); schema != kNoSchema) {
        (void)state_->stored(schema, value);
    }
    const NodeRef above = make_above(path, path.keys.size() - 1, span);
    state_->make_inner(above);
    set_child(above, path.keys.back(), value, span);
}

void Runtime::put(const Path& path, const Document& document, Span span) {
    guard(path, span);
    state_->check(schema_at(path, span), document);
    const NodeRef above = make_above(path, path.keys.size() - 1, span);
    state_->make_inner(above);
    state_->put_child(above, path.keys.back(), document);
    check_size(span);
}

void Runtime::remove(const Path& path, Span span) {
    guard(path, span);
    if (const NodeRef node = find(path, span)) {
        state_->remove(node);
    }
}

// ---- data ------------------------------------------------------------------------------------

Runtime::Allowed Runtime::allowed_below(const Allowed& above, Symbol key) const {
    if (!above.fault.empty()) {
        return above;
    }
    try {
        return {state_->schema_below(above.schema, key), {}};
    } catch (const ShapeFault& fault) {
        return {kNoSchema, fault.what()};
    }
}

Runtime::Allowed Runtime::allowed_at(const Path& path, Span span) const {
    try {
        return {schema_at(path, span), {}};
    } catch (const ShapeFault& fault) {
        return {kNoSchema, fault.what()};
    }
}

Document Runtime::leaf(const Value& value, const Allowed& place) const {
    if (!place.fault.empty()) {
        throw ShapeFault(place.fault);
    }
    Document document;
    document.scalar = to_scalar(
        place.schema == kNoSchema ? value : state_->stored(place.schema, value), symbols());
    return document;
}

} // namespace croupier::engine
