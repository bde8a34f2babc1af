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

// Finds children by key where a node has so many that searching them in a line would be slow.

// One block of memory, at most half full, since states are copied far more often than a key is
// looked up in one of them. A parent is never 0, and so a word that is 0 is a free place.
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
        // Whatever follows without a gap may have been meant for the hole.
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
    // Where the word is, or the free place where it would be.
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

// A node of a state: an instance of a declared path, or a node of the arena. Valid until the node,
// or one above it, is removed.
struct NodeRef {
    SchemaId schema = kNoSchema;
    std::uint32_t index = 0;

    explicit operator bool() const { return schema != kNoSchema; }
    friend bool operator==(const NodeRef&, const NodeRef&) = default;
};
inline constexpr SchemaId kArena = 0xfffffffe;

// A declared part would be violated; `what()` says how.
class ShapeFault : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class BlockHash;
class Journal;

// The block holds, one after the other: the columns of the layout; the root's list of children,
// since only the root may hold undeclared keys beside declared ones; the arena of undeclared nodes.
// The layout must outlive the state. Copies cost one memcpy (and nothing else while the game made
// up no texts of its own).
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
    // Arena nodes in use: what the size budget counts.
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

    // ---- what the shape says; throws ShapeFault where it forbids ----
    // What the shape says of the node; none where it says nothing.
    [[nodiscard]] SchemaId schema_of(NodeRef node) const;
    // The same of a child, which need not exist.
    [[nodiscard]] SchemaId schema_below(SchemaId schema, Symbol key) const;
    // The value as a leaf of that schema stores it.
    [[nodiscard]] Value stored(SchemaId schema, Value value) const;

    // ---- writing; throws ShapeFault where a declared part forbids it ----
    // The child with that key, made if it is missing. A declared leaf comes to be only with its
    // value, by `set_child`.
    NodeRef make_child(NodeRef node, Symbol key);
    // The child with that key, made if it is missing, has that value. Changes nothing if it faults.
    NodeRef set_child(NodeRef node, Symbol key, const Value& value);
    // The child with that key holds that document and nothing else. Changes nothing if it faults.
    void put_child(NodeRef node, Symbol key, const Document& document);
    // Sets the value; children, if any, go.
    void set_value(NodeRef node, const Value& value);
    // Drops the value, if any, so that the node may have children.
    void make_inner(NodeRef node);
    // Drops value and children and sets the array flag.
    void make_array(NodeRef node);
    void remove(NodeRef node);
    void remove_children(NodeRef node);

    // The node holds what a node of another state holds, which may know other numbers for its
    // texts; the shapes of both agree.
    void copy_into(NodeRef node, const State& from, NodeRef its);

    // Replaces everything with `document`, whose mistakes against the shape go to `diagnostics`.
    bool import(const Document& document, Diagnostics& diagnostics);
    // Lays `document` over the node.
    void write(NodeRef node, const Document& document);
    // The node holds that document and nothing else. Changes nothing if it faults.
    void replace(NodeRef node, const Document& document);
    // Faults if a node of that schema could not hold that document.
    void check(SchemaId schema, const Document& document);
    [[nodiscard]] Document export_document() const { return export_document(root()); }
    [[nodiscard]] Document export_document(NodeRef node) const;

    // Same tree, same order.
    [[nodiscard]] bool equals(const State& other) const;
    [[nodiscard]] std::uint64_t hash() const;
    // The same without some bytes of declared columns of codes and integers, which do not overlap
    // and come in order of their places. None where something is not declared, so that it has no
    // place.
    struct Bytes {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };
    [[nodiscard]] std::optional<std::uint64_t> hash_without(std::span<const Bytes> left_out) const;

    // Notes from now on what the calls above write; null: nothing. Not owned, not copied. Who
    // writes to the block himself is not noticed.
    void set_journal(Journal* journal) { journal_ = journal; }
    [[nodiscard]] bool has_journal() const { return journal_ != nullptr; }

    // ---- for who knows the layout ----
    // The declared map or record is there, and so is all above it.
    void ensure(SchemaId schema, std::uint32_t index);
    // The declared leaf has that value; what is above it comes to be. Changes nothing if it faults.
    void set_leaf(NodeRef leaf, const Value& value);
    // The same of a Code8 or Code16 column, with the value's code.
    void set_leaf_code(NodeRef leaf, std::uint32_t code);
    // The codes of a declared map of such leaves, row by row, if they are bytes; none otherwise.
    // Those that are there are noted as about to be written. Zero is no leaf, so that zeroing one
    // removes it; a leaf that comes to be needs the calls above.
    [[nodiscard]] std::span<std::byte> leaf_bytes(NodeRef map);
    // Whether the node is a value of such a column, and then its code.
    [[nodiscard]] bool holds_code(NodeRef node) const;
    [[nodiscard]] std::uint32_t leaf_code(NodeRef leaf) const;
    // The first row of a declared map, from `from` on, whose child is present, else the number of
    // rows.
    [[nodiscard]] std::uint32_t next_row(NodeRef map, std::uint32_t from) const {
        return next_row(layout_->node(layout_->node(map.schema).element), map.index, from);
    }
    // What an instance of a declared path holds by itself, without what is below it: two are equal
    // if both are absent, or both are there with the same value.
    struct Held {
        std::uint64_t low = 0;
        std::uint64_t high = 0;
        friend bool operator==(const Held&, const Held&) = default;
    };
    [[nodiscard]] Held held(NodeRef node) const;
    // The value of a declared leaf, which need not be present.
    [[nodiscard]] Value value_or_none(NodeRef leaf) const {
        return is_present(leaf) ? value(leaf) : Value{};
    }
    // An instance that has come to be is its record's last child; of a map's it has no place.
    void append_to_record(const SchemaNode& node, std::uint32_t index) {
        if (node.above_order != kNoOffset)
            append_entry(node.above_order + std::size_t{index} * node.above_stride, node.slot);
    }
    // The instance of a column of undeclared subtrees holds what that node of another state holds,
    // and nothing if it is none. Whether its record lists it is the caller's business.
    void hold_copy(SchemaId schema, std::uint32_t index, const State& from, NodeRef its);
    // The value with its text, if it is one, by the number that it has here.
    [[nodiscard]] Value adopted(const State& from, Value value);
    // The leaf, of a column of codes or of integers, has that value, which it can hold; what it
    // hangs below is there, and nobody has to be told.
    void put_code(const SchemaNode& leaf, std::uint32_t index, std::uint32_t new_code);
    void put_integer(const SchemaNode& leaf, std::uint32_t index, std::int64_t integer);
    // The instances go that are there; nobody has to be told of it.
    void erase(const Erasure& gone);
    // The root's field in that slot, which is present, goes from the order of its children; the
    // rest of it has gone already.
    void forget_field(std::uint16_t slot) { erase_entry(layout_->order_of_root(), slot); }
    // The field goes if it is present; bypasses the journal. These in root_field.h.
    void drop_field(const RootField& field);
    void drop_fields(const RootField& first, const RootField& second);
    // The leaf, of a column of bytes, has that value; bypasses the journal.
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
    // -- hash, of states that hold undeclared nodes --
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
    std::uint32_t arena_end_ = 1;     // ids ever used; 0 is no node
    std::uint32_t arena_used_ = 0;
    std::uint32_t arena_free_ = 0;
    Journal* journal_ = nullptr;
};

// The word that holds an instance's presence bit, and its row, whose place there is row % 64.
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
        break; // a node of the arena is no instance
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

inline bool State::present(const SchemaNode& node, std::uint32_t index) const {
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
