// A state from JSON and back, and compared.
#include "engine/text/codes.h"
#include "engine/tree/arena_node.h"
#include "engine/tree/state.h"

namespace croupier::engine {

namespace {

Symbol key_of(const Document& document, std::size_t i, Symbols& symbols) {
    return symbols.intern(document.is_array() ? std::to_string(i) : document.members[i].key);
}

} // namespace

void State::write(NodeRef node, const Document& document) {
    if (document.kind == Document::Kind::Scalar) {
        set_value(node, to_value(document.scalar, symbols_));
        return;
    }
    if (document.is_array()) {
        make_array(node);
    } else {
        make_inner(node);
    }
    for (std::size_t i = 0; i < document.members.size(); ++i) {
        const Symbol key = key_of(document, i, symbols_);
        const Document& below = document.members[i].value;
        if (below.kind == Document::Kind::Scalar) {
            set_child(node, key, to_value(below.scalar, symbols_));
        } else {
            write(make_child(node, key), below);
        }
    }
}

void State::check(SchemaId schema, const Document& document) {
    if (schema == kNoSchema) {
        return;
    }
    const SchemaNode& node = layout_->node(schema);
    if (document.kind == Document::Kind::Scalar) {
        (void)stored(schema, to_value(document.scalar, symbols_));
        return;
    }
    if (node.is_leaf()) {
        throw ShapeFault(layout_->path(schema) + " holds a value, not children");
    }
    if (document.is_array()) {
        check_array(schema);
    }
    for (std::size_t i = 0; i < document.members.size(); ++i) {
        check(schema_below(schema, key_of(document, i, symbols_)), document.members[i].value);
    }
}

void State::replace(NodeRef node, const Document& document) {
    check(schema_of(node), document);
    if (!(node.schema != kArena && layout_->node(node.schema).is_leaf())) {
        remove_children(node);
        if (node.schema == kArena) {
            arena(node.index).flags &= ~std::uint32_t{ArenaNode::Array};
        } else if (layout_->node(node.schema).arrays != kNoOffset) {
            store<std::uint8_t>(layout_->node(node.schema).arrays + node.index, 0);
        }
    }
    write(node, document);
}

void State::put_child(NodeRef node, Symbol key, const Document& document) {
    check(schema_below(schema_of(node), key), document);
    if (document.kind == Document::Kind::Scalar) {
        set_child(node, key, to_value(document.scalar, symbols_));
    } else {
        replace(make_child(node, key), document);
    }
}

namespace {

// Writes as much as the shape allows and reports the rest, so that one run names every mistake.
void import_children(State& state, NodeRef node, const Document& document,
                     Diagnostics& diagnostics) {
    for (std::size_t i = 0; i < document.members.size(); ++i) {
        const Member& member = document.members[i];
        const Symbol key = key_of(document, i, state.symbols());
        try {
            if (member.value.kind == Document::Kind::Scalar) {
                state.set_child(node, key, to_value(member.value.scalar, state.symbols()));
                continue;
            }
            const NodeRef child = state.make_child(node, key);
            if (member.value.is_array()) {
                state.make_array(child);
            } else {
                state.make_inner(child);
            }
            import_children(state, child, member.value, diagnostics);
        } catch (const ShapeFault& fault) {
            diagnostics.error(code::kDataMisfit, member.key_span, fault.what(),
                              "write the state as the ruleset's shape declares it");
        }
    }
}

Document export_value(const State& state, NodeRef node) {
    Document document;
    document.scalar = to_scalar(state.value(node), state.symbols());
    return document;
}

bool same_node(const State& a, NodeRef x, const State& b, NodeRef y) {
    const Value u = a.value(x);
    const Value v = b.value(y);
    if (u.tag != v.tag || a.is_array(x) != b.is_array(y)) {
        return false;
    }
    if (u.tag == Tag::String) {
        if (a.symbols().text(u.symbol()) != b.symbols().text(v.symbol())) {
            return false;
        }
    } else if (u.integer != v.integer) {
        return false;
    }
    NodeRef i = a.first_child(x);
    NodeRef j = b.first_child(y);
    for (; i && j; i = a.next_sibling(i), j = b.next_sibling(j)) {
        if (a.symbols().text(a.key(i).symbol()) != b.symbols().text(b.key(j).symbol()) ||
            !same_node(a, i, b, j)) {
            return false;
        }
    }
    return !i && !j;
}

} // namespace

bool State::import(const Document& document, Diagnostics& diagnostics) {
    if (!document.is_object() &&
        (!document.is_array() || layout_->node(0).column != Column::Arena)) {
        diagnostics.error(code::kDataMisfit, document.span, "a state is an object",
                          "put the state's nodes into { }");
        return false;
    }
    remove_children(root());
    if (document.is_array()) {
        make_array(root());
    }
    Diagnostics found;
    import_children(*this, root(), document, found);
    for (Diagnostic& diagnostic : found.sorted()) {
        diagnostics.add(std::move(diagnostic));
    }
    return !found.has_errors();
}

Document State::export_document(NodeRef node) const {
    const NodeRef first = first_child(node);
    if (!first && value(node).tag != Tag::None) {
        return export_value(*this, node);
    }
    Document document;
    document.kind = Document::Kind::Object;
    bool array = is_array(node);
    std::int64_t expected = 0;
    for (NodeRef child = first; child; child = next_sibling(child)) {
        Member member;
        const Symbol name = key(child).symbol();
        member.key = std::string(symbols_.text(name));
        member.value = export_document(child);
        array = array && symbols_.integer(name) == expected++;
        document.members.push_back(std::move(member));
    }
    if (array) {
        document.kind = Document::Kind::Array;
        for (Member& member : document.members) {
            member.key.clear();
        }
    }
    return document;
}

bool State::equals(const State& other) const {
    const bool bytes_decide = layout_ == other.layout_ && arena_used_ == 0 &&
                              other.arena_used_ == 0 && symbols_.own_size() == 0 &&
                              other.symbols_.own_size() == 0 &&
                              rest_capacity_ == other.rest_capacity_;
    if (bytes_decide) {
        return std::memcmp(data(), other.data(), arena_offset()) == 0;
    }
    return same_node(*this, root(), other, other.root());
}

} // namespace croupier::engine
