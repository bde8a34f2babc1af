// A run's surroundings: the rule at hand, budgets, nodes of the state and of the constants, paths.
#include "engine/run/runtime.h"

#include "engine/ir/probe.h"

#include <algorithm>

namespace croupier::engine {

namespace {

constexpr SchemaId kOfConstants = 0xfffffffd;

// A node of the constants as seen from the state, and back.
NodeRef seen(NodeRef node) {
    return node ? NodeRef{kOfConstants, node.index} : node;
}

NodeRef unseen(NodeRef node) {
    return {kArena, node.index};
}

} // namespace

Runtime::Runtime(const Catalogue& catalogue, const Budgets& budgets)
    : catalogue_(catalogue), budgets_(budgets) {
    frame_.counters.most_steps = budgets.steps;
    frame_.counters.most_matches = budgets.matches_per_rule;
    frame_.counters.most_firings = budgets.firings;
    is_undeclared_ = catalogue.layout->node(0).column == Column::Arena;
}

// ---- errors and budgets ----------------------------------------------------------------------

Span Runtime::span_of_rule() const {
    return rule() == kNone ? Span{} : catalogue_.rules[rule()].span;
}

void Runtime::fail(RunErrorKind kind, Span span, std::string detail) const {
    RunError error;
    error.kind = kind;
    error.rule = rule() == kNone ? std::string() : catalogue_.rules[rule()].name;
    error.span = span;
    error.detail = std::move(detail);
    throw RunFailure(std::move(error));
}

void Runtime::count_match(std::uint64_t found) {
    if (found > frame_.counters.most_matches) {
        too_many_matches();
    }
    ++frame_.counters.matches;
    count_step();
}

void Runtime::count_firing() {
    if (++frame_.counters.firings + (CROUPIER_MISTAKE(LastFiringRefused) ? 1 : 0) >
        frame_.counters.most_firings) {
        too_many_firings();
    }
}

void Runtime::too_many_matches() const {
    fail(RunErrorKind::BudgetMatches, span_of_rule(),
         "more than " + std::to_string(budgets_.matches_per_rule) + " matches");
}

void Runtime::too_many_firings() const {
    fail(RunErrorKind::BudgetFirings, span_of_rule(), "more firings than the budget allows");
}

void Runtime::too_many_steps() const {
    fail(RunErrorKind::BudgetSteps, span_of_rule(), "more things tried than the budget allows");
}

// ---- nodes -----------------------------------------------------------------------------------

NodeRef Runtime::child(NodeRef node, Symbol key) const {
    if (!node || key == kNoSymbol) {
        return {};
    }
    if (node.schema == kOfConstants) {
        return seen(catalogue_.constants->child(unseen(node), key));
    }
    const NodeRef found = state_->child(node, key);
    if (!found && catalogue_.constants != nullptr && node == root_) {
        return seen(catalogue_.constants->child(catalogue_.constants->root(), key));
    }
    return found;
}

NodeRef Runtime::parent(NodeRef node) const {
    if (!node) {
        return {};
    }
    if (node.schema != kOfConstants) {
        return state_->parent(node);
    }
    const NodeRef above = catalogue_.constants->parent(unseen(node));
    return above == catalogue_.constants->root() ? root_ : seen(above);
}

NodeRef Runtime::first_child(NodeRef node) const {
    if (!node) {
        return {};
    }
    return node.schema == kOfConstants ? seen(catalogue_.constants->first_child(unseen(node)))
                                       : state_->first_child(node);
}

NodeRef Runtime::next_sibling(NodeRef node) const {
    return node.schema == kOfConstants ? seen(catalogue_.constants->next_sibling(unseen(node)))
                                       : state_->next_sibling(node);
}

Value Runtime::value(NodeRef node) const {
    if (!node) {
        return {};
    }
    return node.schema == kOfConstants ? catalogue_.constants->value(unseen(node))
                                       : state_->value(node);
}

Value Runtime::key(NodeRef node) const {
    return node.schema == kOfConstants ? catalogue_.constants->key(unseen(node))
                                       : state_->key(node);
}

std::uint32_t Runtime::child_count(NodeRef node) const {
    if (!node) {
        return 0;
    }
    return node.schema == kOfConstants ? catalogue_.constants->child_count(unseen(node))
                                       : state_->child_count(node);
}

Document Runtime::export_document(NodeRef node) const {
    return node.schema == kOfConstants ? catalogue_.constants->export_document(unseen(node))
                                       : state_->export_document(node);
}

// ---- roots of groups, and paths --------------------------------------------------------------

std::size_t Runtime::enter(NodeRef node) {
    const std::size_t outer = root_begin_;
    const std::size_t begin = roots_.size();
    for (NodeRef each = node; each && each != root_; each = parent(each)) {
        roots_.push_back(key(each).symbol());
    }
    std::reverse(roots_.begin() + static_cast<std::ptrdiff_t>(begin), roots_.end());
    root_begin_ = begin;
    return outer;
}

void Runtime::leave(std::size_t outer) {
    roots_.resize(root_begin_);
    root_begin_ = outer;
}

// The node of the state to which the keys lead, if there is one.
NodeRef Runtime::node_at(std::span<const Symbol> keys) const {
    NodeRef node = root_;
    for (std::size_t i = 0; i < keys.size() && node; ++i) {
        node = state_->child(node, keys[i]);
    }
    return node;
}

// The keys from the state's root to where the path begins.
std::span<const Symbol> Runtime::base_of(const Path& path, Span span) const {
    const auto keys = path.from_state ? std::span<const Symbol>() : keys_of_root();
    if (path.up > keys.size()) {
        fail(RunErrorKind::NoParent, span, "the root of the state has no parent");
    }
    return keys.first(keys.size() - path.up);
}

NodeRef Runtime::find(const Path& path, Span span) const {
    NodeRef node = node_at(base_of(path, span));
    for (std::size_t i = 0; i < path.keys.size() && node; ++i) {
        node = child(node, path.keys[i]);
    }
    return node;
}

SchemaId Runtime::schema_at(const Path& path, Span span) const {
    SchemaId schema = state_->schema_of(root_);
    for (const Symbol key : base_of(path, span)) {
        schema = state_->schema_below(schema, key);
    }
    for (const Symbol key : path.keys) {
        schema = state_->schema_below(schema, key);
    }
    return schema;
}

} // namespace croupier::engine
