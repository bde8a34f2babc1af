// Pairs the columns of two layouts and copies them.
#include "engine/tree/graft.h"

#include <algorithm>
#include <cassert>

namespace croupier::engine {
namespace {

std::size_t presence_bytes(const SchemaNode& node) {
    return std::size_t{node.instances} / node.group * node.words * 8;
}

} // namespace

Graft::Graft(const Layout& from, SchemaId at, const Layout& to, SchemaId to_at)
    : from_(from), to_(to), at_(at), to_at_(to_at) {
    pair(at, to_at);
    // Columns that stand together in both blocks are one copy.
    std::sort(bytes_.begin(), bytes_.end(),
              [](const Bytes& a, const Bytes& b) { return a.from < b.from; });
    std::vector<Bytes> joined;
    for (const Bytes& each : bytes_) {
        if (!joined.empty() && joined.back().from + joined.back().count == each.from &&
            joined.back().to + joined.back().count == each.to)
            joined.back().count += each.count;
        else
            joined.push_back(each);
    }
    bytes_ = std::move(joined);
}

void Graft::add(std::uint32_t from, std::uint32_t to, std::size_t count) {
    if (from != kNoOffset) bytes_.push_back({from, to, static_cast<std::uint32_t>(count)});
}

void Graft::pair(SchemaId from, SchemaId to) {
    const SchemaNode& one = from_.node(from);
    const SchemaNode& other = to_.node(to);
    assert(one.kind == other.kind && one.column == other.column &&
           one.instances == other.instances && one.fields.size() == other.fields.size());
    const std::size_t n = one.instances;
    if (from != at_) add(one.presence, other.presence, presence_bytes(one));
    switch (one.column) {
    case Column::None:
        break;
    case Column::Code8:
        add(one.values, other.values, n);
        break;
    case Column::Code16:
        add(one.values, other.values, 2 * n);
        break;
    case Column::Int:
        add(one.values, other.values, 8 * n);
        break;
    case Column::Value:
        values_.push_back({one.values, other.values, one.instances});
        break;
    case Column::Arena:
        in_arena_ = true;
        return;
    }
    if (from != 0 && one.order != kNoOffset)
        add(one.order, other.order, n * 2 * (one.fields.size() + 1));
    add(one.arrays, other.arrays, n);
    for (std::size_t i = 0; i < one.fields.size(); ++i)
        pair(one.fields[i].second, other.fields[i].second);
    if (one.element != kNoSchema) pair(one.element, other.element);
}

void Graft::copy(const State& from, State& to) const {
    const NodeRef node = at_ == 0 ? from.root() : from.child(from.root(), from_.node(at_).key);
    if (!node) {
        const NodeRef old = to.child(to.root(), to_.node(to_at_).key);
        if (old) to.remove(old);
        return;
    }
    if (in_arena_ || from.arena_nodes() > 0) {
        copy_nodes(from, node, to);
        return;
    }
    to.ensure(to_at_, 0);
    copy_columns(from, to);
    if (at_ == 0) copy_order(from, to);
}

void Graft::copy_columns(const State& from, State& to) const {
    for (const Bytes& each : bytes_)
        std::memcpy(to.data() + each.to, from.data() + each.from, each.count);
    for (const Values& column : values_) {
        for (std::uint32_t i = 0; i < column.count; ++i) {
            Value value;
            std::memcpy(&value, from.data() + column.from + sizeof(Value) * i, sizeof(Value));
            if (value.is_text())
                value.integer = to.symbols().intern(from.symbols().text(value.symbol()));
            std::memcpy(to.data() + column.to + sizeof(Value) * i, &value, sizeof(Value));
        }
    }
}

// A root keeps its children's order apart, with room for undeclared ones; here there are none.
void Graft::copy_order(const State& from, State& to) const {
    std::uint16_t count = 0;
    const std::byte* const order = from.data() + from_.order_of_root();
    std::memcpy(&count, order, 2);
    std::memcpy(to.data() + to_.node(to_at_).order, order, 2 * (std::size_t{1} + count));
}

void Graft::copy_nodes(const State& from, NodeRef node, State& to) const {
    Document whole = from.export_document(node);
    const SchemaNode& root = from_.node(0);
    if (at_ == 0 && root.kind == ShapeKind::Record) {
        std::erase_if(whole.members, [&](const Member& member) {
            return std::none_of(root.fields.begin(), root.fields.end(), [&](const auto& field) {
                return from_.symbols().text(field.first) == member.key;
            });
        });
    }
    to.put_child(to.root(), to_.node(to_at_).key, whole);
}

} // namespace croupier::engine
