// The function deal: children of one node go to the children of another, in turn.
#include "engine/run/block.h"
#include "engine/run/call.h"

#include <algorithm>

namespace croupier::engine {

void Call::deal() {
    const Path& from = path("from");
    const Path& to = path("to");
    const NodeRef pack = changeable(from);
    const NodeRef hands = changeable(to);
    const std::size_t each = count();
    const Value* const start = value("start");
    if (deal_members(pack, hands, start, each)) {
        return;
    }
    const std::size_t stock = runtime_.child_count(pack);
    std::vector<Symbol> receivers;
    receivers.reserve(runtime_.child_count(hands));
    for (NodeRef hand = runtime_.first_child(hands); hand; hand = runtime_.next_sibling(hand)) {
        receivers.push_back(runtime_.key(hand).symbol());
    }
    if (start != nullptr) {
        const auto place =
            std::find(receivers.begin(), receivers.end(), runtime_.key_of({start, 1}, true));
        if (place == receivers.end()) {
            fail("deal: '" + runtime_.text(*start) + "' is not among the receivers");
        }
        std::rotate(receivers.begin(), place, receivers.end());
    }
    if (!receivers.empty() && each > stock / receivers.size()) {
        fail("deal: " + std::to_string(each) + " each for " + std::to_string(receivers.size()) +
             ", " + std::to_string(stock) + " left");
    }
    for (const Symbol receiver : receivers) {
        for (std::size_t i = 0; i < each; ++i) {
            give(from, to, receiver);
        }
    }
}

// The same of a map of members to sets of them, all declared, as a pack is dealt to hands; false if
// that is for the general way, errors among it.
bool Call::deal_members(NodeRef from, NodeRef to, const Value* start, std::size_t count) {
    if (state_.has_journal() || count == 0) {
        return false; // what is done here is not noted
    }
    const Layout& layout = *runtime_.catalogue().layout;
    const std::span<std::byte> stock = state_.leaf_bytes(from); // none if `from` is no such map
    if (stock.empty() || !to || to.schema >= layout.size()) {
        return false;
    }
    const SchemaNode& card = layout.node(layout.node(from.schema).element);
    const SchemaNode& hands = layout.node(to.schema);
    const bool to_sets = hands.kind == ShapeKind::Map && hands.domain != 0 &&
                         layout.node(hands.element).kind == ShapeKind::Map &&
                         layout.node(hands.element).domain == card.domain;
    if (!to_sets || card.kind != ShapeKind::Member || layout.domain(card.domain).numbered) {
        return false;
    }
    const SchemaNode& member = layout.node(layout.node(hands.element).element);
    if (member.kind != ShapeKind::Unit || member.presence == kNoOffset) {
        return false;
    }
    const DomainTable& names = layout.domain(hands.domain);
    std::vector<std::uint32_t> places;
    for (std::uint32_t row = state_.next_row(to, 0); row < names.size();
         row = state_.next_row(to, row + 1)) {
        places.push_back(row);
    }
    if (start != nullptr) {
        const auto first = std::find(places.begin(), places.end(),
                                     start->is_text() ? names.row_of(start->symbol()) : kNoRow);
        if (first == places.end()) {
            return false;
        }
        std::rotate(places.begin(), first, places.end());
    }
    if (count > state_.child_count(from) / std::max<std::size_t>(places.size(), 1)) {
        return false;
    }
    std::uint32_t next = 0;
    for (const std::uint32_t place : places) {
        const std::size_t hand = std::size_t{to.index} * names.size() + place;
        std::byte* const words = state_.data() + member.presence + hand * member.words * 8;
        for (std::size_t i = 0; i < count; ++i) {
            next = state_.next_row(from, next);
            const std::size_t row = std::to_integer<std::size_t>(stock[next]) - 1;
            merge_rows(words + row / 64 * 8, std::uint64_t{1} << row % 64);
            stock[next] = std::byte{0};
        }
    }
    return true;
}

// The first child of `from` goes to a receiver. Both are found anew: one may lie inside the other.
void Call::give(const Path& from, const Path& to, Symbol receiver) {
    const NodeRef card = runtime_.first_child(runtime_.find(from, span_));
    if (!card) {
        fail("deal: nothing is left");
    }
    const Value held = runtime_.value(card);
    const bool named = held.tag == Tag::String || held.tag == Tag::Int || held.tag == Tag::Double;
    const Symbol name = named ? runtime_.key_of({&held, 1}, true) : runtime_.key(card).symbol();
    Document document;
    if (named) {
        document.scalar = true;
    } else {
        document = state_.export_document(card);
    }
    state_.remove(card);
    const SchemaId hand_schema = state_.schema_below(runtime_.schema_at(to, span_), receiver);
    state_.check(state_.schema_below(hand_schema, name), document);
    const NodeRef hands = runtime_.make_all(to, span_);
    state_.make_inner(hands);
    const NodeRef hand = runtime_.make_child(hands, receiver, span_);
    state_.make_inner(hand);
    runtime_.put_child(hand, name, document, span_);
}

} // namespace croupier::engine
