// The functions that rules may call, but for dealing.
#include "engine/run/call.h"

#include "engine/text/utf8.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace croupier::engine {

namespace {

std::vector<NodeRef> all_children(const State& state, NodeRef node) {
    std::vector<NodeRef> children;
    for (NodeRef child = node ? state.first_child(node) : node; child;
         child = state.next_sibling(child)) {
        children.push_back(child);
    }
    return children;
}

// What a leaf cannot hold, in the words of an error; null if it can.
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

} // namespace

// ---- arguments -------------------------------------------------------------------------------

const Value* Call::value(std::string_view name) const {
    for (const Argument& argument : arguments_) {
        if (argument.name == name && !argument.is_path) {
            return &argument.value;
        }
    }
    return nullptr;
}

const Path* Call::find_path(std::string_view name) const {
    for (const Argument& argument : arguments_) {
        if (argument.name == name && argument.is_path) {
            return &argument.path;
        }
    }
    return nullptr;
}

const Path& Call::path(std::string_view name) const {
    const Path* const found = find_path(name);
    if (found == nullptr) {
        fail(std::string(function_) + " needs the path '" + std::string(name) + "'");
    }
    return *found;
}

std::size_t Call::count() const {
    const Value* const given = value("count");
    if (given == nullptr) {
        return 1;
    }
    const Value number = as_number(*given, state_.symbols());
    if (number.tag != Tag::Int || number.integer < 0) {
        fail(std::string(function_) + ": 'count' is a whole number from 0, not '" +
             runtime_.text(*given) + "'");
    }
    return static_cast<std::size_t>(number.integer);
}

// The node at the path, which is about to be changed; none if there is none.
NodeRef Call::changeable(const Path& path) const {
    runtime_.guard(path, span_);
    return runtime_.find(path, span_);
}

// ---- functions -------------------------------------------------------------------------------

void Call::run() {
    if (function_ == "shuffle") {
        shuffle();
    } else if (function_ == "sort") {
        sort();
    } else if (function_ == "choose") {
        choose();
    } else if (function_ == "deal") {
        deal();
    } else {
        host();
    }
}

void Call::host() {
    const std::string name(function_);
    const HostFunction* const function =
        find_function(runtime_.catalogue().ruleset().functions, function_);
    if (function == nullptr || !function->body) {
        fail("there is no function " + name);
    }
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
    if (!result.error.empty()) {
        fail(name + ": " + valid_utf8(result.error, Runtime::kLongestText));
    }
    const Path* const into = find_path("into");
    if (into == nullptr) {
        return;
    }
    if (const char* wrong = why_unfit(result.value)) {
        fail(name + ": " + wrong);
    }
    runtime_.set(*into, to_value(*result.value, state_.symbols()), span_);
}

// The same where all children are leaves of one column that holds codes.
bool Call::permute_codes(const std::vector<NodeRef>& children,
                         const std::vector<std::size_t>& order) {
    const bool alike = std::all_of(children.begin(), children.end(), [&](NodeRef child) {
        return child.schema == children[0].schema && state_.holds_code(child);
    });
    if (!alike) {
        return false;
    }
    std::vector<std::uint32_t> codes;
    codes.reserve(children.size());
    for (const NodeRef child : children) {
        codes.push_back(state_.leaf_code(child));
    }
    for (std::size_t i = 0; i < children.size(); ++i) {
        state_.set_leaf_code(children[i], codes[order[i]]);
    }
    return true;
}

// What the children hold, permuted: child i gets what child order[i] held. All or nothing.
void Call::permute(const std::vector<NodeRef>& children, const std::vector<std::size_t>& order) {
    if (permute_codes(children, order)) {
        return;
    }
    std::vector<Document> held;
    held.reserve(children.size());
    for (const NodeRef child : children) {
        held.push_back(state_.export_document(child));
    }
    for (std::size_t i = 0; i < children.size(); ++i) {
        state_.check(state_.schema_of(children[i]), held[order[i]]);
    }
    for (std::size_t i = 0; i < children.size(); ++i) {
        state_.replace(children[i], held[order[i]]);
    }
}

void Call::shuffle() {
    const Path& of = path("of");
    const NodeRef node = changeable(of);
    if (const std::span<std::byte> held = state_.leaf_bytes(node); !held.empty()) {
        shuffle_bytes(held);
        return;
    }
    if (holds_presence_only(of)) {
        fail("shuffle: its children hold nothing that could change places");
    }
    const std::vector<NodeRef> children = all_children(state_, node);
    std::vector<std::size_t> order(children.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[runtime_.random().below(i)]);
    }
    permute(children, order);
}

// The same of the bytes that are values, as of a pack of cards: child i gets what child order[i]
// held, which is what changing places in turn comes to.
void Call::shuffle_bytes(std::span<std::byte> held) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (held[i] != std::byte{0}) {
            places.push_back(i);
        }
    }
    for (std::size_t i = places.size(); i > 1; --i) {
        std::swap(held[places[i - 1]], held[places[runtime_.random().below(i)]]);
    }
}

// The path is declared to be a map whose children are only there or not.
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
    for (NodeRef child = runtime_.first_child(from); child; child = runtime_.next_sibling(child)) {
        candidates.push_back(child);
    }
    const std::size_t wanted = count();
    const std::size_t n = candidates.size();
    if (wanted > n) {
        fail("choose: " + std::to_string(wanted) + " of " + std::to_string(n) + " children");
    }
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
    if (descending != nullptr && descending->tag != Tag::Bool) {
        fail("sort: 'descending' is true or false");
    }
    const bool down = descending != nullptr && descending->truth();
    const std::vector<NodeRef> children = all_children(state_, node);
    std::vector<Value> values;
    for (const NodeRef child : children) {
        const NodeRef field =
            by == nullptr ? child : runtime_.child(child, runtime_.key_of({by, 1}, false));
        values.push_back(runtime_.value(field));
        if (!compare(values.back(), values[0], state_.symbols())) {
            fail("sort: child '" + runtime_.text(runtime_.key(child)) +
                 "' cannot be compared with the others");
        }
    }
    std::vector<std::size_t> order(children.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto comparison = compare(values[a], values[b], state_.symbols());
        return down ? *comparison > 0 : *comparison < 0;
    });
    permute(children, order);
}

} // namespace croupier::engine
