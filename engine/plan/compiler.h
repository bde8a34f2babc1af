// Turns rules into plans: one pass over the parsed rules, with labels for places not yet known.
#pragma once

#include "engine/plan/chain.h"
#include "engine/plan/program.h"
#include "engine/plan/step.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine {

class Compiler {
  public:
    Compiler(Program& program, const CompileOptions& options)
        : program_(program), options_(options) {}

    void compile_groups(const std::vector<Group>& groups);

  private:
    using Label = std::uint32_t;
    using Registers = std::map<std::string, std::uint16_t>;

    // -- code --
    Op& emit(OpCode code);
    Label new_label();
    void place(Label label);
    void jump(Label label);
    void resolve_labels(std::size_t from);
    std::uint16_t new_value();
    std::uint16_t new_node();
    std::uint16_t new_cursor();
    std::uint32_t note(Span span, std::uint32_t entry = kNone);

    // -- groups and rules --
    void finish_agenda(const Group& group, GroupId id);
    GroupId compile_group(const Group& group, std::uint16_t root);
    RuleId compile_rule(const Rule& rule, std::uint16_t root);
    void compile_condition(const Rule& rule, RuleId id);
    std::uint32_t compile_action(const Action& action);

    // -- conditions: code goes on if they hold and to `fail_` if not --
    void apply(const Pattern& pattern, std::uint16_t node);
    void entry(const Entry& entry, std::uint16_t node);
    void child_entry(const Entry& entry, std::uint16_t node, std::uint32_t key);
    void variable_entry(const Entry& entry, std::uint16_t node);
    void each_entry(const Entry& entry, std::uint16_t node, std::uint16_t reg);
    void parent_entry(const Entry& entry, std::uint16_t node);
    void path_entry(const Entry& entry);
    void not_entry(const Entry& entry, std::uint16_t node);
    void exists_entry(const Entry& entry, std::uint16_t node);
    void forall_entry(const Entry& entry, std::uint16_t node);
    void any_entry(const Entry& entry, std::uint16_t node);
    void aggregate_entry(const Entry& entry, std::uint16_t node);
    LeafForm prepare(const Pattern& pattern);
    LeafForm prepare_test(const Pattern& pattern);
    void leaf(const LeafForm& form, std::uint16_t value);
    void test(ExprId id);
    [[nodiscard]] bool may_be_test(ExprId id) const;
    struct Range { // the least and the greatest integer that something can be
        std::int64_t low = 0;
        std::int64_t high = 0;
    };
    // Which names there are, which of them are bound, and what is known of their registers.
    struct Scope {
        Registers names;
        Registers bound;
        std::map<std::uint16_t, std::uint32_t> domain_of;
        std::map<std::uint16_t, Value> literal_of;
        std::map<std::uint16_t, Range> range_of;
        std::vector<Variable> fresh;
    };
    [[nodiscard]] Scope scope() const {
        return {names_, bound_, domain_of_, literal_of_, range_of_, fresh_};
    }
    void restore(Scope scope);
    // Binds the name if it is free and says so.
    struct Binding {
        std::uint16_t reg = kNoRegister;
        bool fresh = false;
    };
    Binding bind(const std::string& name);

    // -- actions --
    struct Place;
    void tree(const ActionNode& node, Place& place);
    void action_entry(const ActionEntry& entry, Place& place);
    void change(const ActionNode& node, Place& place);
    std::uint32_t data(const ActionNode& node);
    [[nodiscard]] bool is_at_hand(const Place& place) const;
    [[nodiscard]] bool hangs(const Place& place) const;
    std::uint16_t reg_of(Place& place);
    [[nodiscard]] std::pair<bool, std::uint32_t> last_key(const Place& place) const;
    void call(const ActionEntry& entry);
    void print(const ActionEntry& entry);

    // -- changes at declared paths (lower_action.cpp) --
    [[nodiscard]] std::optional<Site> state_root() const;
    std::optional<Site> site_below(const std::optional<Site>& site, const KeyTemplate& key);
    // `hangs`: what the site hangs below is known to be there.
    bool emit_ensure(const std::optional<Site>& site, bool hangs);
    void emit_ensure_bit(const Site& site, bool hangs);
    bool emit_leaf_change(const ActionNode& node, const std::optional<Site>& site, bool hangs);
    bool emit_code_change(ExprId value, const Site& site, bool hangs);
    Op& emit_change(OpCode code, const Site& site);
    std::optional<Site> child_by_member(const std::optional<Site>& map, const ActionEntry& entry,
                                        std::vector<Step>& steps);
    void change_member(const ActionEntry& entry, Place& target, const Site& member,
                       const Step& row);

    // -- tables --
    ExprId expr(const Expr& expr);
    [[nodiscard]] static bool gives_bool(const ExprNode& node);
    [[nodiscard]] bool never_fails(ExprId id) const;
    [[nodiscard]] bool is_never(const Pattern& pattern);
    std::optional<ExprId> folded(const ExprNode& node, const std::vector<ExprId>& args);
    std::uint32_t key(const KeyTemplate& key);
    std::uint32_t key_of_variable(std::uint16_t reg);
    PathPlan path_plan(const PathExpr& path);
    [[nodiscard]] SchemaId fixed_place(const PathPlan& plan) const;
    std::uint32_t path(PathPlan plan);
    std::uint32_t type(const TypeName& name);

    // -- conditions over declared paths (lower.cpp): none where some part needs the general way --
    [[nodiscard]] bool can_lower() const;
    std::optional<std::vector<Step>> lower(const Pattern& condition);
    std::vector<Step> lower_beginning(const Pattern& condition);
    bool lower_pattern(const Pattern& pattern, const Site& site, std::vector<Step>& steps);
    bool lower_entry(const Entry& entry, const Site& site, std::vector<Step>& steps);
    bool lower_child(const Entry& entry, const Site& child, std::vector<Step>& steps);
    bool lower_each(const Entry& entry, const Site& site, std::vector<Step>& steps);
    [[nodiscard]] std::uint32_t domain_of_loop(const Entry& entry, const Site& site) const;
    void keep_common(const Entry& any, const Registers& before, std::size_t fresh);
    bool lower_local(const Entry& entry, const Site& site, std::vector<Step>& steps);
    bool lower_path(const PathExpr& path, Site& site, std::vector<Step>& steps);
    bool child_site(const Site& site, const KeyTemplate& key, Site& child,
                    std::vector<Step>& steps);
    std::uint16_t row_in(std::uint32_t domain, std::uint16_t reg, std::vector<Step>& steps);
    bool child_by_value(const Site& site, std::uint16_t reg, Site& child, std::vector<Step>& steps);
    bool child_by_row(const Site& site, std::uint16_t reg, Site& child, std::vector<Step>& steps);
    // The members of domain `inner` are the first of domain `outer`: rows of the one are rows of
    // the other.
    [[nodiscard]] bool is_prefix(std::uint32_t inner, std::uint32_t outer) const;
    bool child_by_symbol(const Site& site, Symbol symbol, Site& child) const;
    void note_domain(const Site& site, const LeafForm& form);
    void note_assigned(const LeafForm& form);
    [[nodiscard]] std::uint32_t domain_of_value(ExprId id) const;
    void note_range(std::uint16_t reg, std::optional<Range> range);
    [[nodiscard]] std::optional<Range> range_of_leaf(const Site& site);
    [[nodiscard]] std::optional<Range> range_of(ExprId id) const;
    void cache_column(const Pattern& pattern, const Site& site);

    // -- steps to ops (emit_steps.cpp) --
    void emit_steps(const std::vector<Step>& steps, std::size_t from);
    void emit_each(const std::vector<Step>& steps, std::size_t at);
    void emit_loop(const Step& each, std::uint16_t word);
    // What follows a loop: tests for its mask, and the rest.
    struct Split {
        std::vector<Step> folded;
        std::vector<Step> rest;
    };
    [[nodiscard]] Split split(const std::vector<Step>& steps, std::size_t at) const;
    [[nodiscard]] bool is_row_itself(const Step& step, const Step& each) const;
    [[nodiscard]] bool is_pure(const Step& step) const;
    // What a mask leaves to be tested row by row, and the register that counts its words.
    struct Masked {
        std::vector<Step> rest;
        std::uint16_t word = kZeroRow;
    };
    Masked emit_mask(const std::vector<Step>& steps, std::size_t at,
                     std::uint16_t kept = kNoRegister);
    std::uint16_t emit_words(const Step& each, std::uint16_t kept);
    void emit_before(const std::vector<Step>& steps, std::size_t loop);
    [[nodiscard]] std::uint32_t words_of(const Step& each) const;
    void emit_rows(const Step& each, std::uint16_t word);
    void emit_only(const Step& each, std::uint16_t word);
    void emit_leaf(const Step& step);
    void emit_presence(const Step& step, bool present);
    void emit_not(const Step& step);
    void emit_gather(const Step& step);
    [[nodiscard]] bool folds(const Step& step, std::uint16_t row) const;
    [[nodiscard]] bool reads_row(const Step& step, std::uint16_t row) const;
    void fold(const Step& step, const Step& each, std::uint16_t word);
    // Comparisons of a loop's key (compare_keys.cpp).
    [[nodiscard]] std::uint16_t compared_key(const Step& step, const Step& each) const;
    [[nodiscard]] bool has_small_numbers(std::uint32_t domain) const;
    [[nodiscard]] bool is_first(const Step& step, std::uint16_t reg) const;
    void fold_key(const Step& step, const Step& each, std::uint16_t word);
    void fold_keys(const Step& step, const Step& each, std::uint16_t outer, std::uint16_t word);
    void fold_limit(std::uint32_t limits, std::uint16_t bound, std::uint16_t word);
    void drop_weaker_mask();
    void fold_constant(const Step& step, const Step& each, std::uint16_t word);
    std::uint32_t code_table(SchemaId schema);
    std::uint32_t key_table(std::uint32_t domain);
    std::uint16_t read(const Site& site);
    void bind_constant(const Site& site, std::uint16_t reg);
    bool fold_tabled(std::uint32_t limits, std::uint16_t bound, std::uint16_t word);
    Op& emit_at(OpCode code, const Site& site, std::uint32_t offset, std::uint32_t scale,
                bool outer_only);
    Op& emit_bit(OpCode code, const Site& site);
    Op& emit_rows_at(OpCode code, const Site& site, std::uint16_t word);

    // -- sequential groups as one piece of code (chain.cpp) --
    void compile_chain(const Group& group, GroupId id);
    void compile_inner_chain(const Group& group, GroupId id, const Registers& names);
    void emit_segments(const Group& group, GroupId id);
    Chained chained(const Rule& rule, RuleId id);
    bool drop_known(Chained& made) const;
    void keep_guard(Chained& made) const;
    bool add_rows(Chained& made);
    bool add_inner(Chained& made);
    bool add_action(Chained& made);
    bool add_group(Chained& made);
    bool loops_are_safe(Chained& made, bool loops) const;
    [[nodiscard]] bool acts_apart(const std::vector<Step>& steps, const Action& action) const;
    [[nodiscard]] std::optional<std::uint32_t> most_matches(const std::vector<Step>& steps) const;
    [[nodiscard]] std::vector<RuleId> inner_ids(RuleId id) const;
    [[nodiscard]] std::uint32_t domain_of_set(const std::vector<const KeyTemplate*>& path) const;
    void emit_cached();
    void emit_chain(const std::vector<Chained>& rules, Label end);
    void emit_rule(const Chained& each, std::vector<Step> steps, Label next, Label added);
    void emit_act(const Chained& each, const std::vector<Step>& steps, Label next);
    bool add_clear(Chained& made) const;
    void tighten(std::uint32_t begin); // tighten.cpp
    void emit_rows_rule(const Chained& each, std::vector<Step> steps, Label next);
    void emit_words_rule(const Chained& each, const std::vector<Step>& steps, std::size_t loop,
                         Label next);
    Op& emit_addition(OpCode code, const Chained& each, Label next);
    [[nodiscard]] std::optional<std::size_t> guard(const Chained& each, SchemaId set) const;
    [[nodiscard]] SchemaId only_node_at(const Site& site) const;
    [[nodiscard]] SchemaId common_target(const std::vector<Chained>& rules) const;

    // -- tables of the constants (const_tables.cpp) --
    struct ConstTable {
        std::uint32_t base = 0; // in Program::values
        std::uint32_t count = 0;
        std::vector<Term> terms;  // strides in entries
        std::uint32_t domain = 0; // of which all values are members; 0: none
    };
    // Masks of rows; `index` is the register whose row picks one.
    struct MaskTable {
        std::uint32_t base = 0; // in Program::masks
        std::uint16_t index = kZeroRow;
    };
    [[nodiscard]] std::vector<Term> table_terms(const Site& site) const;
    [[nodiscard]] bool has_table(const Site& site) const;
    [[nodiscard]] std::uint32_t domain_of_children(const Site& site) const;
    [[nodiscard]] std::uint32_t domain_of_keys(const Site& site) const;
    // A loop goes over rows in their order, past keys of other types; a lookup needs no order.
    enum class Holds { AllInOrder, SomeInOrder, All };
    [[nodiscard]] bool holds_children(const DomainTable& domain, const Site& site, Holds how) const;
    void read_table(const ConstTable& table, std::uint16_t reg);
    ConstTable value_table(const Site& site);
    ConstTable make_value_table(const Site& site);
    ConstTable presence_table(const Site& site);
    [[nodiscard]] bool is_told_by_row(const Site& site, std::uint32_t domain) const;
    [[nodiscard]] bool keeps_all(const MaskTable& table, const Step& each) const;
    MaskTable mask_table(const Step& step, std::uint16_t row);
    std::uint32_t limit_table(const Site& site, std::uint16_t row, ExprOp compare);
    std::uint32_t limit_plans(const std::vector<Value>& values, ExprOp compare);
    std::uint32_t code_of(SchemaId schema, const Value& value);
    static std::vector<std::uint16_t> rows_of(const std::vector<Term>& terms, std::uint32_t i);
    [[nodiscard]] NodeRef constant_node(const Site& site,
                                        const std::vector<std::uint16_t>& rows) const;
    [[nodiscard]] std::uint32_t combinations(const std::vector<Term>& terms) const;

    Program& program_;
    CompileOptions options_;
    std::vector<std::uint32_t> labels_; // place of each, by label
    Label fail_ = 0;                    // where a condition goes when it does not hold
    Label own_fail_ = 0; // the same for the entry itself; in a twin, by way of its Cut
    std::map<std::uint16_t, std::uint32_t> domain_of_; // registers whose values carry their row
    std::map<std::uint16_t, Value> literal_of_;        // registers whose values are known
    std::map<std::uint16_t, Range> range_of_;          // registers that hold such integers
    Registers names_;                                  // every name of the top-level rule at hand
    Registers bound_;                                  // those bound at this point
    std::vector<Variable> fresh_;                      // bound by the condition at hand, in order
    std::map<SchemaId, std::uint32_t> code_tables_;
    std::map<std::uint32_t, std::uint32_t> codes_of_table_;
    std::map<std::uint32_t, std::uint32_t> codes_of_bytes_; // of the block; empty until asked for
    std::map<std::uint32_t, std::uint32_t> key_tables_;
    bool local_ = false;   // inside @not or @exists: one match is enough
    bool is_slow_ = false; // of the group at hand: a rule goes the general way, or an action runs a
                           // group of which there is no chain
    bool caching_ = false; // a segment of a chain is being lowered
    // A loop that binds the variable to keys of constants should have rows of that domain: those of
    // the set that the rule adds them to.
    struct Wish {
        std::string variable;
        std::uint32_t domain = 0;
    };
    Wish wish_;
    // Variables that a table of the constants gives, by register: its entries by an index's row.
    struct Tabled {
        std::uint32_t base = 0; // in Program::values
        std::uint32_t rows = 0;
        std::uint16_t index = kZeroRow;
    };
    std::map<std::uint16_t, Tabled> tabled_;
    // Variables that are keys of loops over rows, by register: the domain.
    std::map<std::uint16_t, std::uint32_t> loop_domains_;
    // Value tables that stand already: all of a table but its terms, by its keys' symbols and
    // domains.
    std::map<std::vector<std::pair<Symbol, std::uint32_t>>, ConstTable> value_tables_;
    std::map<SchemaId, std::uint16_t> cached_; // columns that it reads, in registers
    struct PendingAct { // an Act's operand x says which, until its action is compiled
        RuleId rule;
        KnownVariables known;
        std::uint32_t code = kNone; // that of the rule by itself, if it serves
    };
    std::vector<PendingAct> pending_acts_;
    std::uint32_t note_ = 0; // that ops get
    RuleId rule_ = kNone;
    std::uint32_t entry_ = 0;  // condition entry at hand
    std::uint16_t root_ = 0;   // register of the root of the group at hand
    bool nested_root_ = false; // that root is not the state's
    std::uint32_t epoch_ = 0;  // grows when an action may have removed the nodes it stands in
    std::uint16_t next_value_ = 0;
    std::uint16_t next_node_ = 0;
    std::uint16_t next_cursor_ = 0;
    struct PendingCut {
        Label label;
        std::uint32_t note;
        std::uint16_t value;
        Label target;
    };
    std::vector<PendingCut> cuts_;
    struct PendingGroup {
        std::size_t op; // whose operand x its number becomes
        const Group* group;
        std::uint16_t root;
    };
    std::vector<PendingGroup> pending_;
};

} // namespace croupier::engine
