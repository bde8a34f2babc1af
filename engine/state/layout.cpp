// Decides where every declared node lives in a state's block.
#include "engine/state/layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine {

namespace {

// A dense map costs memory for every possible row; above this size a growing table is better.
constexpr std::uint32_t kMaxInstances = 1u << 16;
constexpr std::size_t kMaxDenseBytes = std::size_t{1} << 20;

// Number of different codes of a leaf, 0 if it is not stored as a code.
std::uint64_t codes(const SchemaNode& node, std::uint32_t domain_size) {
    switch (node.kind) {
    case ShapeKind::Bool:
        return 2;
    case ShapeKind::Member:
        return domain_size;
    case ShapeKind::Int: {
        const auto span =
            static_cast<std::uint64_t>(node.high) - static_cast<std::uint64_t>(node.low);
        return span < 65534 ? span + 1 : 0;
    }
    default:
        return 0;
    }
}

} // namespace

Layout::Layout(Symbols& symbols) : Layout({}, nullptr, symbols) {}

Layout::Layout(const std::vector<Domain>& domains, const Shape* shape, Symbols& symbols)
    : symbols_(&symbols) {
    domains_.emplace_back(); // 0: no hint
    for (const Domain& domain : domains) {
        DomainTable table{
            .name = domain.name, .numbered = domain.numbered, .members = {}, .rows = {}};
        for (const std::string& member : domain.members) {
            const Symbol symbol = symbols.intern(member);
            if (table.rows.size() <= symbol) table.rows.resize(symbol + 1, kNoRow);
            table.rows[symbol] = static_cast<std::uint16_t>(table.members.size());
            table.members.push_back(symbol);
        }
        domains_.push_back(std::move(table));
    }
    add(shape != nullptr ? *shape : Shape{}, kNoSchema, kNoSymbol, SchemaNode{}, true);
    note_surroundings();
}

// Precomputes per node what follows from its place in the tree.
void Layout::note_surroundings() {
    for (SchemaId id = 0; id < nodes_.size(); ++id) {
        SchemaNode& node = nodes_[id];
        if (node.column == Column::Value) value_columns_.push_back(id);
        if (node.column == Column::Value || node.column == Column::Arena)
            outer_columns_.push_back(id);
        for (const auto& [name, schema] : node.fields) {
            if (node.field_of.size() <= name) node.field_of.resize(name + 1, kNoSchema);
            node.field_of[name] = schema;
        }
        if (node.parent == kNoSchema) continue;
        const SchemaNode& above = nodes_[node.parent];
        if (above.kind == ShapeKind::Record) {
            node.above_order = node.parent == 0 ? order_of_root() : above.order;
            node.above_stride = static_cast<std::uint32_t>(2 * (above.fields.size() + 1));
        } else if (above.kind == ShapeKind::Map) {
            node.above_rows = domains_[above.domain].size();
        }
    }
}

std::uint32_t Layout::domain_id(std::string_view name) const {
    for (std::uint32_t id = 1; id < domains_.size(); ++id)
        if (domains_[id].name == name) return id;
    return 0;
}

SchemaId Layout::add(const Shape& shape, SchemaId parent, Symbol key,
                     const SchemaNode& surroundings, bool dense) {
    const auto id = static_cast<SchemaId>(nodes_.size());
    const std::uint32_t begin = dense_bytes_;
    SchemaNode node;
    node.kind = shape.kind;
    node.parent = parent;
    node.key = key;
    node.instances = surroundings.instances;
    node.group = surroundings.group;
    node.words = surroundings.words;
    node.low = shape.low;
    node.high = shape.high;
    if (shape.kind == ShapeKind::Member || shape.kind == ShapeKind::Map)
        node.domain = domain_id(shape.domain);
    node.integer_keys = shape.kind == ShapeKind::Map && shape.key_type == "int";
    node.dense = dense;
    // An open map, or one too large to be dense, and all below it live in the arena.
    bool dense_children = dense;
    if (node.kind == ShapeKind::Map) {
        const std::uint64_t rows = node.domain == 0 ? 0 : domains_[node.domain].size();
        dense_children = dense && rows > 0 && rows * node.instances <= kMaxInstances &&
                         dense_bytes_ < kMaxDenseBytes;
    }
    const bool in_arena =
        node.kind == ShapeKind::Any || (node.kind == ShapeKind::Map && !dense_children);
    nodes_.push_back(node);
    if (dense) {
        if (in_arena) nodes_[id].column = Column::Arena;
        place(nodes_[id]);
        // The root's order list grows with undeclared keys and is kept by the state itself.
        if (node.kind == ShapeKind::Record && id != 0)
            nodes_[id].order = reserve(node.instances * 2 * (shape.fields.size() + 1), 2);
        if (!in_arena && node.kind == ShapeKind::Map && domains_[node.domain].numbered)
            nodes_[id].arrays = reserve(node.instances, 1);
    }
    const bool below = dense && !in_arena;
    if (node.kind == ShapeKind::Record) {
        for (const auto& [name, field] : shape.fields) {
            const Symbol symbol = symbols_->intern(name);
            const SchemaId child = add(field, id, symbol, node, below);
            nodes_[child].slot = static_cast<std::uint16_t>(nodes_[id].fields.size());
            nodes_[id].fields.emplace_back(symbol, child);
        }
    } else if (node.kind == ShapeKind::Map) {
        SchemaNode inside = node;
        if (below) {
            inside.group = domains_[node.domain].size();
            inside.words = words_for(inside.group);
            inside.instances = node.instances * inside.group;
        }
        const SchemaId element = add(shape.fields[0].shape, id, kNoSymbol, inside, below);
        nodes_[id].element = element;
    }
    note_own_bytes(id, begin);
    return id;
}

// Columns are placed in node order: `id` and all nodes below it occupy the bytes from `begin`.
void Layout::note_own_bytes(SchemaId id, std::uint32_t begin) {
    const bool in_arena = std::any_of(nodes_.begin() + id, nodes_.end(), [](const auto& node) {
        return node.column == Column::Arena;
    });
    if (id != 0 && nodes_[id].dense && nodes_[id].instances == 1 && !in_arena) {
        nodes_[id].own_begin = begin;
        nodes_[id].own_end = dense_bytes_;
    }
}

void Erasure::add(const Erasure& other) {
    for (const Bits& each : other.bits) {
        const auto same = std::ranges::find(bits, each.word, &Bits::word);
        if (same == bits.end())
            bits.push_back(each);
        else
            same->mask |= each.mask;
    }
    for (const Range& each : other.ranges) {
        const auto before = std::ranges::find(
            ranges, each.begin, [](const Range& known) { return known.begin + known.size; });
        if (before == ranges.end())
            ranges.push_back(each);
        else
            before->size += each.size;
    }
}

std::optional<Erasure> Layout::erasure(SchemaId id, std::uint32_t index) const {
    const SchemaNode& node = nodes_[id];
    Erasure made;
    if (node.parent == kNoSchema || !node.dense) return std::nullopt;
    if (node.above_order != kNoOffset) {
        made.listed = id;
        made.index = index;
    }
    if (node.presence != kNoOffset) {
        const std::uint32_t row = index % node.group;
        made.bits.push_back(
            {node.presence + 8 * (index / node.group * node.words + row / kWordRows),
             std::uint64_t{1} << (row % kWordRows)});
    }
    return add_ranges(id, index, 1, made.ranges) ? std::optional(made) : std::nullopt;
}

RootField Layout::root_field(SchemaId id) const {
    const SchemaNode& node = nodes_[id];
    if (node.parent != 0 || nodes_[0].kind != ShapeKind::Record || node.own_end == 0) return {};
    // Without the alignment gap before the node.
    return {std::min(node.presence, node.values), node.own_end, node.slot, order_of_root()};
}

// Adds the bytes of `count` instances and of all below them, except presence bits in groups that
// are only partly erased. Returns false if any part is in the arena.
bool Layout::add_ranges(SchemaId id, std::uint32_t first, std::uint32_t count,
                        std::vector<Erasure::Range>& ranges) const {
    const SchemaNode& node = nodes_[id];
    const auto add = [&](std::uint32_t begin, std::uint32_t width) {
        if (begin != kNoOffset && width != 0)
            ranges.push_back({begin + first * width, count * width});
    };
    if (node.column == Column::Arena) return false;
    if (node.presence != kNoOffset && count % node.group == 0) {
        ranges.push_back({node.presence + 8 * (first / node.group * node.words),
                          8 * (count / node.group * node.words)});
    }
    add(node.values, width_of(node.column));
    add(node.order, static_cast<std::uint32_t>(2 * (node.fields.size() + 1)));
    add(node.arrays, 1);
    const std::uint32_t rows = node.kind == ShapeKind::Map ? domains_[node.domain].size() : 1;
    if (node.kind == ShapeKind::Map)
        return add_ranges(node.element, first * rows, count * rows, ranges);
    return std::ranges::all_of(node.fields, [&](const auto& field) {
        return add_ranges(field.second, first, count, ranges);
    });
}

std::uint32_t Layout::reserve(std::size_t bytes, std::size_t align) {
    const std::size_t offset = (dense_bytes_ + align - 1) / align * align;
    dense_bytes_ = static_cast<std::uint32_t>(offset + bytes);
    return static_cast<std::uint32_t>(offset);
}

void Layout::place(SchemaNode& node) {
    const std::size_t n = node.instances;
    const std::size_t presence_bytes = n / node.group * node.words * 8;
    if (node.column == Column::Arena) {
        node.values = reserve(n * 4, 4);
        return;
    }
    const std::uint64_t count =
        codes(node, node.kind == ShapeKind::Member ? domains_[node.domain].size() : 0);
    // Bytes or bits must tell which rows of a map are present.
    const bool is_number_of_row = node.kind == ShapeKind::Int && node.parent != kNoSchema &&
                                  nodes_[node.parent].kind == ShapeKind::Map;
    if (count > 0 && count < 255) {
        node.column = Column::Code8;
        node.values = reserve(n, n >= kLineBytes ? kLineBytes : 1);
    } else if (count > 0 && !is_number_of_row) {
        node.column = Column::Code16;
        node.values = reserve(n * 2, 2);
    } else if (node.kind == ShapeKind::Int) {
        node.column = Column::Int;
        node.values = reserve(n * 8, 8);
        node.presence = reserve(presence_bytes, 8);
    } else if (node.is_leaf() && node.kind != ShapeKind::Unit) {
        node.column = Column::Value;
        node.values = reserve(n * sizeof(Value), 8);
    } else {
        node.presence = reserve(presence_bytes, 8);
    }
}

std::uint32_t Layout::code_of(const SchemaNode& node, const Value& value) const {
    switch (node.kind) {
    case ShapeKind::Bool:
        return value.tag != Tag::Bool ? 0 : value.truth() ? 2 : 1;
    case ShapeKind::Int:
        return node.has_in_range(value) ? static_cast<std::uint32_t>(value.integer - node.low) + 1
                                        : 0;
    case ShapeKind::Member: {
        const DomainTable& domain = domains_[node.domain];
        if (domain.numbered) {
            const bool fits =
                value.tag == Tag::Int && value.integer >= 0 && value.integer < domain.size();
            return fits ? static_cast<std::uint32_t>(value.integer) + 1 : 0;
        }
        const std::uint16_t row = value.is_text() ? domain.row_of(value.symbol()) : kNoRow;
        return row == kNoRow ? 0 : row + 1u;
    }
    default:
        return 0;
    }
}

SchemaId Layout::child(SchemaId id, Symbol key, const Symbols& symbols) const {
    if (id == kNoSchema) return kNoSchema;
    const SchemaNode& node = nodes_[id];
    if (node.kind == ShapeKind::Record) return node.field(key);
    if (node.kind == ShapeKind::Map) {
        if (node.domain != 0)
            return domains_[node.domain].row_of(key) == kNoRow ? kNoSchema : node.element;
        return node.integer_keys && !symbols.integer(key) ? kNoSchema : node.element;
    }
    return kNoSchema;
}

std::string Layout::path(SchemaId id) const {
    const SchemaNode& node = nodes_[id];
    if (node.parent == kNoSchema) return "";
    const std::string above = path(node.parent);
    const SchemaNode& parent = nodes_[node.parent];
    std::string name;
    if (parent.kind == ShapeKind::Map)
        name = "$" + (parent.domain == 0 ? std::string() : domains_[parent.domain].name);
    else
        name = std::string(symbols_->text(node.key));
    return above.empty() ? name : above + "." + name;
}

// Shows the memory layout of a state, as text and as JSON.

std::string show_layout(const Layout& layout) {
    std::string text = fmt::format("layout: {} bytes declared\n", layout.dense_bytes());
    for (SchemaId id = 0; id < layout.size(); ++id) {
        const SchemaNode& node = layout.node(id);
        if (!node.dense) continue;
        const std::string path = layout.path(id).empty() ? "(root)" : layout.path(id);
        std::string kind(name_of(node.kind));
        if (node.domain != 0) kind += " of " + layout.domain(node.domain).name;
        text += fmt::format("  {:<32} {:<20} {:>6} x", path, kind, node.instances);
        if (node.column == Column::Arena)
            text += " in the arena";
        else if (node.values != kNoOffset)
            text += fmt::format(" values at {}", node.values);
        if (node.presence != kNoOffset) text += fmt::format(" bits at {}", node.presence);
        text += "\n";
    }
    return text;
}

Document layout_document(const Layout& layout) {
    Document nodes = json::array();
    for (SchemaId id = 0; id < layout.size(); ++id) {
        const SchemaNode& node = layout.node(id);
        if (!node.dense) continue;
        Document shown = json::object({{"path", json::text(layout.path(id))},
                                       {"kind", json::text(name_of(node.kind))},
                                       {"instances", json::integer(node.instances)},
                                       {"arena", json::boolean(node.column == Column::Arena)}});
        if (node.domain != 0)
            json::add(shown, "domain", json::text(layout.domain(node.domain).name));
        if (node.column != Column::Arena && node.values != kNoOffset)
            json::add(shown, "values_at", json::integer(node.values));
        if (node.presence != kNoOffset) json::add(shown, "bits_at", json::integer(node.presence));
        json::append(nodes, std::move(shown));
    }
    Document made = json::object({{"bytes", json::integer(layout.dense_bytes())}});
    json::add(made, "nodes", std::move(nodes));
    return made;
}

} // namespace croupier::engine
