// Declared nodes by the codes of their keys, wherever their columns are.
#include "engine/run/runtime.h"

#include <stdexcept>

namespace croupier::engine {

NodeRef Runtime::instance(SchemaId schema, std::span<const std::uint32_t> codes) const {
    const Layout& layout = *catalogue_.layout;
    std::uint32_t index = 0;
    std::uint32_t scale = 1; // of the next map outwards
    std::size_t next = codes.size();
    for (SchemaId at = schema; layout.node(at).parent != kNoSchema; at = layout.node(at).parent) {
        const SchemaNode& above = layout.node(layout.node(at).parent);
        if (above.kind == ShapeKind::Map) {
            const std::uint32_t code = codes[--next];
            if (code == 0) {
                return {};
            }
            index += (code - 1) * scale;
            scale *= layout.domain(above.domain).size();
        }
    }
    return {schema, index};
}

NodeRef Runtime::node_at(NodeRef instance) const {
    if (!is_present(instance)) {
        return {};
    }
    const bool is_subtree = catalogue_.layout->node(instance.schema).column == Column::Arena;
    if (!is_subtree) {
        return instance;
    }
    const NodeRef above = state_->parent(instance);
    return above ? state_->child(above, state_->key(instance).symbol()) : state_->root();
}

Value Runtime::value_at(NodeRef instance) const {
    return value(node_at(instance));
}

std::vector<std::uint64_t> Runtime::rows_of(NodeRef map) const {
    const Layout& layout = *catalogue_.layout;
    const std::uint32_t size = layout.domain(layout.node(map.schema).domain).size();
    std::vector<std::uint64_t> words(words_for(size));
    for (std::uint32_t row = state_->next_row(map, 0); row < size;
         row = state_->next_row(map, row + 1)) {
        words[row / kWordRows] |= std::uint64_t{1} << (row % kWordRows);
    }
    return words;
}

namespace {

// Whoever changes a node asks before whether its keys are any.
void expect_instance(NodeRef instance) {
    if (!instance) {
        throw std::logic_error("a node to be made has a key that is none");
    }
}

} // namespace

void Runtime::ensure(NodeRef instance, Span span) {
    expect_instance(instance);
    if (catalogue_.layout->node(instance.schema).column != Column::Arena) {
        state_->ensure(instance.schema, instance.index);
        return;
    }
    const NodeRef above = state_->parent(instance);
    if (above && !state_->is_present(instance)) {
        state_->ensure(above.schema, above.index);
        state_->make_child(above, state_->key(instance).symbol());
        check_size(span);
    }
}

void Runtime::store(NodeRef leaf, const Value& value) {
    expect_instance(leaf);
    state_->set_leaf(leaf, value);
}

void Runtime::erase(NodeRef instance) {
    if (const NodeRef node = node_at(instance)) {
        state_->remove(node);
    }
}

} // namespace croupier::engine
