// The functions that rules may call: shuffle, choose, sort, deal.
#include "engine/run/block.h"
#include "engine/run/machine.h"
#include "engine/text/utf8.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace croupier::engine {

namespace {

std::vector<NodeRef> children_of(const State& state, NodeRef node) {
    std::vector<NodeRef> children;
    for (NodeRef child = node ? state.first_child(node) : node; child;
         child = state.next_sibling(child)) {
        children.push_back(child);
    }
    return children;
}

// The same where all children are values of one declared column, as those of a pack of cards are.
bool permute_leaves(State& state, const std::vector<NodeRef>& children,
                    const std::vector<std::size_t>& order) {
    const bool alike = std::all_of(children.begin(), children.end(), [&](NodeRef child) {
        return child.schema == children[0].schema && state.holds_code(child);
    });
    if (!alike) {
        return false;
    }
    std::vector<std::uint32_t> codes;
    codes.reserve(children.size());
    for (const NodeRef child : children) {
        codes.push_back(state.leaf_code(child));
    }
    for (std::size_t i = 0; i < children.size(); ++i) {
        state.set_leaf_code(children[i], codes[order[i]]);
    }
    return true;
}

// What the children hold, permuted: child i gets what child order[i] held. All or nothing.
void permute(State& state, const std::vector<NodeRef>& children,
             const std::vector<std::size_t>& order) {
    if (permute_leaves(state, children, order)) {
        return;
    }
    std::vector<Document> held;
    held.reserve(children.size());
    for (const NodeRef child : children) {
        held.push_back(state.export_document(child));
    }
    for (std::size_t i = 0; i < children.size(); ++i) {
        state.check(state.schema_of(children[i]), held[order[i]]);
    }
    for (std::size_t i = 0; i < children.size(); ++i) {
        state.replace(children[i], held[order[i]]);
    }
}

// What a leaf cannot hold, in the words of an error; null if it can.
const char* unfit(const std::optional<Scalar>& value) {
    if (!value) return "gives no value";
    if (const auto* number = std::get_if<double>(&*value); number && !std::isfinite(*number))
        return "gives a number that is not finite";
    const auto* text = std::get_if<std::string>(&*value);
    if (text != nullptr && text->size() > Machine::kLongestText) return "gives too long a text";
    if (text != nullptr && find_invalid_utf8(*text) != std::string_view::npos)
        return "gives a text that is not UTF-8";
    return nullptr;
}

} // namespace

// ---- arguments -------------------------------------------------------------------------------

// The values of all arguments that are expressions, in the order written, before anything changes.
void Machine::evaluate_arguments(const CallPlan& plan) {
    arguments_.clear();
    for (const CallPlan::Argument& argument : plan.arguments) {
        arguments_.push_back(argument.expr == kNone ? Value{} : eval(argument.expr, {}));
    }
}

const Value* Machine::argument_value(const CallPlan& plan, std::string_view name) const {
    for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
        if (plan.arguments[i].name == name && plan.arguments[i].expr != kNone) {
            return &arguments_[i];
        }
    }
    return nullptr;
}

// The number of the path; calls without it do not load.
std::uint32_t Machine::argument_path(const CallPlan& plan, std::string_view name) const {
    const CallPlan::Argument* argument = plan.find(name);
    if (argument == nullptr || argument->path == kNone) {
        fail(RunErrorKind::Call, span(),
             plan.function + " needs the path '" + std::string(name) + "'");
    }
    return argument->path;
}

std::size_t Machine::argument_count(const CallPlan& plan) const {
    const Value* given = argument_value(plan, "count");
    if (given == nullptr) {
        return 1;
    }
    const Value number = as_number(*given, state_->symbols());
    if (number.tag != Tag::Int || number.integer < 0) {
        fail(RunErrorKind::Call, span(),
             plan.function + ": 'count' is a whole number from 0, not '" +
                 to_text(*given, state_->symbols()) + "'");
    }
    return static_cast<std::size_t>(number.integer);
}

// The node at the path, which is about to be changed; none if there is none.
NodeRef Machine::changeable(std::uint32_t path) {
    guard_path(path);
    return find(path);
}

// ---- functions -------------------------------------------------------------------------------

void Machine::call(const CallPlan& plan) {
    evaluate_arguments(plan);
    if (plan.function == "shuffle") {
        shuffle(plan);
    } else if (plan.function == "sort") {
        sort(plan);
    } else if (plan.function == "choose") {
        choose(plan);
    } else if (plan.function == "deal") {
        deal(plan);
    } else {
        call_host(plan);
    }
}

void Machine::call_host(const CallPlan& plan) {
    const HostFunction* function = find_function(program_.ruleset().functions, plan.function);
    if (function == nullptr || !function->body) {
        fail(RunErrorKind::Call, span(), "there is no function " + plan.function);
    }
    std::vector<Scalar> values;
    for (const std::string& parameter : function->parameters) {
        const Value* given = argument_value(plan, parameter);
        values.push_back(given == nullptr ? Scalar() : to_scalar(*given, state_->symbols()));
    }
    HostResult result;
    try {
        result = function->body(values);
    } catch (const std::exception& error) {
        result.error = error.what();
        if (result.error.empty()) result.error = "an exception without a message";
    }
    if (!result.error.empty()) {
        fail(RunErrorKind::Call, span(),
             plan.function + ": " + valid_utf8(result.error, kLongestText));
    }
    const CallPlan::Argument* into = plan.find("into");
    if (into == nullptr) {
        return;
    }
    if (const char* wrong = unfit(result.value)) {
        fail(RunErrorKind::Call, span(), plan.function + ": " + wrong);
    }
    set_path(into->path, to_value(*result.value, state_->symbols()));
}

void Machine::shuffle(const CallPlan& plan) {
    const std::uint32_t path = argument_path(plan, "of");
    const NodeRef node = changeable(path);
    if (const std::span<std::byte> held = state_->leaf_bytes(node); !held.empty()) {
        shuffle_bytes(held);
        return;
    }
    if (holds_presence_only(path)) {
        fail(RunErrorKind::Call, span(),
             "shuffle: its children hold nothing that could change places");
    }
    const std::vector<NodeRef> children = children_of(*state_, node);
    std::vector<std::size_t> order(children.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[random_->below(i)]);
    }
    permute(*state_, children, order);
}

// The same of the bytes that are values, as of a pack of cards: child i gets what child order[i]
// held, which is what changing places in turn comes to.
void Machine::shuffle_bytes(std::span<std::byte> held) {
    places_.clear();
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (held[i] != std::byte{0}) {
            places_.push_back(static_cast<std::uint32_t>(i));
        }
    }
    for (std::size_t i = places_.size(); i > 1; --i) {
        std::swap(held[places_[i - 1]], held[places_[random_->below(i)]]);
    }
}

// The path is declared to be a map whose children are only there or not.
bool Machine::holds_presence_only(std::uint32_t path) {
    const Layout& layout = *program_.layout;
    SchemaId schema = state_->schema_of(nodes_[0]);
    for (const Symbol key : base_of(program_.paths[path])) {
        schema = layout.child(schema, key, state_->symbols());
    }
    for (const std::uint32_t segment : program_.paths[path].segments) {
        schema = layout.child(schema, key_symbol(program_.keys[segment], true), state_->symbols());
    }
    return schema != kNoSchema && layout.node(schema).kind == ShapeKind::Map &&
           layout.node(layout.node(schema).element).kind == ShapeKind::Unit;
}

void Machine::choose(const CallPlan& plan) {
    const NodeRef from = find(argument_path(plan, "from"));
    const std::uint32_t into = argument_path(plan, "into");
    guard_path(into);
    std::vector<NodeRef> candidates;
    for (NodeRef child = first_child(from); child; child = next_sibling(child)) {
        candidates.push_back(child);
    }
    const std::size_t count = argument_count(plan);
    const std::size_t n = candidates.size();
    if (count > n) {
        fail(RunErrorKind::Call, span(),
             "choose: " + std::to_string(count) + " of " + std::to_string(n) + " children");
    }
    std::vector<std::pair<Symbol, Document>> picked;
    for (std::size_t k = 0; k < count; ++k) {
        std::swap(candidates[k], candidates[k + random_->below(n - k)]);
        picked.emplace_back(key(candidates[k]).symbol(), export_node(candidates[k]));
    }
    for (const auto& [name, document] : picked) {
        state_->check(state_->schema_below(schema_at(into), name), document);
        const NodeRef above = make_path(into);
        state_->make_inner(above);
        state_->put_child(above, name, document);
        check_size();
    }
}

void Machine::sort(const CallPlan& plan) {
    const NodeRef node = changeable(argument_path(plan, "of"));
    const Value* by = argument_value(plan, "by");
    const Value* descending = argument_value(plan, "descending");
    if (descending != nullptr && descending->tag != Tag::Bool) {
        fail(RunErrorKind::Call, span(), "sort: 'descending' is true or false");
    }
    const bool down = descending != nullptr && descending->truth();
    const std::vector<NodeRef> children = children_of(*state_, node);
    std::vector<Value> values;
    for (const NodeRef child : children) {
        const NodeRef field = by == nullptr ? child : this->child(child, symbol_of(*by, false));
        values.push_back(value(field));
        if (!compare(values.back(), values[0], state_->symbols())) {
            fail(RunErrorKind::Call, span(),
                 "sort: child '" + to_text(key(child), state_->symbols()) +
                     "' cannot be compared with the others");
        }
    }
    std::vector<std::size_t> order(children.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto comparison = compare(values[a], values[b], state_->symbols());
        return down ? *comparison > 0 : *comparison < 0;
    });
    permute(*state_, children, order);
}

void Machine::deal(const CallPlan& plan) {
    const std::uint32_t from = argument_path(plan, "from");
    const std::uint32_t to = argument_path(plan, "to");
    const NodeRef pack = changeable(from);
    const NodeRef hands = changeable(to);
    const std::size_t count = argument_count(plan);
    const Value* start = argument_value(plan, "start");
    if (deal_members(pack, hands, start, count)) {
        return;
    }
    const std::size_t stock = child_count(pack);
    std::vector<Symbol> receivers;
    receivers.reserve(child_count(hands));
    for (NodeRef each = first_child(hands); each; each = next_sibling(each)) {
        receivers.push_back(key(each).symbol());
    }
    if (start != nullptr) {
        const auto place = std::find(receivers.begin(), receivers.end(), symbol_of(*start, true));
        if (place == receivers.end()) {
            fail(RunErrorKind::Call, span(),
                 "deal: '" + to_text(*start, state_->symbols()) + "' is not among the receivers");
        }
        std::rotate(receivers.begin(), place, receivers.end());
    }
    if (!receivers.empty() && count > stock / receivers.size()) {
        fail(RunErrorKind::Call, span(),
             "deal: " + std::to_string(count) + " each for " + std::to_string(receivers.size()) +
                 ", " + std::to_string(stock) + " left");
    }
    for (const Symbol receiver : receivers) {
        for (std::size_t i = 0; i < count; ++i) {
            give(from, to, receiver);
        }
    }
}

// The same of a map of members to sets of them, all declared, as a pack is dealt to hands; false if
// that is for the general way, errors among it.
bool Machine::deal_members(NodeRef from, NodeRef to, const Value* start, std::size_t count) {
    if (state_->has_journal() || count == 0) {
        return false; // what is done here is not noted
    }
    const std::span<std::byte> stock = state_->leaf_bytes(from); // none if `from` is no such map
    if (stock.empty() || !to || to.schema >= program_.layout->size()) {
        return false;
    }
    const Layout& layout = *program_.layout;
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
    places_.clear();
    for (std::uint32_t row = state_->next_row(to, 0); row < names.size();
         row = state_->next_row(to, row + 1)) {
        places_.push_back(row);
    }
    if (start != nullptr) {
        const bool named = start->is_text();
        const auto first = std::find(places_.begin(), places_.end(),
                                     named ? names.row_of(start->symbol()) : kNoRow);
        if (first == places_.end()) {
            return false;
        }
        std::rotate(places_.begin(), first, places_.end());
    }
    if (count > state_->child_count(from) / std::max<std::size_t>(places_.size(), 1)) {
        return false;
    }
    std::uint32_t next = 0;
    for (const std::uint32_t place : places_) {
        const std::size_t hand = std::size_t{to.index} * names.size() + place;
        std::byte* const words = state_->data() + member.presence + hand * member.words * 8;
        for (std::size_t i = 0; i < count; ++i) {
            next = state_->next_row(from, next);
            const std::size_t row = std::to_integer<std::size_t>(stock[next]) - 1;
            merge_rows(words + row / 64 * 8, std::uint64_t{1} << row % 64);
            stock[next] = std::byte{0};
        }
    }
    return true;
}

// The first child of `from` goes to a receiver. Both are found anew: one may lie inside the other.
void Machine::give(std::uint32_t from, std::uint32_t to, Symbol receiver) {
    const NodeRef card = first_child(find(from));
    if (!card) {
        fail(RunErrorKind::Call, span(), "deal: nothing is left");
    }
    const Value held = value(card);
    const bool named = held.tag == Tag::String || held.tag == Tag::Int || held.tag == Tag::Double;
    const Symbol name = named ? symbol_of(held, true) : key(card).symbol();
    Document document;
    if (named) {
        document.scalar = true;
    } else {
        document = state_->export_document(card);
    }
    state_->remove(card);
    const SchemaId hand_schema = state_->schema_below(schema_at(to), receiver);
    state_->check(state_->schema_below(hand_schema, name), document);
    const NodeRef hands = make_path(to);
    state_->make_inner(hands);
    const NodeRef hand = make_child(hands, receiver);
    state_->make_inner(hand);
    state_->put_child(hand, name, document);
    check_size();
}

} // namespace croupier::engine
