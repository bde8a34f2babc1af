// Pairs the columns of two layouts and copies them.
#include "engine/state/graft.h"

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
    // Columns that are adjacent in both blocks become one copy.
    std::sort(bytes_.begin(), bytes_.end(),
              [](const Bytes& a, const Bytes& b) { return a.from < b.from; });
    std::vector<Bytes> joined;
    for (const Bytes& each : bytes_)
        if (!joined.empty() && joined.back().from + joined.back().count == each.from &&
            joined.back().to + joined.back().count == each.to)
            joined.back().count += each.count;
        else
            joined.push_back(each);
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
    if (one.column == Column::Arena) {
        subtrees_.push_back({from, to, one.instances});
        return;
    }
    if (one.column == Column::Value)
        values_.push_back({one.values, other.values, one.instances});
    else
        add(one.values, other.values, n * width_of(one.column)); // a column None has no values
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
    if (from_.node(at_).column == Column::Arena) { // all of it is undeclared
        to.copy_into(to.make_child(to.root(), to_.node(to_at_).key), from, node);
        return;
    }
    to.ensure(to_at_, 0);
    copy_columns(from, to);
    if (at_ == 0) copy_order(from, to);
    if (from.arena_nodes() > 0 || to.arena_nodes() > 0) copy_subtrees(from, to);
}

void Graft::copy_columns(const State& from, State& to) const {
    for (const Bytes& each : bytes_)
        std::memcpy(to.data() + each.to, from.data() + each.from, each.count);
    for (const Bytes& column : values_) {
        for (std::uint32_t i = 0; i < column.count; ++i) {
            Value value;
            std::memcpy(&value, from.data() + column.from + sizeof(Value) * i, sizeof(Value));
            value = to.adopted(from, value);
            std::memcpy(to.data() + column.to + sizeof(Value) * i, &value, sizeof(Value));
        }
    }
}

// A root lists its children separately, undeclared ones included; those are left out here.
void Graft::copy_order(const State& from, State& to) const {
    const std::size_t fields = from_.node(0).fields.size();
    const auto entry = [](auto* list, std::size_t i) { return list + 2 * i; };
    const std::byte* const order = from.data() + from_.order_of_root();
    std::byte* const into = to.data() + to_.node(to_at_).order;
    std::uint16_t count = 0;
    std::memcpy(&count, order, 2);
    std::uint16_t kept = 0;
    for (std::size_t i = 1; i <= count; ++i) {
        std::uint16_t slot = 0;
        std::memcpy(&slot, entry(order, i), 2);
        if (slot < fields) std::memcpy(entry(into, ++kept), &slot, 2);
    }
    std::memcpy(into, &kept, 2);
    // Equal states must have equal bytes.
    std::memset(entry(into, kept + 1), 0, 2 * (fields - kept));
}

// Copies contents only: the lists of present fields are already copied.
void Graft::copy_subtrees(const State& from, State& to) const {
    for (const Subtrees& column : subtrees_) {
        for (std::uint32_t i = 0; i < column.count; ++i) {
            std::uint32_t id = 0;
            std::memcpy(&id, from.data() + from_.node(column.from).values + 4 * std::size_t{i}, 4);
            to.hold_copy(column.to, i, from, id == 0 ? NodeRef{} : NodeRef{kArena, id});
        }
    }
}

} // namespace croupier::engine
