// Operations of rules on a state beyond its block: nodes by keys and paths, changes, arithmetic,
// chance, budgets, errors. Independent of the form in which rules are run.
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/run/error.h"
#include "engine/run/random.h"
#include "engine/state/state.h"
#include "engine/x86/frame.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace croupier::engine {

// A path from the root of the current group, from the state's root, or from `up` levels above it.
// Its keys are symbols; kNoSymbol is a key that no node has.
struct Path {
    bool from_state = false;
    std::uint32_t up = 0;
    std::vector<Symbol> keys;
};

// One per thread; x86::begin() of its frame comes first. `span` is the place reported for errors. A
// violation of the shape throws ShapeFault, as State does; any other error throws RunFailure.
class Runtime {
  public:
    // Joined texts longer than this pass the size budget.
    static constexpr std::size_t kLongestText = std::size_t{1} << 20;

    Runtime(const Catalogue& catalogue, const Budgets& budgets);
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    // Call it before a run, unless the last one ended without an error.
    void tidy() {
        roots_.clear();
        root_begin_ = 0;
    }

    [[nodiscard]] const Catalogue& catalogue() const { return catalogue_; }
    [[nodiscard]] const Budgets& budgets() const { return budgets_; }
    [[nodiscard]] State& state() const { return *frame_.state; }
    [[nodiscard]] Random& random() const { return *frame_.random; }
    [[nodiscard]] Symbols& symbols() const { return state().symbols(); }

    // ---- the current rule, errors, budgets ----
    [[nodiscard]] RuleId rule() const { return frame_.counters.rule; }
    void set_rule(RuleId rule) { frame_.counters.rule = rule; }
    [[nodiscard]] Span span_of_rule() const;
    [[noreturn]] void fail(RunErrorKind kind, Span span, std::string detail) const;
    // Counts a step, match or firing. `found` is the number of matches of this search so far.
    void count_step() {
        if (++frame_.counters.steps > frame_.counters.most_steps)
            over_budget(RunErrorKind::BudgetSteps);
    }
    void count_match(std::uint64_t found);
    void count_firing();
    [[noreturn]] void over_budget(RunErrorKind kind) const;
    // For machine code, which does its own counting.
    [[nodiscard]] x86::Frame& frame() { return frame_; }
    [[nodiscard]] const x86::Frame& frame() const { return frame_; }
    [[nodiscard]] std::uint64_t matches() const { return frame_.counters.matches; }
    [[nodiscard]] std::uint64_t firings() const { return frame_.counters.firings; }

    // ---- nodes of the state, and of the constants, which are below its root ----
    // A null node gives a null result, except where it is marked "must not be null".
    [[nodiscard]] NodeRef root() const { return is_undeclared_ ? state().root() : NodeRef{0, 0}; }
    [[nodiscard]] NodeRef child(NodeRef node, Symbol key) const;
    [[nodiscard]] NodeRef parent(NodeRef node) const;
    [[nodiscard]] NodeRef first_child(NodeRef node) const;
    [[nodiscard]] NodeRef next_sibling(NodeRef node) const; // must not be null
    [[nodiscard]] Value value(NodeRef node) const {
        return node ? tree_of(node).value(own(node)) : Value{};
    }
    [[nodiscard]] Value key(NodeRef node) const {
        return tree_of(node).key(own(node));
    } // must not be null
    [[nodiscard]] std::uint32_t child_count(NodeRef node) const {
        return node ? tree_of(node).child_count(own(node)) : 0;
    }
    [[nodiscard]] Document export_document(NodeRef node) const { // must not be null
        return tree_of(node).export_document(own(node));
    }

    // ---- the group's root ----
    // Looked up by its keys each time: a rule may remove it, and another may make it again.
    [[nodiscard]] NodeRef here() const { return node_at(keys_of_root()); }
    // Whether it is the state's root.
    [[nodiscard]] bool is_at_root() const { return roots_.size() == root_begin_; }
    // Makes the node the root until `leave` is called with the returned value.
    std::size_t enter(NodeRef node);
    void leave(std::size_t outer);

    // ---- paths; the state's root has no parent ----
    void check_base(const Path& path, Span span) const { (void)base_of(path, span); }
    [[nodiscard]] NodeRef find(const Path& path, Span span) const;
    // The schema of the place, whether or not a node is there.
    [[nodiscard]] SchemaId schema_at(const Path& path, Span span) const;

    // ---- declared nodes; an instance need not be present ----
    [[nodiscard]] NodeRef node_at(NodeRef instance) const; // null if absent
    [[nodiscard]] Value value_at(NodeRef instance) const;
    [[nodiscard]] bool is_present(NodeRef instance) const {
        return instance && state().is_present(instance);
    }
    void ensure(NodeRef instance, Span span);
    void store(NodeRef leaf, const Value& value);
    void erase(NodeRef instance);

    // ---- changes by node and key; checks the size and refuses to change constants ----
    NodeRef make_child(NodeRef node, Symbol key, Span span);
    void set_child(NodeRef node, Symbol key, const Value& value, Span span);
    void put_child(NodeRef node, Symbol key, const Document& document, Span span);
    void remove_child(NodeRef node, Symbol key, Span span);

    // ---- changes by path; makes missing nodes on the way, unless the change is forbidden ----
    NodeRef make(const Path& path, Span span);
    void set(const Path& path, const Value& value, Span span);
    void put(const Path& path, const Document& document, Span span);
    void remove(const Path& path, Span span);
    // Fails if the path leads into the constants, which must not be changed.
    void guard(const Path& path, Span span) const;
    // As `make`, if the caller has checked that nothing forbids it.
    NodeRef make_all(const Path& path, Span span);

    // The schema of a place, or why the shape forbids it; checked only after the data is computed.
    struct Allowed {
        SchemaId schema = kNoSchema;
        std::string fault;
    };
    [[nodiscard]] Allowed allowed_below(const Allowed& above, Symbol key) const;
    [[nodiscard]] Allowed allowed_below(NodeRef above, Symbol key) const {
        return allowed_below(Allowed{state().schema_of(above), {}}, key);
    }
    [[nodiscard]] Allowed allowed_at(const Path& path, Span span) const;
    // The value as data for that place.
    [[nodiscard]] Document leaf(const Value& value, const Allowed& place) const;

    // ---- values ----
    [[nodiscard]] bool has_type(const Value& value, const TypePlan& type) const;
    // None equals nothing and is not ordered with any value.
    [[nodiscard]] bool compares(ExprOp op, const Value& a, const Value& b) const;
    [[nodiscard]] bool truth(const Value& value, Span span) const;
    // The number itself, or the one that a key spells.
    [[nodiscard]] Value number(const Value& value, Span span) const;
    // + - * / %; a negation passes 0 as `a`.
    [[nodiscard]] Value arithmetic(ExprOp op, const Value& a, const Value& b, Span span) const;
    // Functions of numbers: min, max, abs, floor, round.
    [[nodiscard]] Value function(ExprOp op, std::span<const Value> arguments, Span span) const;
    [[nodiscard]] Value draw(const Value& below, Span span) const;
    // The key that the parts give as joined texts. If `make` is false and no such symbol exists,
    // returns kNoSymbol.
    [[nodiscard]] Symbol key_of(std::span<const Value> parts, bool make) const;
    [[nodiscard]] std::string text(const Value& value) const { return to_text(value, symbols()); }

  private:
    static constexpr SchemaId kOfConstants = 0xfffffffd;

    // Marks a node of the constants as seen from the state. tree_of() and own() give the tree and
    // the node there.
    [[nodiscard]] static NodeRef seen(NodeRef node) {
        return node ? NodeRef{kOfConstants, node.index} : node;
    }
    [[nodiscard]] const State& tree_of(NodeRef node) const {
        return node.schema == kOfConstants ? *catalogue_.constants : *frame_.state;
    }
    [[nodiscard]] static NodeRef own(NodeRef node) {
        return node.schema == kOfConstants ? NodeRef{kArena, node.index} : node;
    }

    [[nodiscard]] std::span<const Symbol> keys_of_root() const {
        return std::span(roots_).subspan(root_begin_);
    }
    [[nodiscard]] NodeRef node_at(std::span<const Symbol> keys) const;
    [[nodiscard]] std::span<const Symbol> base_of(const Path& path, Span span) const;
    void guard(NodeRef node, Symbol key, Span span) const;
    void check_size(Span span) const;
    NodeRef make_above(const Path& path, std::size_t keys, Span span);
    [[nodiscard]] Value sum(const Value& a, const Value& b, Span span) const;
    [[nodiscard]] Value computed(ExprOp op, const Value& a, const Value& b, Span span) const;

    const Catalogue& catalogue_;
    Budgets budgets_;
    bool is_undeclared_ = false; // the root, so each state may have another one
    x86::Frame frame_;
    std::vector<Symbol> roots_;  // keys from the state's root to the roots of nested groups
    std::size_t root_begin_ = 0; // of the current group
};

} // namespace croupier::engine
