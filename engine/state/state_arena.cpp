// The undeclared part of a state's tree: nodes linked in an arena inside the block, and undeclared
// children of a declared root.
#include "engine/state/arena_node.h"
#include "engine/state/state.h"

namespace croupier::engine {

namespace {

// A node with more children than this gets an index of its keys.
constexpr std::uint32_t kLinearChildren = 32;

} // namespace

State::ArenaNode& State::arena(std::uint32_t id) {
    return reinterpret_cast<ArenaNode*>(block_.get() + arena_offset())[id - 1];
}

const State::ArenaNode& State::arena(std::uint32_t id) const {
    return reinterpret_cast<const ArenaNode*>(block_.get() + arena_offset())[id - 1];
}

std::uint32_t State::new_arena_node() {
    std::uint32_t id = arena_free_;
    if (id != 0) {
        arena_free_ = arena(id).next;
    } else {
        id = arena_end_++;
        reserve(size_ + sizeof(ArenaNode));
        size_ += sizeof(ArenaNode);
    }
    ++arena_used_;
    ArenaNode& node = arena(id);
    node = ArenaNode{};
    node.flags = ArenaNode::Used;
    return id;
}

// Frees the node and all below it. Walks without recursion: a subtree may be deep.
void State::free_arena_node(std::uint32_t id) {
    touch({kArena, id}, true);
    free_children(id);
    ArenaNode& node = arena(id);
    node = ArenaNode{};
    node.next = arena_free_;
    arena_free_ = id;
    if (--arena_used_ > 0) return;
    // An empty arena takes no space, so copies are as cheap as before its first use.
    arena_end_ = 1;
    arena_free_ = 0;
    size_ = arena_offset();
}

void State::free_children(std::uint32_t id) {
    // Appends grandchildren to the list of children still to be freed.
    std::uint32_t child = arena(id).first;
    while (child != 0) {
        ArenaNode& node = arena(child);
        touch({kArena, child}, true);
        if (arena(node.parent).is(ArenaNode::Indexed)) index_->erase(node.parent, node.key);
        if (node.first != 0) {
            // Indexed grandchildren lose their entries when the loop reaches them: `parent` stays.
            arena(node.last).next = node.next;
            node.next = node.first;
        }
        child = node.next;
    }
    child = arena(id).first;
    while (child != 0) {
        ArenaNode& node = arena(child);
        const std::uint32_t next = node.next;
        node = ArenaNode{};
        node.next = arena_free_;
        arena_free_ = child;
        --arena_used_;
        child = next;
    }
    ArenaNode& node = arena(id);
    node.first = 0;
    node.last = 0;
    node.count = 0;
    node.flags &= ~std::uint32_t{ArenaNode::Indexed};
}

std::uint32_t State::arena_child(std::uint32_t id, Symbol key) const {
    const ArenaNode& node = arena(id);
    if (node.is(ArenaNode::Indexed)) return index_->find(id, key);
    for (std::uint32_t child = node.first; child != 0; child = arena(child).next)
        if (arena(child).key == key) return child;
    return 0;
}

std::uint32_t State::make_arena_child(std::uint32_t id, Symbol key, SchemaId below) {
    const SchemaId schema = arena(id).schema;
    const std::uint32_t child = new_arena_node();
    ArenaNode& parent = arena(id);
    ArenaNode& node = arena(child);
    node.key = key;
    node.parent = id;
    node.schema = below;
    touch({kArena, child}, false);
    if (parent.value.tag != Tag::None) touch({kArena, id}, true);
    parent.value = Value{};
    ++parent.count;

    std::uint32_t before = parent.last; // the sibling it follows
    if (schema != kNoSchema && layout_->node(schema).kind == ShapeKind::Map &&
        layout_->node(schema).domain != 0) {
        // Members of a domain are kept in the domain's order.
        const DomainTable& domain = layout_->domain(layout_->node(schema).domain);
        while (before != 0 && domain.row_of(arena(before).key) > domain.row_of(key))
            before = arena(before).previous;
    }
    node.previous = before;
    node.next = before == 0 ? parent.first : arena(before).next;
    (node.next == 0 ? parent.last : arena(node.next).previous) = child;
    (before == 0 ? parent.first : arena(before).next) = child;

    if (parent.is(ArenaNode::Indexed)) {
        index_->put(id, key, child);
    } else if (parent.count > kLinearChildren) {
        if (index_ == nullptr) index_ = std::make_unique<ChildIndex>();
        parent.flags |= ArenaNode::Indexed;
        for (std::uint32_t each = parent.first; each != 0; each = arena(each).next)
            index_->put(id, arena(each).key, each);
    }
    return child;
}

// Makes the topmost node of the subtree of an instance that has none yet.
NodeRef State::make_subtree(SchemaId schema, std::uint32_t index) {
    const SchemaNode& column = layout_->node(schema);
    const std::uint32_t id = new_arena_node();
    ArenaNode& top = arena(id);
    top.flags |= ArenaNode::Top;
    top.parent = index;
    top.previous = schema;
    top.schema = column.kind == ShapeKind::Any ? kNoSchema : schema;
    store(column.values + std::size_t{4} * index, id);
    touch({kArena, id}, false);
    return {kArena, id};
}

Value State::adopted(const State& from, Value value) {
    if (value.is_text()) value.integer = symbols_.intern(from.symbols_.text(value.symbol()));
    return value;
}

void State::copy_into(NodeRef node, const State& from, NodeRef its) {
    const Value value = from.value(its);
    if (value.tag != Tag::None) {
        set_value(node, adopted(from, value));
        return;
    }
    if (from.is_array(its)) {
        make_array(node);
    } else {
        remove_children(node);
        make_inner(node);
    }
    for (NodeRef child = from.first_child(its); child; child = from.next_sibling(child)) {
        const Symbol key = symbols_.intern(from.symbols_.text(from.key(child).symbol()));
        copy_into(make_any_child(node, key), from, child);
    }
}

void State::hold_copy(SchemaId schema, std::uint32_t index, const State& from, NodeRef its) {
    const std::size_t place = layout_->node(schema).values + std::size_t{4} * index;
    if (const auto old = load<std::uint32_t>(place); old != 0) {
        free_arena_node(old);
        store<std::uint32_t>(place, 0);
    }
    if (its) copy_into(make_subtree(schema, index), from, its);
}

void State::unlink(std::uint32_t id) {
    const ArenaNode& node = arena(id);
    ArenaNode& parent = arena(node.parent);
    (node.previous == 0 ? parent.first : arena(node.previous).next) = node.next;
    (node.next == 0 ? parent.last : arena(node.next).previous) = node.previous;
    --parent.count;
    if (parent.is(ArenaNode::Indexed)) index_->erase(node.parent, node.key);
}

// ---- undeclared children of a declared root: (symbol, arena node) slots beside its order list --

NodeRef State::rest_child(Symbol key) const {
    for (std::uint32_t slot = 0; slot < rest_capacity_; ++slot) {
        const std::size_t offset = rest_offset() + std::size_t{8} * slot;
        const auto id = load<std::uint32_t>(offset + 4);
        if (id != 0 && load<Symbol>(offset) == key) return {kArena, id};
    }
    return {};
}

std::uint16_t State::rest_entry(std::uint32_t id) const {
    std::uint32_t slot = 0;
    while (load<std::uint32_t>(rest_offset() + std::size_t{8} * slot + 4) != id)
        ++slot;
    return static_cast<std::uint16_t>(layout_->node(0).fields.size() + slot);
}

std::uint32_t State::make_rest_child(Symbol key) {
    std::uint32_t slot = 0;
    while (slot < rest_capacity_ &&
           load<std::uint32_t>(rest_offset() + std::size_t{8} * slot + 4) != 0)
        ++slot;
    if (slot == rest_capacity_) grow_rest();
    const std::uint32_t id = new_arena_node();
    ArenaNode& node = arena(id);
    node.key = key;
    node.flags |= ArenaNode::Top | ArenaNode::Rest;
    store(rest_offset() + std::size_t{8} * slot, key);
    store(rest_offset() + std::size_t{8} * slot + 4, id);
    append_entry(layout_->order_of_root(),
                 static_cast<std::uint16_t>(layout_->node(0).fields.size() + slot));
    touch({kArena, id}, false);
    return id;
}

void State::remove_rest_child(std::uint32_t id) {
    const std::uint16_t entry = rest_entry(id);
    const std::size_t slot = entry - layout_->node(0).fields.size();
    erase_entry(layout_->order_of_root(), entry);
    store<std::uint64_t>(rest_offset() + 8 * slot, 0);
    free_arena_node(id);
}

// Doubles the root's space for undeclared children and moves up all that follows in the block.
void State::grow_rest() {
    const std::size_t old_rest = rest_offset();
    const std::size_t old_arena = arena_offset();
    const std::uint32_t old_capacity = rest_capacity_;
    rest_capacity_ = 2 * old_capacity;
    const std::size_t new_rest = rest_offset();
    const std::size_t new_arena = arena_offset();
    reserve(size_ + (new_arena - old_arena));
    std::byte* data = block_.get();
    std::memmove(data + new_arena, data + old_arena, size_ - old_arena);
    std::memset(data + old_arena, 0, new_arena - old_arena);
    std::memmove(data + new_rest, data + old_rest, std::size_t{8} * old_capacity);
    // The bytes of the old place that the moved slots do not cover now belong to the order list.
    std::memset(data + old_rest, 0, new_rest - old_rest);
    const std::size_t used = new_rest + std::size_t{8} * old_capacity;
    std::memset(data + used, 0, new_arena - used);
    size_ += new_arena - old_arena;
}

} // namespace croupier::engine
