// What rules need of a state while they run, beside its block: nodes by keys and paths, changes,
// arithmetic, chance, budgets, errors. It knows nothing of how rules are told what to do.
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

// A path from the root of the current group, or the state's, or so many levels above it. Its keys
// are symbols; kNoSymbol is a key that no node has.
struct Path {
    bool from_state = false;
    std::uint32_t up = 0;
    std::vector<Symbol> keys;
};

// One per thread; begin() before anything else. A `span` is where an error is said to be. What the
// shape forbids is thrown as ShapeFault, as a state does, all else that goes wrong as RunFailure.
class Runtime {
  public:
    // Joined texts longer than this pass the size budget.
    static constexpr std::size_t kLongestText = std::size_t{1} << 20;

    Runtime(const Catalogue& catalogue, const Budgets& budgets);
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    // A run begins on that state: nothing is counted, no rule is current, the root is the state's.
    void begin(State& state, Random& random) {
        state_ = &state;
        random_ = &random;
        if (is_undeclared_) root_ = state.root();
        frame_.counters.steps = 0;
        frame_.counters.matches = 0;
        frame_.counters.firings = 0;
        frame_.counters.rule = kNone;
    }
    // Before that, if the run before has ended in an error.
    void tidy() {
        roots_.clear();
        root_begin_ = 0;
    }

    [[nodiscard]] const Catalogue& catalogue() const { return catalogue_; }
    [[nodiscard]] const Budgets& budgets() const { return budgets_; }
    [[nodiscard]] State& state() const { return *state_; }
    [[nodiscard]] Random& random() const { return *random_; }
    [[nodiscard]] Symbols& symbols() const { return state_->symbols(); }

    // ---- the current rule, errors, budgets ----
    [[nodiscard]] RuleId rule() const { return frame_.counters.rule; }
    void set_rule(RuleId rule) { frame_.counters.rule = rule; }
    [[nodiscard]] Span span_of_rule() const;
    [[noreturn]] void fail(RunErrorKind kind, Span span, std::string detail) const;
    // The next step, match or firing. `found`: the rule's matches in this search with this one.
    void count_step() {
        if (++frame_.counters.steps > frame_.counters.most_steps)
            over_budget(RunErrorKind::BudgetSteps);
    }
    void count_match(std::uint64_t found);
    void count_firing();
    [[noreturn]] void over_budget(RunErrorKind kind) const;
    // For machine code, which counts by itself.
    [[nodiscard]] x86::Frame& frame() { return frame_; }
    [[nodiscard]] std::uint64_t matches() const { return frame_.counters.matches; }
    [[nodiscard]] std::uint64_t firings() const { return frame_.counters.firings; }

    // ---- nodes of the state, and of the constants, which hang below its root ----
    // Where a node is none, so is what is asked of it.
    [[nodiscard]] NodeRef root() const { return root_; }
    [[nodiscard]] NodeRef child(NodeRef node, Symbol key) const;
    [[nodiscard]] NodeRef parent(NodeRef node) const;
    [[nodiscard]] NodeRef first_child(NodeRef node) const;
    [[nodiscard]] NodeRef next_sibling(NodeRef node) const; // of a node
    [[nodiscard]] Value value(NodeRef node) const {
        return node ? tree_of(node).value(own(node)) : Value{};
    }
    [[nodiscard]] Value key(NodeRef node) const {
        return tree_of(node).key(own(node));
    } // of a node
    [[nodiscard]] std::uint32_t child_count(NodeRef node) const {
        return node ? tree_of(node).child_count(own(node)) : 0;
    }
    [[nodiscard]] Document export_document(NodeRef node) const { // of a node
        return tree_of(node).export_document(own(node));
    }

    // ---- the group's root ----
    // It is found anew by its keys: a rule may remove it, and another may make it again.
    [[nodiscard]] NodeRef here() const { return node_at(keys_of_root()); }
    // It is the state's.
    [[nodiscard]] bool is_at_root() const { return roots_.size() == root_begin_; }
    // The node is the root until `leave` is called with what this gives.
    std::size_t enter(NodeRef node);
    void leave(std::size_t outer);

    // ---- paths; of the state's root there is nothing above ----
    void check_base(const Path& path, Span span) const { (void)base_of(path, span); }
    [[nodiscard]] NodeRef find(const Path& path, Span span) const;
    // What the shape says of the place, whether something is there or not.
    [[nodiscard]] SchemaId schema_at(const Path& path, Span span) const;

    // ---- declared nodes: an instance need not be there ----
    [[nodiscard]] NodeRef node_at(NodeRef instance) const; // none if it is not there
    [[nodiscard]] Value value_at(NodeRef instance) const;
    [[nodiscard]] bool is_present(NodeRef instance) const {
        return instance && state_->is_present(instance);
    }
    void ensure(NodeRef instance, Span span);
    void store(NodeRef leaf, const Value& value);
    void erase(NodeRef instance);

    // ---- changes by node and key; constants are not changed, and the size is checked ----
    NodeRef make_child(NodeRef node, Symbol key, Span span);
    void set_child(NodeRef node, Symbol key, const Value& value, Span span);
    void put_child(NodeRef node, Symbol key, const Document& document, Span span);
    void remove_child(NodeRef node, Symbol key, Span span);

    // ---- changes by path; what is missing on the way is made, if nothing forbids the change ----
    NodeRef make(const Path& path, Span span);
    void set(const Path& path, const Value& value, Span span);
    void put(const Path& path, const Document& document, Span span);
    void remove(const Path& path, Span span);
    // The path's first key is no constant: what is there may be changed.
    void guard(const Path& path, Span span) const;
    // As `make`, when nothing forbids it for sure.
    NodeRef make_all(const Path& path, Span span);

    // What the shape says of a place, or why it forbids it: data is computed before that counts.
    struct Allowed {
        SchemaId schema = kNoSchema;
        std::string fault;
    };
    [[nodiscard]] Allowed allowed_below(const Allowed& above, Symbol key) const;
    [[nodiscard]] Allowed allowed_below(NodeRef above, Symbol key) const {
        return allowed_below(Allowed{state_->schema_of(above), {}}, key);
    }
    [[nodiscard]] Allowed allowed_at(const Path& path, Span span) const;
    // The value as data for that place.
    [[nodiscard]] Document leaf(const Value& value, const Allowed& place) const;

    // ---- values ----
    [[nodiscard]] bool has_type(const Value& value, const TypePlan& type) const;
    // None equals nothing, and is ordered with nothing.
    [[nodiscard]] bool compares(ExprOp op, const Value& a, const Value& b) const;
    [[nodiscard]] bool truth(const Value& value, Span span) const;
    // The number that it is, or that a key spells.
    [[nodiscard]] Value number(const Value& value, Span span) const;
    // + - * / %; negation: of the second, the first being 0.
    [[nodiscard]] Value arithmetic(ExprOp op, const Value& a, const Value& b, Span span) const;
    // The functions of numbers: min, max, abs, floor, round.
    [[nodiscard]] Value function(ExprOp op, std::span<const Value> arguments, Span span) const;
    [[nodiscard]] Value draw(const Value& below, Span span) const;
    // A text as a value, or what becomes text of another, joined to be a key's. Unless it is to be
    // made, the key that nothing has had is kNoSymbol.
    [[nodiscard]] Symbol key_of(std::span<const Value> parts, bool make) const;
    [[nodiscard]] std::string text(const Value& value) const { return to_text(value, symbols()); }

  private:
    static constexpr SchemaId kOfConstants = 0xfffffffd;

    // A node of the constants as seen from the state; the tree of a node so seen, and the node
    // there.
    [[nodiscard]] static NodeRef seen(NodeRef node) {
        return node ? NodeRef{kOfConstants, node.index} : node;
    }
    [[nodiscard]] const State& tree_of(NodeRef node) const {
        return node.schema == kOfConstants ? *catalogue_.constants : *state_;
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
    State* state_ = nullptr;
    Random* random_ = nullptr;
    bool is_undeclared_ = false; // the root of states, so that each may have another
    NodeRef root_{0, 0};
    x86::Frame frame_;
    std::vector<Symbol> roots_;  // keys from the state's root to the roots of nested groups
    std::size_t root_begin_ = 0; // of the current group
};

} // namespace croupier::engine
