// The functions that rules may call.
#include "engine/run/call.h"

#include "engine/state/layout.h"
#include "engine/text/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

namespace croupier::engine {

using form::Kind;

namespace {

std::vector<NodeRef> all_children(const State& state, NodeRef node) {
    std::vector<NodeRef> children;
    for (NodeRef child = node ? state.first_child(node) : node; child;
         child = state.next_sibling(child))
        children.push_back(child);
    return children;
}

// The reason why a leaf cannot hold the value, as in an error message, or null.
const char* why_unfit(const std::optional<Scalar>& value) {
    if (!value) return "gives no value";
    if (const auto* number = std::get_if<double>(&*value); number && !std::isfinite(*number))
        return "gives a number that is not finite";
    const auto* text = std::get_if<std::string>(&*value);
    if (text != nullptr && text->size() > Runtime::kLongestText) return "gives too long a text";
    if (text != nullptr && find_invalid_utf8(*text) != std::string_view::npos)
        return "gives a text that is not UTF-8";
    return nullptr;
}

// ---- words of a state's block ----------------------------------------------------------------

std::uint64_t load_word(const std::byte* from) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    return word;
}

// Marks those rows as present too.
void merge_rows(std::byte* place, std::uint64_t mask) {
    const std::uint64_t all = load_word(place) | mask;
    std::memcpy(place, &all, sizeof all);
}

// The index of the lowest zero byte of the word, or 8 if there is none.
std::size_t first_empty(std::uint64_t word) {
    constexpr std::uint64_t kOnes = 0x0101010101010101u;
    const std::uint64_t empty = (word - kOnes) & ~word & (kOnes << 7);
    return static_cast<std::size_t>(std::countr_zero(empty)) / 8;
}

// Whether all nonzero bytes come first, without a gap. Sets `count` to their number.
bool is_filled_from_first(const std::byte* held, std::uint32_t size, std::size_t& count) {
    count = 0;
    std::size_t at = 0;
    for (; at + 8 <= size; at += 8) {
        const std::uint64_t word = load_word(held + at);
        const std::size_t filled = first_empty(word);
        count += filled;
        if (filled == 8) continue;
        std::uint64_t rest = filled == 0 ? word : word >> (filled * 8);
        for (at += 8; at + 8 <= size; at += 8)
            rest |= load_word(held + at);
        if (at < size) // the last eight, without those already checked
            rest |= load_word(held + size - 8) >> ((8 - (size - at)) * 8);
        return rest == 0;
    }
    for (; at < size && held[at] != std::byte{0}; ++at)
        ++count;
    return std::all_of(held + at, held + size, [](std::byte each) { return each == std::byte{0}; });
}

} // namespace

// ---- arguments -------------------------------------------------------------------------------

const Value* Call::value(std::string_view name) const {
    for (const Argument& argument : arguments_)
        if (argument.name == name && !argument.is_path) return &argument.value;
    return nullptr;
}

const Path* Call::find_path(std::string_view name) const {
    for (const Argument& argument : arguments_)
        if (argument.name == name && argument.is_path) return &argument.path;
    return nullptr;
}

const Path& Call::path(std::string_view name) const {
    const Path* const found = find_path(name);
    if (found == nullptr) fail(fmt::format("{} needs the path '{}'", function_, name));
    return *found;
}

std::size_t Call::count() const {
    const Value* const given = value("count");
    if (given == nullptr) return 1;
    const Value number = as_number(*given, state_.symbols());
    if (number.tag != Tag::Int || number.integer < 0)
        fail(fmt::format("{}: 'count' is a whole number from 0, not '{}'", function_,
                         runtime_.text(*given)));
    return static_cast<std::size_t>(number.integer);
}

// The node at the path, which is about to be changed, or a null node.
NodeRef Call::changeable(const Path& path) const {
    runtime_.guard(path, span_);
    return runtime_.find(path, span_);
}

// ---- functions -------------------------------------------------------------------------------

void Call::run() {
    if (function_ == "shuffle")
        shuffle();
    else if (function_ == "sort")
        sort();
    else if (function_ == "choose")
        choose();
    else if (function_ == "deal")
        deal();
    else
        host();
}

void Call::host() {
    const std::string name(function_);
    const HostFunction* const function =
        find_named(runtime_.catalogue().ruleset().functions, function_);
    if (function == nullptr || !function->body) fail("there is no function " + name);
    std::vector<Scalar> values;
    for (const std::string& parameter : function->parameters) {
        const Value* const given = value(parameter);
        values.push_back(given == nullptr ? Scalar() : to_scalar(*given, state_.symbols()));
    }
    HostResult result;
    try {
        result = function->body(values);
    } catch (const std::exception& error) {
        result.error = error.what();
        if (result.error.empty()) result.error = "an exception without a message";
    }
    if (!result.error.empty()) fail(name + ": " + valid_utf8(result.error, Runtime::kLongestText));
    const Path* const into = find_path("into");
    if (into == nullptr) return;
    if (const char* wrong = why_unfit(result.value)) fail(name + ": " + wrong);
    runtime_.set(*into, to_value(*result.value, state_.symbols()), span_);
}

// The same if all children are leaves of one column of codes; false if they are not.
bool Call::permute_codes(const std::vector<NodeRef>& children,
                         const std::vector<std::size_t>& order) {
    const bool alike = std::all_of(children.begin(), children.end(), [&](NodeRef child) {
        return child.schema == children[0].schema && state_.holds_code(child);
    });
    if (!alike) return false;
    std::vector<std::uint32_t> codes;
    codes.reserve(children.size());
    for (const NodeRef child : children)
        codes.push_back(state_.leaf_code(child));
    for (std::size_t i = 0; i < children.size(); ++i)
        state_.set_leaf_code(children[i], codes[order[i]]);
    return true;
}

// Permutes the contents of the children: child i gets that of child order[i]. All or nothing.
void Call::permute(const std::vector<NodeRef>& children, const std::vector<std::size_t>& order) {
    if (permute_codes(children, order)) return;
    std::vector<Document> held;
    held.reserve(children.size());
    for (const NodeRef child : children)
        held.push_back(state_.export_document(child));
    for (std::size_t i = 0; i < children.size(); ++i)
        state_.check(state_.schema_of(children[i]), held[order[i]]);
    for (std::size_t i = 0; i < children.size(); ++i)
        state_.replace(children[i], held[order[i]]);
}

void Call::shuffle() {
    const Path& of = path("of");
    const NodeRef node = changeable(of);
    if (holds_presence_only(of))
        fail("shuffle: its children hold nothing that could change places");
    const std::vector<NodeRef> children = all_children(state_, node);
    std::vector<std::size_t> order(children.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[runtime_.random().below(i)]);
    permute(children, order);
}

// Whether the path is declared to be a map whose children are only present or absent.
bool Call::holds_presence_only(const Path& path) const {
    const Layout& layout = *runtime_.catalogue().layout;
    const SchemaId schema = runtime_.allowed_at(path, span_).schema;
    return schema != kNoSchema && layout.node(schema).kind == ShapeKind::Map &&
           layout.node(layout.node(schema).element).kind == ShapeKind::Unit;
}

void Call::choose() {
    const NodeRef from = runtime_.find(path("from"), span_);
    const Path& into = path("into");
    runtime_.guard(into, span_);
    std::vector<NodeRef> candidates;
    for (NodeRef child = runtime_.first_child(from); child; child = runtime_.next_sibling(child))
        candidates.push_back(child);
    const std::size_t wanted = count();
    const std::size_t n = candidates.size();
    if (wanted > n) fail(fmt::format("choose: {} of {} children", wanted, n));
    std::vector<std::pair<Symbol, Document>> picked;
    for (std::size_t k = 0; k < wanted; ++k) {
        std::swap(candidates[k], candidates[k + runtime_.random().below(n - k)]);
        picked.emplace_back(runtime_.key(candidates[k]).symbol(),
                            runtime_.export_document(candidates[k]));
    }
    for (const auto& [name, document] : picked) {
        state_.check(state_.schema_below(runtime_.schema_at(into, span_), name), document);
        const NodeRef above = runtime_.make_all(into, span_);
        state_.make_inner(above);
        runtime_.put_child(above, name, document, span_);
    }
}

void Call::sort() {
    const NodeRef node = changeable(path("of"));
    const Value* const by = value("by");
    const Value* const descending = value("descending");
    if (descending != nullptr && descending->tag != Tag::Bool)
        fail("sort: 'descending' is true or false");
    const bool down = descending != nullptr && descending->truth();
    const std::vector<NodeRef> children = all_children(state_, node);
    std::vector<Value> values;
    for (const NodeRef child : children) {
        const NodeRef field =
            by == nullptr ? child : runtime_.child(child, runtime_.key_of({by, 1}, false));
        values.push_back(runtime_.value(field));
        if (!compare(values.back(), values[0], state_.symbols()))
            fail(fmt::format("sort: child '{}' cannot be compared with the others",
                             runtime_.text(runtime_.key(child))));
    }
    std::vector<std::size_t> order(children.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto comparison = compare(values[a], values[b], state_.symbols());
        return down ? *comparison > 0 : *comparison < 0;
    });
    permute(children, order);
}

// Moves children of one node to the children of another, in turn.
void Call::deal() {
    const Path& from = path("from");
    const Path& to = path("to");
    const NodeRef pack = changeable(from);
    const NodeRef hands = changeable(to);
    const std::size_t each = count();
    const Value* const start = value("start");
    const std::size_t stock = runtime_.child_count(pack);
    std::vector<Symbol> receivers;
    receivers.reserve(runtime_.child_count(hands));
    for (NodeRef hand = runtime_.first_child(hands); hand; hand = runtime_.next_sibling(hand))
        receivers.push_back(runtime_.key(hand).symbol());
    if (start != nullptr) {
        const auto place =
            std::find(receivers.begin(), receivers.end(), runtime_.key_of({start, 1}, true));
        if (place == receivers.end())
            fail(fmt::format("deal: '{}' is not among the receivers", runtime_.text(*start)));
        std::rotate(receivers.begin(), place, receivers.end());
    }
    if (!receivers.empty() && each > stock / receivers.size())
        fail(fmt::format("deal: {} each for {}, {} left", each, receivers.size(), stock));
    for (const Symbol receiver : receivers)
        for (std::size_t i = 0; i < each; ++i)
            give(from, to, receiver);
}

// Moves the first child of `from` to a receiver. Looks up both again: one may be inside the other.
void Call::give(const Path& from, const Path& to, Symbol receiver) {
    const NodeRef card = runtime_.first_child(runtime_.find(from, span_));
    if (!card) fail("deal: nothing is left");
    const Value held = runtime_.value(card);
    const bool named = held.tag == Tag::String || held.tag == Tag::Int || held.tag == Tag::Double;
    const Symbol name = named ? runtime_.key_of({&held, 1}, true) : runtime_.key(card).symbol();
    Document document;
    if (named)
        document.scalar = true;
    else
        document = state_.export_document(card);
    state_.remove(card);
    const SchemaId hand_schema = state_.schema_below(runtime_.schema_at(to, span_), receiver);
    state_.check(state_.schema_below(hand_schema, name), document);
    const NodeRef hands = runtime_.make_all(to, span_);
    state_.make_inner(hands);
    const NodeRef hand = runtime_.make_child(hands, receiver, span_);
    state_.make_inner(hand);
    runtime_.put_child(hand, name, document, span_);
}

// ---- calls on declared maps of bytes, such as a pack of cards --------------------------------

PreparedCall::PreparedCall(const form::Module& module, const form::Function& function,
                           const form::Node& call)
    : module_(&module), function_at_(&function), node_(&call) {
    const std::string_view name = module.calls[call.function()].function;
    const Layout& layout = *module.catalogue->layout;
    if (name == "shuffle" && find("of", from_) && holds_bytes(from_)) {
        function_ = Function::Shuffle;
        shuffled_ = layout.node(from_.map).element;
    } else if (name == "deal" && find("from", from_) && holds_bytes(from_) && find("to", to_) &&
               holds_sets_of_cards()) {
        function_ = Function::Deal;
        count_ = argument("count", Kind::ArgumentValue);
        start_ = argument("start", Kind::ArgumentValue);
    }
    if (is_known()) {
        size_ = layout.node(layout.node(from_.map).element).group;
        places_.resize(size_);
    }
}

// ---- what is known in advance ----------------------------------------------------------------

// The index of the first argument of that name and kind, or kNoArgument.
std::size_t PreparedCall::argument(std::string_view name, Kind kind) const {
    const std::vector<std::string>& names = module_->calls[node_->function()].arguments;
    for (std::size_t place = 0; place < node_->operands.size(); ++place) {
        const form::Node& each = function_at_->at(node_->operands[place]);
        if (each.kind == kind && names[each.argument()] == name) return place;
    }
    return kNoArgument;
}

// False if the path must be computed or does not lead to a declared map outside all maps.
bool PreparedCall::find(std::string_view name, MapArgument& found) const {
    const std::size_t place = argument(name, Kind::ArgumentPath);
    if (place == kNoArgument) return false;
    const form::Node& path = function_at_->at(node_->operands[place]);
    const Layout& layout = *module_->catalogue->layout;
    SchemaId schema = 0;
    if (path.up() != 0 || path.operands.empty()) return false;
    for (const form::Id id : path.operands) {
        const form::Node& key = function_at_->at(id);
        if (key.kind != Kind::Name || layout.node(schema).kind != ShapeKind::Record) return false;
        schema = layout.node(schema).field(key.symbol());
        if (schema == kNoSchema) return false;
    }
    found.map = schema;
    found.from_state = path.from_state();
    const SchemaNode& map = layout.node(schema);
    return map.kind == ShapeKind::Map && map.column != Column::Arena && map.domain != 0;
}

bool PreparedCall::holds_bytes(const MapArgument& place) const {
    const Layout& layout = *module_->catalogue->layout;
    return layout.node(layout.node(place.map).element).column == Column::Code8;
}

// Whether `to_` has, for each row of a small domain, a set of the cards that `from_` holds.
bool PreparedCall::holds_sets_of_cards() const {
    const Layout& layout = *module_->catalogue->layout;
    const SchemaNode& card = layout.node(layout.node(from_.map).element);
    const SchemaNode& hand = layout.node(layout.node(to_.map).element);
    if (card.kind != ShapeKind::Member || layout.domain(card.domain).numbered ||
        hand.kind != ShapeKind::Map || hand.domain != card.domain || hand.presence == kNoOffset ||
        hand.words != 1)
        return false;
    const SchemaNode& member = layout.node(hand.element);
    return member.kind == ShapeKind::Unit && member.presence != kNoOffset;
}

// ---- on the columns --------------------------------------------------------------------------

bool PreparedCall::is_there(const Runtime& runtime, const MapArgument& place) const {
    return (place.from_state || runtime.is_at_root()) && runtime.is_present({place.map, 0});
}

bool PreparedCall::run(Runtime& runtime, std::span<const Value> values) {
    if (runtime.state().has_journal()) return false; // changes here bypass the journal
    return function_ == Function::Shuffle ? shuffle(runtime) : deal(runtime, values);
}

// Finds the first bytes that are not 0, at most `most`, and returns their number.
std::size_t PreparedCall::take(const std::byte* held, std::size_t most) {
    std::size_t count = 0;
    std::uint32_t at = 0;
    while (at < size_ && count < most) {
        if (at + 8 <= size_ && load_word(held + at) == 0) {
            at += 8;
            continue;
        }
        places_[count] = at;
        count += held[at] != std::byte{0} ? 1 : 0;
        ++at;
    }
    return count;
}

// Swaps bytes in the same order as the general code, so the result and the draws are the same.
bool PreparedCall::shuffle(Runtime& runtime) {
    if (!is_there(runtime, from_)) return false;
    const Layout& layout = *module_->catalogue->layout;
    std::byte* const held = runtime.state().data() + layout.node(shuffled_).values;
    Random random = runtime.random();
    std::size_t count = 0;
    if (is_filled_from_first(held, size_, count)) {
        for (std::size_t i = count; i > 1; --i)
            std::swap(held[i - 1], held[random.below(i)]);
    } else {
        const std::uint32_t* const places = places_.data();
        count = take(held, size_);
        for (std::size_t i = count; i > 1; --i)
            std::swap(held[places[i - 1]], held[places[random.below(i)]]);
    }
    runtime.random() = random;
    return true;
}

bool PreparedCall::deal(Runtime& runtime, std::span<const Value> values) {
    if (!is_there(runtime, from_) || !is_there(runtime, to_)) return false;
    const Layout& layout = *module_->catalogue->layout;
    const SchemaNode& card = layout.node(layout.node(from_.map).element);
    const SchemaNode& hand = layout.node(layout.node(to_.map).element);
    const SchemaNode& member = layout.node(hand.element);
    std::byte* const data = runtime.state().data();
    const Value one = Value::number(std::int64_t{1});
    const Value& given = count_ == kNoArgument ? one : values[count_];
    if (given.tag != Tag::Int || given.integer < 1 || given.integer > size_) return false;
    const auto each = static_cast<std::size_t>(given.integer);
    const std::uint64_t receivers = load_word(data + hand.presence);
    std::uint32_t first = 0;
    if (start_ != kNoArgument) {
        const Value& start = values[start_];
        const DomainTable& names = layout.domain(layout.node(to_.map).domain);
        first = start.is_text() ? names.row_of(start.symbol()) : kNoRow;
        if (first == kNoRow || (receivers >> first & 1) == 0) return false;
    }
    std::byte* const stock = data + card.values;
    const std::size_t wanted = each * static_cast<std::size_t>(std::popcount(receivers));
    if (receivers == 0 || take(stock, wanted) < wanted) return false;
    const std::uint32_t* next = places_.data();
    // The receivers from the first on, then those before it.
    const std::uint64_t before = (std::uint64_t{1} << first) - 1;
    for (std::uint64_t turn : {receivers & ~before, receivers & before}) {
        for (; turn != 0; turn &= turn - 1) {
            const auto place = static_cast<std::size_t>(std::countr_zero(turn));
            std::byte* const words = data + member.presence + place * member.words * 8;
            for (std::size_t i = 0; i < each; ++i, ++next) {
                const std::size_t row = std::to_integer<std::size_t>(stock[*next]) - 1;
                merge_rows(words + row / 64 * 8, std::uint64_t{1} << row % 64);
                stock[*next] = std::byte{0};
            }
        }
    }
    return true;
}

} // namespace croupier::engine
