// Reads a state from JSON, writes it as JSON, compares and hashes states.
#include "engine/state/arena_node.h"
#include "engine/state/state.h"
#include "engine/text/codes.h"

namespace croupier::engine {

namespace {

Symbol key_of(const Document& document, std::size_t i, Symbols& symbols) {
    return symbols.intern(document.is_array() ? std::to_string(i) : document.members[i].key);
}

// Writes all that the shape allows and reports the rest, so that one run lists every error.
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
            if (member.value.is_array())
                state.make_array(child);
            else
                state.make_inner(child);
            import_children(state, child, member.value, diagnostics);
        } catch (const ShapeFault& fault) {
            diagnostics.error(code::kDataMisfit, member.key_span, fault.what(),
                              "write the state as the ruleset's shape declares it");
        }
    }
}

bool same_node(const State& a, NodeRef x, const State& b, NodeRef y) {
    const Value u = a.value(x);
    const Value v = b.value(y);
    if (u.tag != v.tag || a.is_array(x) != b.is_array(y)) return false;
    if (u.tag == Tag::String) {
        if (a.symbols().text(u.symbol()) != b.symbols().text(v.symbol())) return false;
    } else if (u.integer != v.integer) {
        return false;
    }
    NodeRef i = a.first_child(x);
    NodeRef j = b.first_child(y);
    for (; i && j; i = a.next_sibling(i), j = b.next_sibling(j))
        if (a.symbols().text(a.key(i).symbol()) != b.symbols().text(b.key(j).symbol()) ||
            !same_node(a, i, b, j))
            return false;
    return !i && !j;
}

// Hashes states: the block in one pass, undeclared nodes one by one.

__extension__ using Wide = unsigned __int128;

// XORs the halves of the product: every bit of the result depends on every bit of both.
std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

} // namespace

// Hashes bytes in pieces; where the pieces are cut changes the hash.
class BlockHash {
  public:
    void add(const std::byte* bytes, std::size_t size) {
        const std::byte* const end = bytes + size;
        // Three independent chains: in a single one each product would wait for the one before.
        for (; end - bytes >= 48; bytes += 48) {
            first_ = fold(word(bytes) ^ kFirst, word(bytes + 8) ^ first_);
            second_ = fold(word(bytes + 16) ^ kSecond, word(bytes + 24) ^ second_);
            third_ = fold(word(bytes + 32) ^ kThird, word(bytes + 40) ^ third_);
        }
        for (; end - bytes >= 16; bytes += 16)
            first_ = fold(word(bytes) ^ kFirst, word(bytes + 8) ^ first_);
        if (bytes != end) {
            std::byte rest[16] = {};
            std::memcpy(rest, bytes, static_cast<std::size_t>(end - bytes));
            first_ = fold(word(rest) ^ kSecond, word(rest + 8) ^ first_);
        }
        add(size);
    }
    void add(std::uint64_t word) { first_ = fold(word ^ kThird, first_ ^ kSecond); }
    // By its text: an equal state may number a text of its game differently.
    void add(const Value& value, const Symbols& symbols) {
        add(static_cast<std::uint64_t>(value.tag));
        if (value.is_text()) {
            const std::string_view text = symbols.text(value.symbol());
            add(reinterpret_cast<const std::byte*>(text.data()), text.size());
        } else if (value.tag != Tag::None) {
            add(static_cast<std::uint64_t>(value.integer));
        }
    }
    [[nodiscard]] std::uint64_t value() const {
        return fold(first_ ^ fold(second_ ^ kFirst, third_ ^ kSecond), kThird);
    }

  private:
    static constexpr std::uint64_t kFirst = 0xa0761d6478bd642fu;
    static constexpr std::uint64_t kSecond = 0xe7037ed1a0b428dbu;
    static constexpr std::uint64_t kThird = 0x8ebc6af09c88c6e3u;

    static std::uint64_t word(const std::byte* bytes) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, sizeof word);
        return word;
    }

    std::uint64_t first_ = 0x589965cc75374cc3u;
    std::uint64_t second_ = 0x1d8e4e27c47d124fu;
    std::uint64_t third_ = 0xeb44accab455d165u;
};

void State::write(NodeRef node, const Document& document) {
    if (document.kind == Document::Kind::Scalar) {
        set_value(node, to_value(document.scalar, symbols_));
        return;
    }
    if (document.is_array())
        make_array(node);
    else
        make_inner(node);
    for (std::size_t i = 0; i < document.members.size(); ++i) {
        const Symbol key = key_of(document, i, symbols_);
        const Document& below = document.members[i].value;
        if (below.kind == Document::Kind::Scalar)
            set_child(node, key, to_value(below.scalar, symbols_));
        else
            write(make_child(node, key), below);
    }
}

void State::check(SchemaId schema, const Document& document) {
    if (schema == kNoSchema) return;
    const SchemaNode& node = layout_->node(schema);
    if (document.kind == Document::Kind::Scalar) {
        (void)stored(schema, to_value(document.scalar, symbols_));
        return;
    }
    if (node.is_leaf()) throw ShapeFault(layout_->path(schema) + " holds a value, not children");
    if (document.is_array()) check_array(schema);
    for (std::size_t i = 0; i < document.members.size(); ++i)
        check(schema_below(schema, key_of(document, i, symbols_)), document.members[i].value);
}

void State::replace(NodeRef node, const Document& document) {
    check(schema_of(node), document);
    if (!(node.schema != kArena && layout_->node(node.schema).is_leaf())) {
        remove_children(node);
        if (node.schema == kArena)
            arena(node.index).flags &= ~std::uint32_t{ArenaNode::Array};
        else if (layout_->node(node.schema).arrays != kNoOffset)
            store<std::uint8_t>(layout_->node(node.schema).arrays + node.index, 0);
    }
    write(node, document);
}

void State::put_child(NodeRef node, Symbol key, const Document& document) {
    check(schema_below(schema_of(node), key), document);
    if (document.kind == Document::Kind::Scalar)
        set_child(node, key, to_value(document.scalar, symbols_));
    else
        replace(make_child(node, key), document);
}

bool State::import(const Document& document, Diagnostics& diagnostics) {
    if (!document.is_object() &&
        (!document.is_array() || layout_->node(0).column != Column::Arena)) {
        diagnostics.error(code::kDataMisfit, document.span, "a state is an object",
                          "put the state's nodes into { }");
        return false;
    }
    remove_children(root());
    if (document.is_array()) make_array(root());
    Diagnostics found;
    import_children(*this, root(), document, found);
    for (Diagnostic& diagnostic : found.sorted())
        diagnostics.add(std::move(diagnostic));
    return !found.has_errors();
}

Document State::export_document(NodeRef node) const {
    const NodeRef first = first_child(node);
    if (!first && value(node).tag != Tag::None)
        return json::scalar(to_scalar(value(node), symbols_));
    Document document = json::object();
    document.members.reserve(child_count(node));
    bool array = is_array(node);
    std::int64_t expected = 0;
    for (NodeRef child = first; child; child = next_sibling(child)) {
        const Symbol name = key(child).symbol();
        json::add(document, std::string(symbols_.text(name)), export_document(child));
        array = array && symbols_.integer(name) == expected++;
    }
    if (array) {
        document.kind = Document::Kind::Array;
        for (Member& member : document.members)
            member.key.clear();
    }
    return document;
}

bool State::equals(const State& other) const {
    const bool bytes_decide = layout_ == other.layout_ && arena_used_ == 0 &&
                              other.arena_used_ == 0 && symbols_.own_size() == 0 &&
                              other.symbols_.own_size() == 0 &&
                              rest_capacity_ == other.rest_capacity_;
    if (bytes_decide) return std::memcmp(data(), other.data(), arena_offset()) == 0;
    return same_node(*this, root(), other, other.root());
}

// Hashes children by their number and their keys.
void State::add_subtree(BlockHash& hash, std::uint32_t id) const {
    const ArenaNode& node = arena(id);
    const auto array = std::uint64_t{node.is(ArenaNode::Array)};
    hash.add(std::uint64_t{node.count} << 32 | array << 8 |
             static_cast<std::uint64_t>(node.value.tag));
    if (node.value.is_text())
        hash.add(symbols_.hash(node.value.symbol()));
    else if (node.value.tag != Tag::None)
        hash.add(static_cast<std::uint64_t>(node.value.integer));
    for (std::uint32_t child = node.first; child != 0; child = arena(child).next) {
        hash.add(symbols_.hash(arena(child).key));
        add_subtree(hash, child);
    }
}

// Hashes the declared columns, with values and subtrees in place of their numbers in this state.
void State::add_columns(BlockHash& hash) const {
    std::uint32_t from = 0;
    for (const SchemaId id : layout_->outer_columns()) {
        const SchemaNode& leaf = layout_->node(id);
        hash.add(data() + from, leaf.values - from);
        for (std::uint32_t i = 0; i < leaf.instances; ++i) {
            if (leaf.column == Column::Value) {
                hash.add(load<Value>(leaf.values + sizeof(Value) * i), symbols_);
                continue;
            }
            const auto node = load<std::uint32_t>(leaf.values + std::size_t{4} * i);
            hash.add(node == 0 ? 0 : 1);
            if (node != 0) add_subtree(hash, node);
        }
        from = leaf.values + leaf.instances * width_of(leaf.column);
    }
    hash.add(data() + from, layout_->dense_bytes() - from);
}

// Hashes the root's children in order. The slots of undeclared ones depend on history, so those
// count by key.
void State::add_order(BlockHash& hash) const {
    const std::size_t order = layout_->order_of_root();
    const std::size_t fields = layout_->node(0).fields.size();
    const auto count = load<std::uint16_t>(order);
    hash.add(count);
    for (std::size_t i = 1; i <= count; ++i) {
        const auto entry = load<std::uint16_t>(order + 2 * i);
        hash.add(entry < fields ? entry : fields);
        if (entry >= fields) {
            const NodeRef child = entry_child(0, 0, entry);
            hash.add(symbols_.hash(arena(child.index).key));
            add_subtree(hash, child.index);
        }
    }
}

// Equal trees agree on whether they have undeclared nodes, so they take the same path.
[[gnu::flatten]] std::uint64_t State::hash() const {
    if (arena_used_ == 0) return *hash_without({});
    BlockHash hash;
    if (layout_->node(0).kind == ShapeKind::Record) {
        add_columns(hash);
        add_order(hash);
    } else {
        add_subtree(hash, root().index);
    }
    return hash.value();
}

std::optional<std::uint64_t> State::hash_without(std::span<const Bytes> left_out) const {
    if (arena_used_ != 0) return std::nullopt;
    BlockHash hash;
    std::uint32_t from = 0;
    const auto add_up_to = [&](std::uint32_t end) {
        for (; !left_out.empty() && left_out.front().begin < end; left_out = left_out.subspan(1)) {
            hash.add(data() + from, left_out.front().begin - from);
            from = left_out.front().end;
        }
        hash.add(data() + from, end - from);
    };
    for (const SchemaId id : layout_->value_columns()) {
        const SchemaNode& leaf = layout_->node(id);
        add_up_to(leaf.values);
        for (std::uint32_t i = 0; i < leaf.instances; ++i)
            hash.add(load<Value>(leaf.values + sizeof(Value) * i), symbols_);
        from = leaf.values + leaf.instances * static_cast<std::uint32_t>(sizeof(Value));
    }
    add_up_to(layout_->dense_bytes());
    const std::uint32_t order = layout_->order_of_root();
    hash.add(data() + order, std::size_t{2} * (1 + load<std::uint16_t>(order)));
    return hash.value();
}

} // namespace croupier::engine
