// The block of a state and the declared part of its tree.
#include "engine/state/state.h"

#include "engine/state/arena_node.h"
#include "engine/state/journal.h"
#include "engine/state/root_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace croupier::engine {

namespace {

constexpr std::uint32_t kFirstRestCapacity = 8;

std::size_t aligned(std::size_t offset, std::size_t align) {
    return (offset + align - 1) / align * align;
}

std::size_t order_bytes(const Layout& layout, std::uint32_t rest_capacity) {
    const SchemaNode& root = layout.node(0);
    return root.kind == ShapeKind::Record ? 2 * (1 + root.fields.size() + rest_capacity) : 0;
}

// ---- declared nodes --------------------------------------------------------------------------

// A leaf stored only in its column: zeros mean that it is absent, as in a fresh block.
bool is_cleared_by_zeros(const SchemaNode& node) {
    return node.is_leaf() && node.column != Column::Arena;
}

// The first of the bytes from..size - 1 that is not zero, or `size`. Reads eight at a time.
std::uint32_t first_nonzero(const std::byte* bytes, std::uint32_t from, std::uint32_t size) {
    for (; from + 8 <= size; from += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes + from, sizeof word);
        if (word != 0) break;
    }
    while (from < size && bytes[from] == std::byte{0})
        ++from;
    return from;
}

// Counts the bytes that are not zero, eight at a time.
std::uint32_t count_nonzero(const std::byte* bytes, std::uint32_t size) {
    constexpr std::uint64_t kLow = 0x7f7f7f7f7f7f7f7fu;
    std::uint32_t count = 0;
    std::uint32_t at = 0;
    for (; at + 8 <= size; at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes + at, sizeof word);
        // The high bit of each byte: whether any of its bits is set.
        const std::uint64_t some = (((word & kLow) + kLow) | word) & ~kLow;
        count += static_cast<std::uint32_t>((some >> 7) * 0x0101010101010101u >> 56);
    }
    for (; at < size; ++at)
        count += bytes[at] != std::byte{0} ? 1 : 0;
    return count;
}

} // namespace

// ---- block -----------------------------------------------------------------------------------

State::State(const Layout& layout) : layout_(&layout), symbols_(&layout.symbols()) {
    const bool has_list = layout.node(0).kind == ShapeKind::Record;
    rest_capacity_ = has_list ? kFirstRestCapacity : 0;
    reserve(arena_offset());
    size_ = arena_offset();
    if (!has_list) {
        const std::uint32_t top = new_arena_node();
        arena(top).flags |= ArenaNode::Top;
        store<std::uint32_t>(layout.node(0).values, top);
    }
}

State::State(const State& other) : layout_(other.layout_), symbols_(&layout_->symbols()) {
    *this = other;
}

State& State::operator=(const State& other) {
    if (this == &other) return *this;
    if (capacity_ < other.size_) {
        block_ = new_block(other.size_);
        capacity_ = other.size_;
    }
    std::memcpy(block_.get(), other.block_.get(), other.size_);
    layout_ = other.layout_;
    symbols_ = other.symbols_;
    if (other.index_ == nullptr)
        index_ = nullptr;
    else if (index_ == nullptr)
        index_ = std::make_unique<ChildIndex>(*other.index_);
    else
        *index_ = *other.index_;
    size_ = other.size_;
    rest_capacity_ = other.rest_capacity_;
    arena_end_ = other.arena_end_;
    arena_used_ = other.arena_used_;
    arena_free_ = other.arena_free_;
    return *this;
}

void State::reserve(std::size_t bytes) {
    if (bytes <= capacity_) return;
    const std::size_t capacity = std::max(bytes, capacity_ + capacity_ / 2);
    Block block = new_block(capacity);
    if (size_ > 0) std::memcpy(block.get(), block_.get(), size_);
    block_ = std::move(block);
    capacity_ = capacity;
}

std::size_t State::rest_offset() const {
    return aligned(layout_->order_of_root() + order_bytes(*layout_, rest_capacity_), 4);
}

std::size_t State::arena_offset() const {
    return aligned(rest_offset() + std::size_t{8} * rest_capacity_, 8);
}

NodeRef State::at(SchemaId schema, std::uint32_t index) const {
    const SchemaNode& node = layout_->node(schema);
    if (node.column == Column::Arena) {
        const auto id = load<std::uint32_t>(node.values + std::size_t{4} * index);
        return id == 0 ? NodeRef{} : NodeRef{kArena, id};
    }
    return present(node, index) ? NodeRef{schema, index} : NodeRef{};
}

NodeRef State::parent_dense(SchemaId schema, std::uint32_t index) const {
    const SchemaNode& node = layout_->node(schema);
    if (node.parent == kNoSchema) return {};
    return {node.parent, node.above_rows == 1 ? index : index / node.above_rows};
}

NodeRef State::child(NodeRef node, Symbol key) const {
    if (node.schema == kArena) {
        const std::uint32_t id = arena_child(node.index, key);
        return id == 0 ? NodeRef{} : NodeRef{kArena, id};
    }
    const SchemaNode& known = layout_->node(node.schema);
    if (known.kind == ShapeKind::Record) {
        const SchemaId field = known.field(key);
        if (field != kNoSchema) return at(field, node.index);
        return node.schema == 0 ? rest_child(key) : NodeRef{};
    }
    if (known.kind == ShapeKind::Map) {
        const DomainTable& domain = layout_->domain(known.domain);
        const std::uint16_t row = domain.row_of(key);
        return row == kNoRow ? NodeRef{} : at(known.element, node.index * domain.size() + row);
    }
    return {};
}

NodeRef State::parent(NodeRef node) const {
    if (node.schema != kArena) return parent_dense(node.schema, node.index);
    const ArenaNode& known = arena(node.index);
    if (known.is(ArenaNode::Rest)) return {0, 0};
    return known.top() ? parent_dense(known.previous, known.parent) : NodeRef{kArena, known.parent};
}

Value State::key(NodeRef node) const {
    SchemaId schema = node.schema;
    std::uint32_t index = node.index;
    if (schema == kArena) {
        const ArenaNode& known = arena(index);
        if (!known.top() || known.is(ArenaNode::Rest)) return Value::key(known.key);
        schema = known.previous;
        index = known.parent;
    }
    const SchemaNode& known = layout_->node(schema);
    if (known.parent == kNoSchema) return {};
    const SchemaNode& above = layout_->node(known.parent);
    if (above.kind != ShapeKind::Map) return Value::key(known.key);
    const DomainTable& domain = layout_->domain(above.domain);
    const std::uint32_t row = index % domain.size();
    return Value::key(domain.members[row], above.domain, static_cast<std::uint16_t>(row));
}

Value State::value(NodeRef node) const {
    if (node.schema == kArena) return arena(node.index).value;
    const SchemaNode& known = layout_->node(node.schema);
    switch (known.column) {
    case Column::Code8:
    case Column::Code16: {
        const std::uint32_t found = code(known, node.index);
        if (found == 0) return {};
        if (known.kind == ShapeKind::Bool) return Value::boolean(found == 2);
        if (known.kind == ShapeKind::Int)
            return Value::number(known.low + static_cast<std::int64_t>(found) - 1);
        const DomainTable& domain = layout_->domain(known.domain);
        Value value = domain.numbered ? Value::number(std::int64_t{found} - 1)
                                      : Value::string(domain.members[found - 1]);
        value.domain = known.domain;
        value.row = static_cast<std::uint16_t>(found - 1);
        return value;
    }
    case Column::Int:
        return presence_bit(known, node.index)
                   ? Value::number(load<std::int64_t>(known.values + std::size_t{8} * node.index))
                   : Value{};
    case Column::Value:
        return load<Value>(known.values + sizeof(Value) * node.index);
    case Column::None:
        return known.kind == ShapeKind::Unit ? Value::boolean(true) : Value{};
    case Column::Arena:
        break;
    }
    return {};
}

bool State::is_array(NodeRef node) const {
    if (node.schema == kArena) return arena(node.index).is(ArenaNode::Array);
    const SchemaNode& known = layout_->node(node.schema);
    return known.arrays != kNoOffset && load<std::uint8_t>(known.arrays + node.index) != 0;
}

// ---- children in order -----------------------------------------------------------------------

// Offset of the ordered list of a record's children.
std::size_t State::order_offset(SchemaId schema, std::uint32_t index) const {
    const SchemaNode& record = layout_->node(schema);
    return schema == 0 ? layout_->order_of_root()
                       : record.order + std::size_t{2} * index * (record.fields.size() + 1);
}

NodeRef State::entry_child(SchemaId schema, std::uint32_t index, std::uint16_t entry) const {
    const SchemaNode& record = layout_->node(schema);
    if (entry < record.fields.size()) return at(record.fields[entry].second, index);
    const std::size_t slot = rest_offset() + std::size_t{8} * (entry - record.fields.size());
    return {kArena, load<std::uint32_t>(slot + 4)};
}

std::uint32_t State::next_row(const SchemaNode& element, std::uint32_t outer,
                              std::uint32_t from) const {
    const std::uint32_t size = element.group;
    if (element.presence != kNoOffset) {
        std::uint32_t word = from / 64;
        if (word >= element.words) return size;
        const std::size_t first = element.presence + std::size_t{8} * outer * element.words;
        auto bits =
            load<std::uint64_t>(first + std::size_t{8} * word) & (~std::uint64_t{0} << (from % 64));
        while (bits == 0) {
            if (++word == element.words) return size;
            bits = load<std::uint64_t>(first + std::size_t{8} * word);
        }
        return word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
    }
    if (element.column == Column::Code8)
        return first_nonzero(block_.get() + element.values + std::size_t{outer} * size, from, size);
    std::uint32_t row = from;
    while (row < size && !present(element, outer * size + row))
        ++row;
    return row;
}

NodeRef State::first_child(NodeRef node) const {
    if (node.schema == kArena) {
        const std::uint32_t id = arena(node.index).first;
        return id == 0 ? NodeRef{} : NodeRef{kArena, id};
    }
    const SchemaNode& known = layout_->node(node.schema);
    if (known.kind == ShapeKind::Record) {
        const std::size_t order = order_offset(node.schema, node.index);
        return load<std::uint16_t>(order) == 0
                   ? NodeRef{}
                   : entry_child(node.schema, node.index, load<std::uint16_t>(order + 2));
    }
    if (known.kind == ShapeKind::Map) {
        const SchemaNode& element = layout_->node(known.element);
        const std::uint32_t row = next_row(element, node.index, 0);
        return row == element.group ? NodeRef{}
                                    : at(known.element, node.index * element.group + row);
    }
    return {};
}

NodeRef State::next_sibling(NodeRef node) const {
    SchemaId schema = node.schema;
    std::uint32_t index = node.index;
    std::uint16_t entry = 0;
    NodeRef above;
    if (schema == kArena) {
        const ArenaNode& known = arena(index);
        if (!known.top()) return known.next == 0 ? NodeRef{} : NodeRef{kArena, known.next};
        if (known.is(ArenaNode::Rest)) {
            above = {0, 0};
            entry = rest_entry(index);
        } else {
            schema = known.previous;
            index = known.parent;
        }
    }
    if (!above) {
        above = parent_dense(schema, index);
        if (!above) return {};
        const SchemaNode& map = layout_->node(above.schema);
        if (map.kind == ShapeKind::Map) {
            const SchemaNode& element = layout_->node(map.element);
            const std::uint32_t row = next_row(element, above.index, index % element.group + 1);
            return row == element.group ? NodeRef{}
                                        : at(map.element, above.index * element.group + row);
        }
        entry = layout_->node(schema).slot;
    }
    const std::size_t order = order_offset(above.schema, above.index);
    const auto count = load<std::uint16_t>(order);
    for (std::uint16_t i = 1; i < count; ++i) {
        if (load<std::uint16_t>(order + std::size_t{2} * i) == entry) {
            return entry_child(above.schema, above.index,
                               load<std::uint16_t>(order + std::size_t{2} * i + 2));
        }
    }
    return {};
}

std::uint32_t State::child_count(NodeRef node) const {
    if (node.schema == kArena) return arena(node.index).count;
    const SchemaNode& known = layout_->node(node.schema);
    if (known.kind == ShapeKind::Record)
        return load<std::uint16_t>(order_offset(node.schema, node.index));
    if (known.kind != ShapeKind::Map) return 0;
    const SchemaNode& element = layout_->node(known.element);
    std::uint32_t count = 0;
    if (element.presence != kNoOffset) {
        const std::size_t first = element.presence + std::size_t{8} * node.index * element.words;
        for (std::uint32_t word = 0; word < element.words; ++word)
            count += count_rows(load<std::uint64_t>(first + std::size_t{8} * word));
        return count;
    }
    if (element.column == Column::Code8) {
        return count_nonzero(
            block_.get() + element.values + std::size_t{node.index} * element.group, element.group);
    }
    for (std::uint32_t row = next_row(element, node.index, 0); row < element.group;
         row = next_row(element, node.index, row + 1))
        ++count;
    return count;
}

void State::erase_entry(std::size_t order, std::uint16_t entry) {
    erase_listed(data() + order, entry);
}

bool State::clear_any_field(const RootField& field) {
    if (first_nonzero(block_.get(), field.begin, field.end) == field.end) return false;
    std::memset(block_.get() + field.begin, 0, field.end - field.begin);
    return true;
}

void State::note_absent(SchemaId schema, std::uint32_t index) {
    const SchemaNode& node = layout_->node(schema);
    if (node.above_order != kNoOffset)
        erase_entry(node.above_order + std::size_t{index} * node.above_stride, node.slot);
}

// ---- writing ---------------------------------------------------------------------------------

SchemaId State::schema_of(NodeRef node) const {
    return node.schema == kArena ? arena(node.index).schema : node.schema;
}

SchemaId State::schema_below(SchemaId schema, Symbol key) const {
    if (schema == kNoSchema || layout_->node(schema).kind == ShapeKind::Any) return kNoSchema;
    const SchemaId below = layout_->child(schema, key, symbols_);
    if (below == kNoSchema) {
        const bool undeclared_root_key = schema == 0;
        if (!undeclared_root_key) throw ShapeFault(forbidden_child(schema, key));
        return kNoSchema;
    }
    return layout_->node(below).kind == ShapeKind::Any ? kNoSchema : below;
}

NodeRef State::make_child(NodeRef node, Symbol key) {
    const NodeRef known = child(node, key);
    if (known) return known;
    const SchemaId schema = schema_below(schema_of(node), key);
    if (schema != kNoSchema && layout_->node(schema).is_leaf())
        throw ShapeFault(layout_->path(schema) + " holds a value, not children");
    return make_any_child(node, key);
}

NodeRef State::set_child(NodeRef node, Symbol key, const Value& value) {
    NodeRef known = child(node, key);
    if (!known) {
        const SchemaId schema = schema_below(schema_of(node), key);
        if (schema != kNoSchema) (void)stored(schema, value);
        known = make_any_child(node, key);
    }
    set_value(known, value);
    return known;
}

// Makes a child that is missing and permitted. Returns only the place of a declared leaf, which
// becomes present when it gets a value.
NodeRef State::make_any_child(NodeRef node, Symbol key) {
    if (node.schema == kArena)
        return {kArena, make_arena_child(node.index, key, schema_below(schema_of(node), key))};
    const SchemaNode& known = layout_->node(node.schema);
    SchemaId schema = kNoSchema;
    std::uint32_t index = node.index;
    if (known.kind == ShapeKind::Record) {
        schema = known.field(key);
        if (schema == kNoSchema)
            return {kArena, make_rest_child(key)}; // only the root has such children
    } else {
        const DomainTable& domain = layout_->domain(known.domain);
        schema = known.element;
        index = index * domain.size() + domain.row_of(key);
    }
    const SchemaNode& made = layout_->node(schema);
    if (made.is_leaf()) return {schema, index};
    if (made.column == Column::Arena) {
        note_present(schema, index);
        return make_subtree(schema, index);
    }
    touch({schema, index}, false);
    set_presence(made, index, true);
    note_present(schema, index);
    return {schema, index};
}

void State::ensure(SchemaId schema, std::uint32_t index) {
    const SchemaNode& node = layout_->node(schema);
    if (present(node, index)) return;
    const NodeRef above = parent_dense(schema, index);
    ensure(above.schema, above.index);
    touch({schema, index}, false);
    set_presence(node, index, true);
    note_present(schema, index);
}

void State::set_leaf(NodeRef leaf, const Value& value) {
    const SchemaNode& node = layout_->node(leaf.schema);
    switch (node.column) {
    case Column::Code8:
    case Column::Code16: {
        // A member that carries its row needs no lookup.
        const bool known = node.kind == ShapeKind::Member && value.domain == node.domain;
        const std::uint32_t code = known ? value.row + 1u : layout_->code_of(node, value);
        if (code != 0) {
            set_leaf_code(leaf, code);
            return;
        }
        break;
    }
    case Column::Int:
        if (node.has_in_range(value)) {
            set_leaf_integer(leaf, value.integer);
            return;
        }
        break;
    case Column::None:
        if (value.tag == Tag::Bool && value.truth() && journal_ == nullptr) {
            ensure(leaf.schema, leaf.index);
            return;
        }
        break;
    case Column::Value:
        if (node.kind == ShapeKind::Number && value.is_number()) {
            set_leaf_number(leaf, value);
            return;
        }
        break;
    case Column::Arena:
        break;
    }
    (void)stored(leaf.schema, value);
    ensure_above(leaf);
    set_value(leaf, value);
}

// Prepares a leaf for a value: makes the nodes above it present and journals it.
void State::begin_leaf(NodeRef leaf, bool was_present) {
    if (!was_present) ensure_above(leaf);
    touch(leaf, was_present);
}

void State::set_leaf_number(NodeRef leaf, Value number) {
    const SchemaNode& node = layout_->node(leaf.schema);
    const bool was_present = present(node, leaf.index);
    begin_leaf(leaf, was_present);
    number.row = 0;
    number.domain = 0;
    store(node.values + sizeof(Value) * leaf.index, number);
    if (!was_present) note_present(leaf.schema, leaf.index);
}

void State::set_leaf_integer(NodeRef leaf, std::int64_t integer) {
    const SchemaNode& node = layout_->node(leaf.schema);
    const bool was_present = presence_bit(node, leaf.index);
    begin_leaf(leaf, was_present);
    put_integer(node, leaf.index, integer);
}

void State::set_leaf_code(NodeRef leaf, std::uint32_t new_code) {
    const SchemaNode& node = layout_->node(leaf.schema);
    const bool was_present = code(node, leaf.index) != 0;
    begin_leaf(leaf, was_present);
    put_code(node, leaf.index, new_code);
}

std::span<std::byte> State::leaf_bytes(NodeRef map) {
    if (!map || map.schema == kArena) return {};
    const SchemaNode& known = layout_->node(map.schema);
    if (known.kind != ShapeKind::Map || known.column == Column::Arena || known.domain == 0)
        return {};
    const SchemaNode& element = layout_->node(known.element);
    if (element.column != Column::Code8) return {};
    note_children(map);
    return {data() + element.values + std::size_t{map.index} * element.group, element.group};
}

bool State::holds_code(NodeRef node) const {
    if (node.schema == kArena) return false;
    const Column column = layout_->node(node.schema).column;
    return column == Column::Code8 || column == Column::Code16;
}

std::uint32_t State::leaf_code(NodeRef leaf) const {
    return code(layout_->node(leaf.schema), leaf.index);
}

void State::ensure_above(NodeRef node) {
    const NodeRef above = parent_dense(node.schema, node.index);
    if (above.schema != 0) ensure(above.schema, above.index);
}

std::string State::forbidden_child(SchemaId schema, Symbol key) const {
    const SchemaNode& node = layout_->node(schema);
    const std::string where = layout_->path(schema).empty() ? "the state" : layout_->path(schema);
    const std::string name = "'" + std::string(symbols_.text(key)) + "'";
    if (node.kind == ShapeKind::Map && node.domain != 0) {
        return where + " has no child " + name + ": its keys are the members of " +
               layout_->domain(node.domain).name;
    }
    if (node.is_leaf()) return where + " holds a value and has no child " + name;
    return where + " has no child " + name;
}

Value State::stored(SchemaId schema, Value value) const {
    const SchemaNode& node = layout_->node(schema);
    const bool holds_numbers =
        node.kind == ShapeKind::Int || node.kind == ShapeKind::Number ||
        node.kind == ShapeKind::Double ||
        (node.kind == ShapeKind::Member && layout_->domain(node.domain).numbered);
    if (value.tag == Tag::Key) {
        const auto integer = symbols_.integer(value.symbol());
        value = holds_numbers && integer ? Value::number(*integer) : Value::string(value.symbol());
    }
    bool fits = false;
    switch (node.kind) {
    case ShapeKind::Unit:
        fits = value.tag == Tag::Bool && value.truth();
        break;
    case ShapeKind::Int:
        fits = node.has_in_range(value);
        break;
    case ShapeKind::Double:
        if (value.tag == Tag::Int && is_exact_double(value.integer))
            value = Value::number(static_cast<double>(value.integer));
        fits = value.tag == Tag::Double;
        break;
    case ShapeKind::Number:
        fits = value.is_number();
        break;
    case ShapeKind::Bool:
        fits = value.tag == Tag::Bool;
        break;
    case ShapeKind::String:
        fits = value.tag == Tag::String;
        break;
    case ShapeKind::Member:
        fits = layout_->code_of(node, value) != 0;
        break;
    case ShapeKind::Any:
        fits = true;
        break;
    case ShapeKind::Record:
    case ShapeKind::Map:
        throw ShapeFault(layout_->path(schema) + " holds children, not the value " +
                         to_text(value, symbols_));
    }
    if (!fits) {
        const std::string_view quote = value.tag == Tag::String ? "'" : "";
        throw ShapeFault(fmt::format("{} cannot hold {}{}{}", layout_->path(schema), quote,
                                     to_text(value, symbols_), quote));
    }
    value.row = 0;
    value.domain = 0;
    return value;
}

void State::set_value(NodeRef node, const Value& value) {
    if (node.schema == kArena) {
        const SchemaId schema = arena(node.index).schema;
        Value kept = value;
        if (schema != kNoSchema)
            kept = stored(schema, value);
        else if (kept.tag == Tag::Key)
            kept.tag = Tag::String;
        kept.row = 0;
        kept.domain = 0;
        touch(node, true);
        free_children(node.index);
        ArenaNode& known = arena(node.index);
        known.flags &= ~std::uint32_t{ArenaNode::Array};
        known.value = kept;
        return;
    }
    const Value kept = stored(node.schema, value);
    const SchemaNode& known = layout_->node(node.schema);
    const bool was_absent = !present(known, node.index);
    touch(node, !was_absent);
    switch (known.column) {
    case Column::Code8:
    case Column::Code16:
        set_code(known, node.index, layout_->code_of(known, kept));
        break;
    case Column::Int:
        store(known.values + std::size_t{8} * node.index, kept.integer);
        set_presence(known, node.index, true);
        break;
    case Column::Value:
        store(known.values + sizeof(Value) * node.index, kept);
        break;
    case Column::None:
        set_presence(known, node.index, true);
        break;
    case Column::Arena:
        break;
    }
    if (was_absent) note_present(node.schema, node.index);
}

void State::make_inner(NodeRef node) {
    if (node.schema == kArena) {
        ArenaNode& known = arena(node.index);
        if (known.schema != kNoSchema && layout_->node(known.schema).is_leaf())
            throw ShapeFault(layout_->path(known.schema) + " holds a value, not children");
        if (known.value.tag != Tag::None) touch(node, true);
        known.value = Value{};
    } else if (layout_->node(node.schema).is_leaf()) {
        throw ShapeFault(layout_->path(node.schema) + " holds a value, not children");
    }
}

// A node whose keys are declared as anything but numbers cannot be an array.
void State::check_array(SchemaId schema) const {
    if (schema == kNoSchema) return;
    const SchemaNode& node = layout_->node(schema);
    const bool numbers =
        node.kind == ShapeKind::Map && (node.domain == 0 || layout_->domain(node.domain).numbered);
    if (node.kind != ShapeKind::Any && !numbers) {
        const std::string where = layout_->path(schema);
        throw ShapeFault((where.empty() ? "the state" : where) + " cannot be an array");
    }
}

void State::make_array(NodeRef node) {
    make_inner(node);
    check_array(schema_of(node));
    remove_children(node);
    if (node.schema == kArena)
        arena(node.index).flags |= ArenaNode::Array;
    else
        store<std::uint8_t>(layout_->node(node.schema).arrays + node.index, 1);
}

void State::remove_children(NodeRef node) {
    if (node.schema == kArena) {
        free_children(node.index);
        return;
    }
    const SchemaNode& known = layout_->node(node.schema);
    if (known.kind == ShapeKind::Map && is_cleared_by_zeros(layout_->node(known.element))) {
        const SchemaNode& element = layout_->node(known.element);
        note_children(node);
        if (element.presence != kNoOffset) {
            const std::size_t bytes = std::size_t{8} * element.words;
            std::memset(block_.get() + element.presence + node.index * bytes, 0, bytes);
        }
        const std::size_t bytes = width_of(element.column) * element.group;
        if (bytes != 0) std::memset(block_.get() + element.values + node.index * bytes, 0, bytes);
        return;
    }
    for (NodeRef child = first_child(node); child; child = first_child(node))
        remove(child);
}

void State::remove(NodeRef node) {
    SchemaId schema = node.schema;
    std::uint32_t index = node.index;
    if (schema == kArena) {
        const ArenaNode& known = arena(index);
        if (!known.top()) {
            unlink(index);
            free_arena_node(index);
            return;
        }
        if (known.is(ArenaNode::Rest)) {
            remove_rest_child(index);
            return;
        }
        schema = known.previous;
        index = known.parent;
        if (layout_->node(schema).parent == kNoSchema) {
            free_children(node.index); // the root itself stays
            arena(node.index).flags &= ~std::uint32_t{ArenaNode::Array};
            return;
        }
        free_arena_node(node.index);
        store<std::uint32_t>(layout_->node(schema).values + std::size_t{4} * index, 0);
        note_absent(schema, index);
        return;
    }
    const SchemaNode& known = layout_->node(schema);
    if (known.own_end != 0 && journal_ == nullptr) {
        const RootField bytes{known.own_begin, known.own_end};
        if (bytes.end - bytes.begin <= 16)
            clear_field(bytes);
        else
            std::memset(block_.get() + bytes.begin, 0, bytes.end - bytes.begin);
        note_absent(schema, index);
        return;
    }
    if (!known.is_leaf()) {
        remove_children(node);
        if (known.arrays != kNoOffset) store<std::uint8_t>(known.arrays + index, 0);
    }
    if (known.parent == kNoSchema) return;
    touch(node, true);
    switch (known.column) {
    case Column::Code8:
    case Column::Code16:
        set_code(known, index, 0);
        break;
    case Column::Int:
        store<std::int64_t>(known.values + std::size_t{8} * index, 0);
        set_presence(known, index, false);
        break;
    case Column::Value:
        store(known.values + sizeof(Value) * index, Value{});
        break;
    case Column::None:
        set_presence(known, index, false);
        break;
    case Column::Arena:
        break;
    }
    note_absent(schema, index);
}

void State::erase(const Erasure& gone) {
    if (gone.listed != kNoSchema) {
        if (!present(layout_->node(gone.listed), gone.index)) return;
        note_absent(gone.listed, gone.index);
    }
    for (const auto& [word, mask] : gone.bits)
        store(word, load<std::uint64_t>(word) & ~mask);
    for (const auto& [begin, size] : gone.ranges)
        std::memset(block_.get() + begin, 0, size);
}

// Journals all children of a declared map of leaves, which are about to be written.
void State::note_children(NodeRef map) {
    if (journal_ == nullptr) return;
    const SchemaId id = layout_->node(map.schema).element;
    const SchemaNode& element = layout_->node(id);
    const std::uint32_t first = map.index * element.group;
    for (std::uint32_t row = next_row(element, map.index, 0); row < element.group;
         row = next_row(element, map.index, row + 1))
        journal_->note(*this, {id, first + row}, true);
}

void State::note(NodeRef node, bool present) {
    journal_->note(*this, node, present);
}

} // namespace croupier::engine
