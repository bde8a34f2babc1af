// Where every node that a ruleset declares lives in a state's block: decided once, before any game.
#pragma once

#include "engine/language/shape.h"
#include "engine/state/value.h"
#include "engine/text/document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine {

using SchemaId = std::uint32_t;
inline constexpr SchemaId kNoSchema = 0xffffffff;
inline constexpr std::uint32_t kNoOffset = 0xffffffff;
inline constexpr std::uint16_t kNoRow = 0xffff;

inline constexpr std::uint32_t kWordRows = 64; // of a mask, or of presence bits
// Alignment of a block and of the parts of it that wide registers read: a load that crosses cache
// lines takes twice as long.
inline constexpr std::uint32_t kLineBytes = 64;

// 64-bit words needed for one bit per row.
inline std::uint32_t words_for(std::uint32_t rows) {
    return (rows + kWordRows - 1) / kWordRows;
}

// The number of rows in a mask. Without a machine instruction for it std::popcount is a call.
inline std::uint32_t count_rows(std::uint64_t mask) {
    mask -= (mask >> 1) & 0x5555555555555555u;
    mask = (mask & 0x3333333333333333u) + ((mask >> 2) & 0x3333333333333333u);
    mask = (mask + (mask >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return static_cast<std::uint32_t>(mask * 0x0101010101010101u >> 56);
}

// A domain at run time. Domains count from 1; 0 in a Value means "no hint".
struct DomainTable {
    std::string name;
    bool numbered = false;
    std::vector<Symbol> members;

    // The member's row, or kNoRow.
    [[nodiscard]] std::uint16_t row_of(Symbol symbol) const {
        return symbol < rows.size() ? rows[symbol] : kNoRow;
    }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(members.size()); }

    std::vector<std::uint16_t> rows; // by symbol
};

// How a leaf's values are stored, one per instance. In every kind zero means absent: a fresh block
// is an empty state, and equal states have equal bytes.
enum class Column : std::uint8_t {
    None,  // no value: only presence bits
    Code8, // member, small range or bool: 1 + its index
    Code16,
    Int,   // 64 bits, with presence bits
    Value, // 16 bytes
    Arena, // 32 bits: the arena node that holds an undeclared subtree
};

// Bytes of one instance's value.
constexpr std::uint32_t width_of(Column column) {
    switch (column) {
    case Column::None:
        return 0;
    case Column::Code8:
        return 1;
    case Column::Code16:
        return 2;
    case Column::Arena:
        return 4;
    case Column::Int:
        return 8;
    case Column::Value:
        return sizeof(Value);
    }
    return 0;
}

// One declared path with map levels left open: `hands.$P.$C` is one schema node with an instance
// for each pair of rows. Instances of a map's element are numbered outer * size + row.
struct SchemaNode {
    ShapeKind kind = ShapeKind::Any;
    Column column = Column::None;
    bool dense = true; // false: only describes nodes that live in the arena
    SchemaId parent = kNoSchema;
    Symbol key = kNoSymbol; // in its record; none for a map's element
    std::uint16_t slot = 0; // its index among its record's fields
    std::uint32_t instances = 1;
    std::uint32_t group = 1; // rows of the innermost map around it
    std::uint32_t words = 1; // 64-bit words of presence bits per group
    std::uint32_t presence = kNoOffset;
    std::uint32_t values = kNoOffset;
    std::uint32_t order =
        kNoOffset; // Record: 16-bit count and order of present fields, each instance
    std::uint32_t arrays = kNoOffset; // numbered Map: one byte per instance, 1 if it was an array
    std::uint32_t above_rows = 1;     // instance number / above_rows = instance of the parent
    // In a record: offset of the first list of present fields, and the distance between lists.
    std::uint32_t above_order = kNoOffset;
    std::uint32_t above_stride = 0;
    // For a node outside all maps with nothing in the arena: the bytes of it and all below it,
    // which are zero when it is absent.
    std::uint32_t own_begin = 0;
    std::uint32_t own_end = 0;    // 0: not such a node
    std::uint32_t domain = 0;     // Member, Map
    SchemaId element = kNoSchema; // Map
    bool integer_keys = false;    // open Map with "$:int"
    std::int64_t low = 0;         // Int
    std::int64_t high = 0;
    std::vector<std::pair<Symbol, SchemaId>> fields; // Record
    std::vector<SchemaId> field_of;                  // Record: by symbol

    [[nodiscard]] bool is_leaf() const {
        return kind != ShapeKind::Any && kind != ShapeKind::Record && kind != ShapeKind::Map;
    }
    // Whether `value` is an integer in the range of this Int.
    [[nodiscard]] bool has_in_range(const Value& value) const {
        return value.tag == Tag::Int && value.integer >= low && value.integer <= high;
    }
    [[nodiscard]] SchemaId field(Symbol name) const {
        return name < field_of.size() ? field_of[name] : kNoSchema;
    }
};

// A field of a record root, with nothing in the arena: its bytes, including all below it, and its
// slot among the root's fields.
struct RootField {
    std::uint32_t begin = 0;
    std::uint32_t end = 0; // 0: none
    std::uint16_t slot = 0;
    std::uint32_t order = 0; // the list of the root's children
};

// How to make instances of declared paths absent with all below them: bytes and bits to zero.
struct Erasure {
    SchemaId listed = kNoSchema; // instance to take out of its record's list of fields
    std::uint32_t index = 0;
    struct Bits {
        std::uint32_t word;
        std::uint64_t mask;
    };
    std::vector<Bits> bits;
    struct Range {
        std::uint32_t begin;
        std::uint32_t size;
    };
    std::vector<Range> ranges;

    // Adds the effect of `other`, which must not be in a list.
    void add(const Erasure& other);
};

// Immutable after construction; shared by all states of a program.
class Layout {
  public:
    // Without a shape the whole state is in the arena. Interns its names in `symbols`, which must
    // outlive it.
    Layout(const std::vector<Domain>& domains, const Shape* shape, Symbols& symbols);
    explicit Layout(Symbols& symbols);

    [[nodiscard]] const SchemaNode& node(SchemaId id) const { return nodes_[id]; }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
    [[nodiscard]] const DomainTable& domain(std::uint32_t id) const { return domains_[id]; }
    [[nodiscard]] std::uint32_t domain_id(std::string_view name) const; // 0 if unknown
    // The number of domains plus 1, since they count from 1.
    [[nodiscard]] std::uint32_t domain_count() const {
        return static_cast<std::uint32_t>(domains_.size());
    }
    [[nodiscard]] std::uint32_t dense_bytes() const { return dense_bytes_; }
    // Offset of a record root's ordered list of present children: a count, then entries of two
    // bytes each.
    [[nodiscard]] std::uint32_t order_of_root() const { return (dense_bytes_ + 7) / 8 * 8; }
    // The leaves stored as whole values, in order of their offsets.
    [[nodiscard]] const std::vector<SchemaId>& value_columns() const { return value_columns_; }
    // The same, including the columns of undeclared subtrees.
    [[nodiscard]] const std::vector<SchemaId>& outer_columns() const { return outer_columns_; }
    [[nodiscard]] const Symbols& symbols() const { return *symbols_; }
    // How a Code8 or Code16 column of that node stores the value; 0 if it cannot.
    [[nodiscard]] std::uint32_t code_of(const SchemaNode& node, const Value& value) const;
    // nullopt if part of it is in the arena, or if it is the root.
    [[nodiscard]] std::optional<Erasure> erasure(SchemaId id, std::uint32_t index) const;
    // An empty RootField (end == 0) if the node is not such a field.
    [[nodiscard]] RootField root_field(SchemaId id) const;
    // "hands.$Seat.$Card", for people.
    [[nodiscard]] std::string path(SchemaId id) const;
    // Calls `visit` with the schema node and all below it.
    template <typename Visit>
    void each_below(SchemaId id, const Visit& visit) const {
        visit(id);
        if (nodes_[id].kind == ShapeKind::Map && nodes_[id].element != kNoSchema)
            each_below(nodes_[id].element, visit);
        for (const auto& [name, field] : nodes_[id].fields)
            each_below(field, visit);
    }
    // The schema of the child of `id` with that key (of `symbols`, which extends the layout's own).
    // kNoSchema if that child is undeclared or forbidden.
    [[nodiscard]] SchemaId child(SchemaId id, Symbol key, const Symbols& symbols) const;

  private:
    SchemaId add(const Shape& shape, SchemaId parent, Symbol key, const SchemaNode& surroundings,
                 bool dense);
    bool add_ranges(SchemaId id, std::uint32_t first, std::uint32_t count,
                    std::vector<Erasure::Range>& ranges) const;
    void note_own_bytes(SchemaId id, std::uint32_t begin);
    void note_surroundings();
    void place(SchemaNode& node);
    std::uint32_t reserve(std::size_t bytes, std::size_t align);

    Symbols* symbols_;
    std::vector<SchemaNode> nodes_;
    std::vector<DomainTable> domains_;
    std::vector<SchemaId> value_columns_;
    std::vector<SchemaId> outer_columns_;
    std::uint32_t dense_bytes_ = 0;
};

// Shows the memory layout of a state, for `croupier plan`.

// Lists every declared path with its place in a state's block.
std::string show_layout(const Layout& layout);

// The same as JSON: "bytes", and "nodes" in the order of the shape.
Document layout_document(const Layout& layout);

} // namespace croupier::engine
