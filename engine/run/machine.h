// Runs plans: finds the matches of a rule, acts on them, rule after rule.
#pragma once

#include "engine/native/code.h"
#include "engine/plan/program.h"
#include "engine/run/error.h"
#include "engine/run/observer.h"
#include "engine/run/random.h"
#include "engine/run/recognize.h"
#include "engine/tree/state.h"

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Functions that must not be taken into the matching loop: their registers are not its own.
#if defined(__GNUC__)
#define CROUPIER_APART [[gnu::noinline]]
#define CROUPIER_COLD [[gnu::noinline, gnu::cold]]
#else
#define CROUPIER_APART
#define CROUPIER_COLD
#endif

namespace croupier::engine {

class Interpreter;

// Owns the registers and buffers that runs need, so that a run after the first few allocates
// nothing. One per thread; the program is shared. Not a function of anything but program, state and
// random.
class Machine {
  public:
    // Joined texts longer than this pass the size budget.
    static constexpr std::size_t kLongestText = std::size_t{1} << 20;

    explicit Machine(const Program& program, const Budgets& budgets = {});
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    // Runs a group on the state with the state's root as its root.
    RunResult run(GroupId group, State& state, Random& random);
    // Finds the matches of a rule's condition, in order. Nothing is changed.
    RunResult match(RuleId rule, State& state, Random& random);
    // After `match`: the values of match i in the order of the rule's variables.
    [[nodiscard]] std::span<const Value> matched(std::uint64_t i) const;

    // Told of everything that happens while it is set (see observer.h); not owned. Trace events
    // come only from a program compiled with `observed`.
    void set_observer(Observer* observer) { observer_ = observer; }
    // Plans run as machine code where there is some, unless that is switched off: to test that it
    // changes nothing, and to measure what it gives.
    void use_native(bool on) { native_ = on ? program_.native.get() : nullptr; }
    // Receives the lines of @print; not owned; null: they are dropped.
    void set_log(Log* log) { log_ = log; }

  private:
    // A node of the state or of the constants, which hang below the state's root.
    [[nodiscard]] NodeRef child(NodeRef node, Symbol key) const;
    [[nodiscard]] NodeRef child_by_key(NodeRef node, std::uint32_t key);
    [[nodiscard]] NodeRef first_child(NodeRef node) const;
    [[nodiscard]] NodeRef next_sibling(NodeRef node) const;
    [[nodiscard]] NodeRef parent(NodeRef node) const;
    [[nodiscard]] Value value(NodeRef node) const;
    [[nodiscard]] Value key(NodeRef node) const;
    [[nodiscard]] std::uint32_t child_count(NodeRef node) const;
    [[nodiscard]] NodeRef walk(NodeRef node, std::uint32_t path);
    [[nodiscard]] NodeRef find(std::uint32_t path);
    // The key's text; kNoSymbol where no node can have it yet, unless it is to be made.
    Symbol key_symbol(const KeyPlan& key, bool make);
    Symbol symbol_of(const Value& value, bool make);

    // Expressions (eval.cpp). `this_value` is what $this stands for.
    Value eval(ExprId id, const Value& this_value);
    Value arithmetic(ExprOp op, Span span, const Value& a, const Value& b);
    Value function(const ExprNode& node, const Value& this_value);
    bool condition(ExprId id, const Value& this_value);
    Value add(Span span, const Value& a, const Value& b);
    [[nodiscard]] bool compares(ExprOp op, const Value& a, const Value& b) const;
    [[nodiscard]] bool has_type(const Value& value, const TypePlan& type) const;

    // Matching (match.cpp) and acting (act.cpp).
    void search(std::uint32_t pc, const RulePlan* rule);
    void interpret(std::uint32_t pc);
    template <OpCode code>
    bool test(const Op& op);
    void count_added(const Op& op, std::byte* place, std::uint64_t mask);
    void add_rows(const Op& op, std::byte* place, std::uint64_t mask);
    CROUPIER_COLD void add_too_many(const Op& op, std::byte* place, std::uint64_t mask);
    CROUPIER_APART bool add_words(const Op& op, std::byte* place);
    CROUPIER_APART void ensure_map(const Op& op, const std::byte* place);
    void set_rows(const Op& op, std::byte* data, std::uint64_t mask);
    void clear_rows(const Op& op, std::byte* data);
    CROUPIER_APART void clear(const Op& op);
    NodeRef sought(OpCode code, const Op& op);
    void first_word(const Op& op);
    CROUPIER_APART bool advance(const Op& op, bool first);
    CROUPIER_APART bool holds(const Op& op);
    bool compares_simply(const Op& op);
    CROUPIER_APART void keep_match(const RulePlan& rule);
    CROUPIER_COLD void watch(const Op& op);
    CROUPIER_APART bool find_row(Value& to, const Value& from, std::uint32_t domain);
    CROUPIER_APART [[nodiscard]] std::uint64_t limited(const LimitPlan& limit,
                                                       const Value& bound) const;
    CROUPIER_APART void gather(const Op& op);
    CROUPIER_APART void act(std::uint32_t pc);
    void interpret_action(std::uint32_t pc);
    bool change(const Op& op);
    [[nodiscard]] NodeRef instance(const Op& op) const;
    Value value_for(NodeRef leaf, ExprId expr);
    void set_at(NodeRef leaf, ExprId expr);
    void set_code(const Op& op, std::uint32_t code);
    void set_code_in(const Op& op, std::uint32_t code);
    void set_at_in(const Op& op);
    void ensure_bit(const Op& op);
    void ensure_bit_in(const Op& op);
    void remove_bit(const Op& op);
    // Of the action's entry at hand, else of the rule.
    [[nodiscard]] Span span() const;
    void remove_child(NodeRef node, Symbol key);
    void remove_path(std::uint32_t path);
    NodeRef make_child(NodeRef node, Symbol key);
    void set_child(NodeRef node, Symbol key, const Value& value);
    void check_size() const;
    NodeRef make_path(std::uint32_t path, std::size_t segments);
    NodeRef make_path(std::uint32_t path);
    void set(NodeRef above, Symbol key, ExprId expr);
    void set_path(std::uint32_t path, ExprId expr);
    void set_path(std::uint32_t path, const Value& value);
    void check_path(std::uint32_t path);
    SchemaId schema_at(std::uint32_t path);
    NodeRef last_but_one(std::uint32_t path);
    Symbol last_key(std::uint32_t path);
    void put(NodeRef above, Symbol key, std::uint32_t data);
    void put_path(std::uint32_t path, std::uint32_t data);
    // What the shape says of a place, or why it forbids it: data is evaluated before that counts.
    struct Allowed {
        SchemaId schema = kNoSchema;
        std::string fault;
    };
    [[nodiscard]] Allowed allowed_below(const Allowed& above, Symbol key) const;
    Allowed allowed_at(std::uint32_t path);
    Document build(std::uint32_t data, const Allowed& place);
    void guard_constants(NodeRef node, Symbol key) const;
    void guard_path(std::uint32_t path);
    [[nodiscard]] Document export_node(NodeRef node) const;
    void print(const PrintPlan& print);

    // Translated plans (translated.cpp).
    void prepare_frame();
    void run_native(std::uint32_t pc);
    std::int32_t note_thrown() noexcept;
    template <OpCode code>
    static std::int32_t test_apart(native::Frame* frame, const Op* op) noexcept;
    static native::Apart test_apart_of(OpCode code);
    static std::int32_t change_apart(native::Frame* frame, const Op* op) noexcept;
    static std::int32_t too_many_steps(native::Frame* frame, const Op* op) noexcept;
    static std::int32_t too_many_firings(native::Frame* frame, const Op* op) noexcept;

    // Functions of @call (functions.cpp).
    void call(const CallPlan& plan);
    void call_host(const CallPlan& plan);
    void evaluate_arguments(const CallPlan& plan);
    [[nodiscard]] const Value* argument_value(const CallPlan& plan, std::string_view name) const;
    [[nodiscard]] std::uint32_t argument_path(const CallPlan& plan, std::string_view name) const;
    [[nodiscard]] std::size_t argument_count(const CallPlan& plan) const;
    NodeRef changeable(std::uint32_t path);
    bool holds_presence_only(std::uint32_t path);
    void shuffle(const CallPlan& plan);
    void shuffle_bytes(std::span<std::byte> held);
    void choose(const CallPlan& plan);
    void sort(const CallPlan& plan);
    void deal(const CallPlan& plan);
    void give(std::uint32_t from, std::uint32_t to, Symbol receiver);
    bool deal_members(NodeRef from, NodeRef to, const Value* start, std::size_t count);

    // Groups (machine.cpp).
    bool runs_form(GroupId group, const State& state);
    void run_group(GroupId id);
    void run_below(GroupId id, NodeRef node);
    void run_at_once(const GroupPlan& group);
    // Agenda groups (recognize.cpp).
    void run_agenda(const GroupPlan& group);
    void recognize(RuleId id);
    int salience_of(RuleId id, std::span<const Value> match);
    void fire_activation(RuleId id, std::span<const Value> match);
    void apply_rule(RuleId id);
    void match_only(RuleId id);
    void find_matches(const RulePlan& rule);
    void act_on_matches(RuleId id, std::size_t first, std::uint64_t count);
    void act_otherwise(RuleId id);
    void find_root();
    [[nodiscard]] std::span<const Symbol> keys_of_root() const;
    [[nodiscard]] NodeRef node_of(std::span<const Symbol> keys) const;
    [[nodiscard]] std::span<const Symbol> base_of(const PathPlan& path) const;
    void fire(RuleId rule, std::uint32_t pc);
    void count_firing(RuleId rule) {
        if (++frame_.firings > budgets_.firings) {
            too_many_firings(rule);
        }
    }
    CROUPIER_COLD [[noreturn]] void too_many_firings(RuleId rule);
    CROUPIER_COLD [[noreturn]] void too_many_matches(RuleId rule);
    // Chains and translated actions write past the journal, and nobody can watch them.
    [[nodiscard]] bool is_alone() const { return observer_ == nullptr && !state_->has_journal(); }
    [[nodiscard]] bool runs_chain(const GroupPlan& group) const {
        return group.chain != kNone && is_alone();
    }
    void load_match(const RulePlan& rule, std::size_t first);
    template <typename Body>
    RunResult guarded(State& state, Random& random, Body body);
    CROUPIER_COLD void forget_depth();

    CROUPIER_COLD [[noreturn]] void fail(RunErrorKind kind, Span span, std::string detail) const;
    void step() {
        if (++frame_.steps > budgets_.steps) {
            too_many_steps();
        }
    }
    CROUPIER_COLD [[noreturn]] void too_many_steps() const;

    const Program& program_;
    Budgets budgets_;
    State* state_ = nullptr;
    Random* random_ = nullptr;
    Observer* observer_ = nullptr;
    Log* log_ = nullptr;

    std::vector<Value> values_;
    std::vector<NodeRef> nodes_;
    std::vector<std::uint32_t> cursors_; // alternatives at hand
    std::vector<std::uint64_t> loops_;   // rows that loops have still to visit
    std::vector<Value> buffer_;          // matches waiting to be acted on, the inner rules' on top
    std::vector<std::uint64_t> counts_;  // of matches, while at_once groups wait to act
    std::vector<Symbol> roots_;          // keys from the state's root to the roots of nested groups
    std::size_t root_begin_ = 0;         // of the group at hand
    std::uint16_t root_reg_ = 0;
    const RulePlan* emitting_ = nullptr;   // the rule whose matches are searched
    std::uint64_t found_ = 0;              // of them
    native::Frame frame_;                  // what translated plans read and write
    const native::Code* native_ = nullptr; // all plans translated; null: they are interpreted
    std::exception_ptr thrown_;            // by what a translated plan has called
    std::string scratch_;
    std::vector<std::uint32_t> places_;      // of children that a shuffle moves, or a deal serves
    std::vector<Value> operands_;            // of functions in expressions, the inner ones' on top
    std::vector<Value> arguments_;           // of the call at hand
    std::unique_ptr<Recognizer> recognizer_; // null until an agenda group runs
    std::unique_ptr<Interpreter> form_;      // null until a group of the program's form runs
};

} // namespace croupier::engine
