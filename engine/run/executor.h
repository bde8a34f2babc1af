// Runs the intermediate form node by node. Every other way of running it must give the same
// results.
#pragma once

#include "engine/form/form.h"
#include "engine/form/probe.h"
#include "engine/run/call.h"
#include "engine/run/error.h"
#include "engine/run/observer.h"
#include "engine/run/random.h"
#include "engine/run/recognize.h"
#include "engine/run/runtime.h"
#include "engine/state/layout.h"
#include "engine/state/state.h"
#include "engine/state/value.h"
#include "engine/x86/code.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace croupier::engine {

// A function prepared for the executor: the fields of a node needed at every run are kept together,
// with what can be computed beforehand: where instances of declared nodes are, and constants and
// table entries in the form of the node's type.

// The result of a node or the value of a variable; its type tells which member is used.
struct Slot {
    union {
        Value value;
        NodeRef node;
        std::uint32_t id; // a code, a symbol
    };
    Slot() : value() {}
    explicit Slot(const Value& of) : value(of) {}
    explicit Slot(bool truth) : value(Value::boolean(truth)) {}
    explicit Slot(std::int64_t integer) : value(Value::number(integer)) {}
    explicit Slot(NodeRef of) : node(of) {}
    explicit Slot(std::uint32_t of) : id(of) {}
};

// The part of a type needed at run time.
struct SlotType {
    form::TypeKind kind = form::TypeKind::None;
    std::uint32_t list = 0;

    SlotType() = default;
    SlotType(const form::Type& type) : kind(type.kind), list(type.list) {} // NOLINT(*-explicit-*)
};

// Where the instances of a declared path are.
struct InstancePlace {
    SchemaId schema = kNoSchema;
    Column column = Column::None;
    std::uint32_t values = kNoOffset; // of the column, in the state's block
    // Distance between instances whose codes differ by one, per map, the outermost first.
    std::vector<std::uint32_t> scales;
};

struct PreparedNode : form::Fields {
    SlotType type; // if the statement sets a variable, the variable's type
    std::span<const form::Id> operands;
    std::span<const form::BlockId> blocks;
    std::span<std::uint64_t> words;           // space for a set of rows
    const InstancePlace* place = nullptr;     // of a declared node
    const form::LookupTable* table = nullptr; // of a node that reads a table
    const Slot* slots = nullptr;              // of a Table: its distinct entries
    const Slot* known = nullptr;              // of Constant and Variable: points to the result
    const Value* values = nullptr;            // of the list of a code, starting at code 1
};

// One per executor, since it has space for the sets that nodes make. A node's set is valid until
// the node runs again.
class PreparedFunction {
  public:
    // All must outlive it; `slots` contains the values of variables.
    PreparedFunction(const form::Module& module, const form::Function& function, const Slot* slots);
    PreparedFunction(const PreparedFunction&) = delete;
    PreparedFunction& operator=(const PreparedFunction&) = delete;

    [[nodiscard]] const form::Function& written() const { return function_; }
    [[nodiscard]] const form::Node& written(const PreparedNode& node) const {
        return function_.nodes[static_cast<std::size_t>(&node - nodes_.data())];
    }
    [[nodiscard]] const PreparedNode& prepared(const form::Node& node) const {
        return nodes_[static_cast<std::size_t>(&node - function_.nodes.data())];
    }
    [[nodiscard]] const PreparedNode* nodes() const { return nodes_.data(); }
    [[nodiscard]] std::span<const form::Id> statements(form::BlockId block) const {
        return blocks_[block];
    }

  private:
    void prepare(PreparedNode& made, const form::Node& node);
    const InstancePlace* place_of(SchemaId schema);
    const Slot* entries_of(const form::Node& table);

    const form::Module& module_;
    const form::Function& function_;
    const Slot* slots_;
    std::vector<PreparedNode> nodes_;
    std::vector<std::span<const form::Id>> blocks_;
    std::vector<std::uint32_t> ids_; // operands and blocks of nodes, statements of blocks
    std::vector<std::uint64_t> words_;
    std::deque<InstancePlace> places_; // those requested so far
    std::deque<Slot> constants_;
    struct Entries {
        std::uint32_t table;
        SlotType type;
        std::vector<Slot> slots;
    };
    std::deque<Entries> entries_; // those requested so far
};

// The letter of a kind's result in nodes.def, or + for a statement after which the next one runs.
constexpr char letter_of(form::Kind kind) {
    const form::KindInfo& info = form::info_of(kind);
    return info.result == '-' && !info.has('F') && !info.has('B') ? '+' : info.result;
}

// One per thread; the module is shared.
class Executor {
  public:
    // `code`, compiled from the module, runs while there is no observer. Without it nodes are
    // walked.
    explicit Executor(const form::Module& module, const Budgets& budgets = {},
                      const x86::Code* code = nullptr);
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    // Runs a group that has a function, on the state with the state's root as its root.
    RunResult run(GroupId group, State& state, Random& random);
    // For callers that run machine code themselves: what it needs, the groups, and the error with
    // which it ended.
    [[nodiscard]] x86::Frame& frame() { return runtime_.frame(); }
    [[nodiscard]] const x86::GroupCode* groups() const { return entries_.data(); }
    std::unique_ptr<const RunError> error_of_code();
    // Finds the matches of a rule's condition, in order. Changes nothing.
    RunResult match(RuleId rule, State& state, Random& random);
    // After `match`: the values of match i, in the order of the rule's variables.
    [[nodiscard]] std::span<const Value> matched(std::uint64_t i) const;

    // The observer receives all events while it is set (see observer.h); not owned. It receives
    // events of entries as far as the module has nodes for them.
    void set_observer(Observer* observer);
    // Receives the lines of @print; not owned. Null drops them.
    void set_log(Log* log) { log_ = log; }

  private:
    using Node = PreparedNode;
    using Kind = form::Kind;
    template <Kind kind>
    struct Is {};

    // One bit per row; valid until the node that made it runs again.
    using Rows = std::span<const std::uint64_t>;

    // What runs after a statement: the next one (also after a finished loop), the next round of the
    // innermost loop, or nothing, since the search's taker needs no more results.
    enum class Flow : std::uint8_t { GoesOn, GoesBack, Ends };

    // Receives the results of a search, each as its Yield node, whose operands may then be
    // computed. Returns false if it needs no more. The callable must outlive it.
    class Taker {
      public:
        Taker() = default;
        template <typename Take>
        explicit Taker(Take& take)
            : take_(&take), call_([](void* of, const Node& yield) -> bool {
                  return (*static_cast<Take*>(of))(yield);
              }) {}
        bool operator()(const Node& yield) const { return call_(take_, yield); }

      private:
        void* take_ = nullptr;
        bool (*call_)(void*, const Node&) = nullptr;
    };

    // How nodes are run, by result letter: the type they return and the argument they get.
    struct Nothing {};
    template <char result>
    struct Way {
        template <char letter, typename Then, typename Else>
        using If = std::conditional_t<result == letter, Then, Else>;
        using Gives =
            If<'-', Flow,
               If<'+', void,
                  If<'s', Rows, If<'d', Document, If<'w', Member, If<'q', Argument, Slot>>>>>>;
        using Place = const Runtime::Allowed&;
        using Told = If<'-', const Taker&, If<'d', Place, If<'w', Place, Nothing>>>;
    };
    // Runs a node whose kind has that result letter; x stands for all results that fit in a slot
    // (executor.cpp).
    template <char result>
    typename Way<result>::Gives give(const Node& node, typename Way<result>::Told told);
    template <char wanted, Kind kind>
    typename Way<wanted>::Gives give_as(const Node& node, typename Way<wanted>::Told told);
    [[gnu::always_inline]] Slot slot(const Node& node) {
        if (node.known == nullptr) return slot_of_others(node);
        CROUPIER_INTERPRETED(node.kind);
        return *node.known;
    }
    Slot slot_of_others(const Node& node);
    Slot slot(form::Id id) { return slot(at(id)); }
    Value value(form::Id id);
    bool truth(form::Id id) { return slot(id).value.truth(); }
    NodeRef node(form::Id id) { return slot(id).node; }
    Symbol key(form::Id id) { return slot(id).id; }
    std::uint32_t code(form::Id id) { return slot(id).id; }
    Slot slot_as(const SlotType& type, form::Id id);
    Rows rows(form::Id id);
    Document data(form::Id id, const Runtime::Allowed& place);
    Member member(form::Id id, const Runtime::Allowed& place);
    Argument argument(form::Id id);
    PreparedCall& prepared(const Node& call);
    Flow step(form::Id id, const Taker& taker);
    // Tries all ways through the block's search; returns GoesBack if there are no more.
    Flow search(form::BlockId block, const Taker& taker);
    bool has_result(form::BlockId block);
    // Runs the block's statements, one after the other.
    void perform(form::BlockId block);

    [[nodiscard]] const Node& at(form::Id id) const { return nodes_[id]; }
    [[nodiscard]] std::span<const form::Id> statements(form::BlockId block) const {
        return walked_->statements(block);
    }
    // Prepares the current function for walking.
    void walk() {
        if (walked_ == nullptr || &walked_->written() != &function()) walk_another();
    }
    void walk_another();
    [[nodiscard]] Span span_of(const Node& node) const;

    // Values and codes (executor_search.cpp).
    [[nodiscard]] Value value_of(const SlotType& type, const Slot& slot) const;
    [[nodiscard]] Slot slot_of(const SlotType& type, const Value& value) const;
    [[nodiscard]] std::uint32_t code_of(std::uint32_t list, const Value& value) const;
    [[nodiscard]] std::uint32_t size_of(std::uint32_t list) const;
    template <typename Use>
    auto with_values(const Node& node, Use use);
    // The instance of a declared node; the operands from `first` on are its codes.
    NodeRef instance(const Node& node, std::size_t first = 0);
    // Which entry of its table the codes choose that are its operands from `first` on.
    std::size_t entry_of(const Node& node, std::size_t first = 0);
    template <typename Join>
    Rows joined(const Node& node, Join join);
    template <typename Digits>
    void count_touching(const Node& node, std::uint32_t digits, Digits digits_of);
    void write_rows(const Node& node, std::size_t set, const Value* value);
    const Path& path(const Node& node, std::size_t first = 0);
    void set(form::VarId var, const Slot& slot) {
        slots_[var] = slot;
        if (tells_entries_) note_value(var);
    }
    void note_value(form::VarId var);
    // Runs (executor.cpp), rules and groups (executor_rules.cpp).
    x86::GroupCode& entry_of(GroupId group);
    [[nodiscard]] const form::Function& function() const { return *runtime_.frame().function; }
    void tidy();
    [[nodiscard]] RunResult result() const;
    template <typename Body>
    RunResult guarded(Body body);
    void find_rules();
    void note_shown(const RulePlan& rule, form::BlockId search, std::vector<std::uint32_t>& shown);
    void run_at_once(const Node& group);
    [[nodiscard]] const Node& apply_of(form::BlockId block) const;
    const Node& reach_apply(form::BlockId block);
    void tell_begins(RuleId rule);
    void tell_matches(RuleId rule, std::size_t first, std::uint64_t count);
    void tell_ends(RuleId rule);
    std::uint64_t find_matches(const Node& apply);
    std::uint64_t take_rows(const Node& apply, const Node& yield);
    void act_on_rows(const Node& apply, std::uint64_t count);
    void load_match(const Node& apply, std::span<const Value> match);
    void fire(const Action& action, form::BlockId block);
    void act_on(const Node& apply, std::span<const Value> match);
    void act_on_matches(const Node& apply, std::size_t first, std::uint64_t count);
    void act_otherwise(const Node& apply);
    // Agendas (executor_rules.cpp).
    void run_agenda(const Node& group);
    int salience_of(const Node& apply, std::span<const Value> match);
    void cut(const Node& failing, const Value* found);
    void tell_stopped(const Node& failing, Stopped& stopped);
    [[nodiscard]] bool draws(const Node& node) const;

    // For machine code (executor.cpp).
    void prepare_frame();
    [[noreturn]] void throw_on();
    template <typename Work>
    static std::int32_t guard(x86::Frame* frame, Work work) noexcept;
    static std::int32_t step_for_code(x86::Frame* frame, std::uint32_t node) noexcept;
    static std::int32_t evaluate_for_code(x86::Frame* frame, std::uint32_t node) noexcept;
    bool visit_child(const Node& loop, NodeRef child);
    static std::int32_t first_child(x86::Frame* frame, std::uint32_t node) noexcept;
    static std::int32_t next_child(x86::Frame* frame, std::uint32_t node) noexcept;
    static std::int32_t grow_buffer(x86::Frame* frame, std::uint32_t words) noexcept;
    template <RunErrorKind kind>
    static std::int32_t over_budget(x86::Frame* frame, std::uint32_t) noexcept;
    static std::int32_t call_for_code(x86::Frame* frame, std::uint32_t node) noexcept;
    static std::int32_t take_set(x86::Frame* frame, std::uint32_t var) noexcept;

    const form::Module& module_;
    const Catalogue& catalogue_;
    Runtime runtime_;
    const x86::Code* code_ = nullptr; // also null while an observer is set
    const x86::Code* unwatched_code_ = nullptr;
    std::vector<std::uint64_t> waiting_; // matches found by machine code
    std::exception_ptr thrown_;          // while it passes machine code
    Observer* observer_ = nullptr;
    bool tells_entries_ = false;
    bool tells_why_ = false;
    Log* log_ = nullptr;
    std::vector<x86::GroupCode> entries_;      // by group
    std::vector<PreparedCall> calls_;          // by call number, where already made
    std::deque<PreparedFunction> prepared_;    // functions walked so far
    const PreparedFunction* walked_ = nullptr; // prepared form of the current function
    const Node* nodes_ = nullptr;              // nodes of walked_
    std::vector<Slot> slots_;                  // by variable
    std::vector<Rows> sets_;                   // by variable, for those that are sets
    std::vector<Value> operands_;              // of the current nodes, those of inner nodes on top
    std::deque<Path> paths_;
    std::size_t path_depth_ = 0;
    std::vector<Value> buffer_;              // matches to act on, those of nested rules on top
    std::vector<std::uint64_t> counts_;      // of matches, while at_once groups wait to act
    std::unique_ptr<Recognizer> recognizer_; // null until an agenda group runs
    // Where each rule is applied, by its number.
    struct Applied {
        const form::Function* function = nullptr;
        form::Id apply = 0;
    };
    std::vector<Applied> applied_;
    // For observers: values of the rules' variables, and per function which of them each variable
    // is.
    std::vector<Value> shown_;
    std::vector<std::vector<std::uint32_t>> shown_of_;
    const std::vector<std::uint32_t>* shown_as_ = nullptr; // of the current function

    // Runs a node of each kind.
#define NODE(name, operands, result, fields, blocks, effects, text)                                \
    Way<letter_of(form::Kind::name)>::Gives run(Is<Kind::name> kind, const Node& node,             \
                                                Way<letter_of(form::Kind::name)>::Told told);
#include "engine/form/nodes.def"
};

} // namespace croupier::engine
