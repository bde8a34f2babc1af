// A state of a game: a tree of nodes in one contiguous block that is copied by memcpy.
#pragma once

#include "engine/state/layout.h"
#include "engine/state/value.h"
#include "engine/text/document.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine {

// Finds children by key in nodes with too many for a linear search.

// One block of memory, at most half full, since states are copied far more often than a key is
// looked up. A parent is never 0, so a word of 0 marks a free place.
class ChildIndex {
  public:
    [[nodiscard]] std::uint32_t find(std::uint32_t parent, Symbol key) const {
        return places_.empty() ? 0 : places_[place_of(word(parent, key))].id;
    }

    void put(std::uint32_t parent, Symbol key, std::uint32_t id) {
        if (2 * (used_ + 1) > places_.size()) grow();
        Bucket& place = places_[place_of(word(parent, key))];
        used_ += place.word == 0 ? 1 : 0;
        place = {word(parent, key), id};
    }

    void erase(std::uint32_t parent, Symbol key) {
        if (places_.empty()) return;
        std::size_t hole = place_of(word(parent, key));
        if (places_[hole].word == 0) return;
        --used_;
        // Entries that follow without a gap may belong in the hole.
        for (std::size_t at = next(hole); places_[at].word != 0; at = next(at)) {
            const std::size_t wanted = first_place(places_[at].word);
            const std::size_t mask = places_.size() - 1;
            if (((at - wanted) & mask) < ((at - hole) & mask)) continue;
            places_[hole] = places_[at];
            hole = at;
        }
        places_[hole] = {};
    }

  private:
    struct Bucket {
        std::uint64_t word = 0;
        std::uint32_t id = 0;
    };

    static constexpr std::size_t kMin = 64;

    static std::uint64_t word(std::uint32_t parent, Symbol key) {
        return (std::uint64_t{parent} << 32) | key;
    }
    [[nodiscard]] std::size_t next(std::size_t place) const {
        return (place + 1) & (places_.size() - 1);
    }
    [[nodiscard]] std::size_t first_place(std::uint64_t word) const {
        return (word * 0x9e3779b97f4a7c15u >> 32) & (places_.size() - 1);
    }
    // The place of the word, or the free place where it would go.
    [[nodiscard]] std::size_t place_of(std::uint64_t word) const {
        std::size_t place = first_place(word);
        while (places_[place].word != 0 && places_[place].word != word)
            place = next(place);
        return place;
    }
    void grow() {
        std::vector<Bucket> old(places_.empty() ? kMin : 2 * places_.size());
        old.swap(places_);
        for (const Bucket& place : old)
            if (place.word != 0) places_[place_of(place.word)] = place;
    }

    std::vector<Bucket> places_; // a power of two
    std::size_t used_ = 0;
};

// A node of a state: an instance of a declared path, or a node of the arena. Valid until the node
// or one above it is removed.
struct NodeRef {
    SchemaId schema = kNoSchema;
    std::uint32_t index = 0;

    explicit operator bool() const { return schema != kNoSchema; }
    friend bool operator==(const NodeRef&, const NodeRef&) = default;
};
inline constexpr SchemaId kArena = 0xfffffffe;

// Thrown if a write would violate a declared part; `what()` says how.
class ShapeFault : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class BlockHash;
class Journal;

// The block contains, in this order: the columns of the layout; the root's list of children, since
// only the root may have undeclared keys beside declared ones; the arena of undeclared nodes. The
// layout must outlive the state. A copy costs one memcpy, and more only if the game has made up
// texts.
class State {
  public:
    explicit State(const Layout& layout);
    State(const State& other);
    State& operator=(const State& other);
    State(State&&) noexcept = default;
    State& operator=(State&&) noexcept = default;
    ~State() = default;

    [[nodiscard]] const Layout& layout() const { return *layout_; }
    [[nodiscard]] Symbols& symbols() { return symbols_; }
    [[nodiscard]] const Symbols& symbols() const { return symbols_; }
    [[nodiscard]] std::size_t bytes() const { return size_; }
    // Arena nodes in use; the size budget limits them.
    [[nodiscard]] std::uint32_t arena_nodes() const { return arena_used_; }

    // ---- reading; a missing node is a NodeRef that is false ----
    [[nodiscard]] NodeRef root() const {
        return layout_->node(0).column == Column::Arena ? at(0, 0) : NodeRef{0, 0};
    }
    // Whether an instance of a declared path is present; its parent need not be.
    [[nodiscard]] bool is_present(NodeRef node) const {
        return present(layout_->node(node.schema), node.index);
    }
    [[nodiscard]] NodeRef child(NodeRef node, Symbol key) const;
    [[nodiscard]] NodeRef parent(NodeRef node) const;
    [[nodiscard]] Value key(NodeRef node) const;   // None for the root
    [[nodiscard]] Value value(NodeRef node) const; // None if it has none
    [[nodiscard]] bool is_array(NodeRef node) const;
    [[nodiscard]] std::uint32_t child_count(NodeRef node) const;
    [[nodiscard]] NodeRef first_child(NodeRef node) const;
    [[nodiscard]] NodeRef next_sibling(NodeRef node) const;

    // ---- what the shape says; throws ShapeFault where it forbids a child or value ----
    // The schema of the node, or kNoSchema.
    [[nodiscard]] SchemaId schema_of(NodeRef node) const;
    // The schema of a child, which need not exist.
    [[nodiscard]] SchemaId schema_below(SchemaId schema, Symbol key) const;
    // The value in the form in which a leaf of that schema stores it.
    [[nodiscard]] Value stored(SchemaId schema, Value value) const;

    // ---- writing; throws ShapeFault where a declared part forbids it ----
    // Returns the child with that key and makes it if it is missing. A declared leaf becomes
    // present only with a value, by `set_child`.
    NodeRef make_child(NodeRef node, Symbol key);
    // Gives the child with that key that value; makes it if missing. Changes nothing if it throws.
    NodeRef set_child(NodeRef node, Symbol key, const Value& value);
    // Makes the child with that key hold exactly `document`. Changes nothing if it throws.
    void put_child(NodeRef node, Symbol key, const Document& document);
    // Sets the value and removes any children.
    void set_value(NodeRef node, const Value& value);
    // Drops the value, if any, so that the node may have children.
    void make_inner(NodeRef node);
    // Drops value and children and sets the array flag.
    void make_array(NodeRef node);
    void remove(NodeRef node);
    void remove_children(NodeRef node);

    // Copies the node `its` of another state into `node`; the shapes of both must agree. The other
    // state may number its texts differently.
    void copy_into(NodeRef node, const State& from, NodeRef its);

    // Replaces everything with `document`; reports misfits with the shape to `diagnostics`.
    bool import(const Document& document, Diagnostics& diagnostics);
    // Writes `document` into the node and keeps its other children, unless it is a list.
    void write(NodeRef node, const Document& document);
    // Makes the node hold exactly `document`. Changes nothing if it throws.
    void replace(NodeRef node, const Document& document);
    // Throws if a node of that schema could not hold that document.
    void check(SchemaId schema, const Document& document);
    [[nodiscard]] Document export_document() const { return export_document(root()); }
    [[nodiscard]] Document export_document(NodeRef node) const;

    // Same tree, same order.
    [[nodiscard]] bool equals(const State& other) const;
    [[nodiscard]] std::uint64_t hash() const;
    // The hash without some bytes of declared columns of codes and integers, which must be sorted
    // and not overlap. nullopt if the state has undeclared nodes, which have no fixed place.
    struct Bytes {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };
    [[nodiscard]] std::optional<std::uint64_t> hash_without(std::span<const Bytes> left_out) const;

    // From now on records in `journal` what the calls above write; nullptr stops it. Not owned, not
    // copied. Direct writes to the block are not recorded.
    void set_journal(Journal* journal) { journal_ = journal; }
    [[nodiscard]] bool has_journal() const { return journal_ != nullptr; }

    // ---- for callers that know the layout ----
    // Makes a declared map or record present, with all above it.
    void ensure(SchemaId schema, std::uint32_t index);
    // Sets a declared leaf and makes all above it present. Changes nothing if it throws.
    void set_leaf(NodeRef leaf, const Value& value);
    // The same for a Code8 or Code16 column, given the value's code.
    void set_leaf_code(NodeRef leaf, std::uint32_t code);
    // The codes of a declared map of leaves, row by row, if they are bytes; otherwise an empty
    // span. Journals the present ones as about to be written. The caller may zero a code, which
    // removes the leaf, but must use the calls above to add one.
    [[nodiscard]] std::span<std::byte> leaf_bytes(NodeRef map);
    // Whether the node has a value in a Code8 or Code16 column, and its code.
    [[nodiscard]] bool holds_code(NodeRef node) const;
    [[nodiscard]] std::uint32_t leaf_code(NodeRef leaf) const;
    // The first row of a declared map, from `from` on, whose child is present, or the number of
    // rows.
    [[nodiscard]] std::uint32_t next_row(NodeRef map, std::uint32_t from) const {
        return next_row(layout_->node(layout_->node(map.schema).element), map.index, from);
    }
    // The own contents of an instance of a declared path, without those below it. Two are equal if
    // both are absent, or both are present with the same value.
    struct Held {
        std::uint64_t low = 0;
        std::uint64_t high = 0;
        friend bool operator==(const Held&, const Held&) = default;
    };
    [[nodiscard]] Held held(NodeRef node) const;
    // The value of a declared leaf, or None if it is absent.
    [[nodiscard]] Value value_or_none(NodeRef leaf) const {
        return is_present(leaf) ? value(leaf) : Value{};
    }
    // Appends an instance that became present to its record's children; elements of maps have no
    // list.
    void append_to_record(const SchemaNode& node, std::uint32_t index) {
        if (node.above_order != kNoOffset)
            append_entry(node.above_order + std::size_t{index} * node.above_stride, node.slot);
    }
    // Makes the instance of a column of undeclared subtrees a copy of `its` in another state, or
    // empty if `its` is null. The caller keeps the record's list of fields.
    void hold_copy(SchemaId schema, std::uint32_t index, const State& from, NodeRef its);
    // The value of another state; a text gets the number it has in this one.
    [[nodiscard]] Value adopted(const State& from, Value value);
    // Sets a leaf in a column of codes or integers to a value that fits. All above it must be
    // present. Bypasses the journal.
    void put_code(const SchemaNode& leaf, std::uint32_t index, std::uint32_t new_code);
    void put_integer(const SchemaNode& leaf, std::uint32_t index, std::int64_t integer);
    // Removes the instances that are present; bypasses the journal.
    void erase(const Erasure& gone);
    // Removes the root's field in that slot from the list of children. It must be in the list; the
    // caller has already cleared the field itself.
    void forget_field(std::uint16_t slot) { erase_entry(layout_->order_of_root(), slot); }
    // Drop the fields that are present; bypass the journal. Defined in root_field.h.
    void drop_field(const RootField& field);
    void drop_fields(const RootField& first, const RootField& second);
    // Sets a leaf in a column of bytes; bypasses the journal.
    void put_byte(const RootField& leaf, std::uint8_t code);
    [[nodiscard]] std::byte* data() { return block_.get(); }
    [[nodiscard]] const std::byte* data() const { return block_.get(); }

  private:
    struct ArenaNode;
    template <typename T>
    [[nodiscard]] T load(std::size_t offset) const {
        T value;
        std::memcpy(&value, block_.get() + offset, sizeof(T));
        return value;
    }
    template <typename T>
    void store(std::size_t offset, const T& value) {
        std::memcpy(block_.get() + offset, &value, sizeof(T));
    }

    void reserve(std::size_t bytes);
    // -- dense nodes --
    [[nodiscard]] bool present(const SchemaNode& node, std::uint32_t index) const;
    [[nodiscard]] bool presence_bit(const SchemaNode& node, std::uint32_t index) const;
    void set_presence(const SchemaNode& node, std::uint32_t index, bool on);
    [[nodiscard]] std::uint32_t code(const SchemaNode& node, std::uint32_t index) const;
    void set_code(const SchemaNode& node, std::uint32_t index, std::uint32_t code);
    [[nodiscard]] NodeRef at(SchemaId schema, std::uint32_t index) const;
    void ensure_above(NodeRef node);
    void set_leaf_integer(NodeRef leaf, std::int64_t integer);
    void begin_leaf(NodeRef leaf, bool was_present);
    void set_leaf_number(NodeRef leaf, Value number);
    void note_present(SchemaId schema, std::uint32_t index) {
        append_to_record(layout_->node(schema), index);
    }
    void note_absent(SchemaId schema, std::uint32_t index);
    [[nodiscard]] NodeRef parent_dense(SchemaId schema, std::uint32_t index) const;
    [[nodiscard]] std::uint32_t next_row(const SchemaNode& element, std::uint32_t outer,
                                         std::uint32_t from) const;
    NodeRef make_any_child(NodeRef node, Symbol key);
    NodeRef make_subtree(SchemaId schema, std::uint32_t index);
    void check_array(SchemaId schema) const;
    [[nodiscard]] std::string forbidden_child(SchemaId schema, Symbol key) const;
    // -- order of a record's children: a count, then entries; an entry is a field's slot, or, at
    // the root, the number of fields plus the slot of an undeclared child --
    [[nodiscard]] std::size_t order_offset(SchemaId schema, std::uint32_t index) const;
    [[nodiscard]] NodeRef entry_child(SchemaId schema, std::uint32_t index,
                                      std::uint16_t entry) const;
    void append_entry(std::size_t order, std::uint16_t entry) {
        const auto count = static_cast<std::uint16_t>(load<std::uint16_t>(order) + 1);
        store(order, count);
        store(order + std::size_t{2} * count, entry);
    }
    void erase_entry(std::size_t order, std::uint16_t entry);
    // -- undeclared children of a declared root --
    [[nodiscard]] NodeRef rest_child(Symbol key) const;
    [[nodiscard]] std::uint16_t rest_entry(std::uint32_t id) const;
    std::uint32_t make_rest_child(Symbol key);
    void remove_rest_child(std::uint32_t id);
    void grow_rest();
    [[nodiscard]] std::size_t rest_offset() const;
    [[nodiscard]] std::size_t arena_offset() const;
    bool clear_field(const RootField& field);
    bool clear_any_field(const RootField& field);
    // -- hash of states with undeclared nodes --
    void add_subtree(BlockHash& hash, std::uint32_t id) const;
    void add_columns(BlockHash& hash) const;
    void add_order(BlockHash& hash) const;
    // -- arena --
    [[nodiscard]] ArenaNode& arena(std::uint32_t id);
    [[nodiscard]] const ArenaNode& arena(std::uint32_t id) const;
    std::uint32_t new_arena_node();
    void free_arena_node(std::uint32_t id);
    [[nodiscard]] std::uint32_t arena_child(std::uint32_t id, Symbol key) const;
    std::uint32_t make_arena_child(std::uint32_t id, Symbol key, SchemaId schema);
    void unlink(std::uint32_t id);
    void free_children(std::uint32_t id);
    // -- journal --
    void touch(NodeRef node, bool present) {
        if (journal_ != nullptr) note(node, present);
    }
    void note(NodeRef node, bool present);
    void note_children(NodeRef map);

    const Layout* layout_;
    Symbols symbols_;
    std::unique_ptr<ChildIndex> index_; // null until some node has many children
    struct Free {
        void operator()(std::byte* block) const {
            ::operator delete (block, std::align_val_t{kLineBytes});
        }
    };
    using Block = std::unique_ptr<std::byte, Free>;
    static Block new_block(std::size_t bytes) { // zeroed
        void* const made = ::operator new (bytes, std::align_val_t{kLineBytes});
        return Block(static_cast<std::byte*>(std::memset(made, 0, bytes)));
    }
    Block block_;
    std::size_t size_ = 0; // bytes in use
    std::size_t capacity_ = 0;
    std::uint32_t rest_capacity_ = 0; // undeclared children that the root's list has room for
    std::uint32_t arena_end_ = 1;     // ids ever used; 0 is not a node
    std::uint32_t arena_used_ = 0;
    std::uint32_t arena_free_ = 0;
    Journal* journal_ = nullptr;
};

// Offset of the word with an instance's presence bit, and its row, whose bit is row % 64.
inline std::pair<std::size_t, std::uint32_t> presence_place(const SchemaNode& node,
                                                            std::uint32_t index) {
    if (node.group == 1) // outside all maps: saves a division
        return {node.presence + std::size_t{8} * index, 0};
    const std::uint32_t outer = index / node.group;
    const std::uint32_t row = index % node.group;
    return {node.presence + (std::size_t{outer} * node.words + row / 64) * 8, row};
}

inline bool State::presence_bit(const SchemaNode& node, std::uint32_t index) const {
    const auto [word, row] = presence_place(node, index);
    return ((load<std::uint64_t>(word) >> (row % 64)) & 1) != 0;
}

inline void State::set_presence(const SchemaNode& node, std::uint32_t index, bool on) {
    const auto [word, row] = presence_place(node, index);
    const std::uint64_t bit = std::uint64_t{1} << (row % 64);
    const auto old = load<std::uint64_t>(word);
    store(word, on ? old | bit : old & ~bit);
}

inline std::uint32_t State::code(const SchemaNode& node, std::uint32_t index) const {
    return node.column == Column::Code8 ? load<std::uint8_t>(node.values + index)
                                        : load<std::uint16_t>(node.values + std::size_t{2} * index);
}

inline void State::set_code(const SchemaNode& node, std::uint32_t index, std::uint32_t code) {
    if (node.column == Column::Code8)
        store(node.values + index, static_cast<std::uint8_t>(code));
    else
        store(node.values + std::size_t{2} * index, static_cast<std::uint16_t>(code));
}

inline State::Held State::held(NodeRef node) const {
    const SchemaNode& known = layout_->node(node.schema);
    switch (known.column) {
    case Column::Code8:
    case Column::Code16:
        return {code(known, node.index), 0};
    case Column::Int:
        return {load<std::uint64_t>(known.values + std::size_t{8} * node.index),
                std::uint64_t{presence_bit(known, node.index)}};
    case Column::Value:
        return load<Held>(known.values + sizeof(Value) * node.index);
    case Column::None:
        return {std::uint64_t{presence_bit(known, node.index)}, 0};
    case Column::Arena:
        break; // a node of the arena is not an instance
    }
    return {};
}

inline void State::put_code(const SchemaNode& leaf, std::uint32_t index, std::uint32_t new_code) {
    if (code(leaf, index) == 0) append_to_record(leaf, index);
    set_code(leaf, index, new_code);
}

inline void State::put_integer(const SchemaNode& leaf, std::uint32_t index, std::int64_t integer) {
    store(leaf.values + std::size_t{8} * index, integer);
    if (!presence_bit(leaf, index)) {
        set_presence(leaf, index, true);
        append_to_record(leaf, index);
    }
}

[[gnu::always_inline]] inline bool State::present(const SchemaNode& node,
                                                  std::uint32_t index) const {
    switch (node.column) {
    case Column::Code8:
        return load<std::uint8_t>(node.values + index) != 0;
    case Column::Code16:
        return load<std::uint16_t>(node.values + std::size_t{2} * index) != 0;
    case Column::Value:
        return load<Value>(node.values + sizeof(Value) * index).tag != Tag::None;
    case Column::Arena:
        return load<std::uint32_t>(node.values + std::size_t{4} * index) != 0;
    case Column::None:
    case Column::Int:
        break;
    }
    return node.parent == kNoSchema || presence_bit(node, index);
}

} // namespace croupier::engine
