// What the parts of the builder share: the function at hand, what is bound, and where statements
// go.
#pragma once

#include "engine/ir/ir.h"

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine::ir {

// Those of a node that its kind gives a meaning.
struct Fields {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::int64_t number = 0;
};

class Builder {
  public:
    Builder(Catalogue& catalogue, Module& module, bool observed)
        : catalogue_(catalogue), module_(module), observed_(observed) {}

    Function function(GroupId id);

  private:
    // A node of the tree in a variable; without one it is the state's root.
    struct At {
        VarId var = kNothing;
    };
    // A variable that the condition at hand has bound.
    struct Fresh {
        std::string name;
        VarId var = kNothing;
        std::uint32_t entry = 0;
    };
    // The value that a pattern is laid on; under `_` there is none.
    struct Subject {
        VarId value = kNothing;
        bool there = false; // it is known to be a value
    };
    using Bound = std::map<std::string, VarId>;

    // -- nodes, blocks, variables (build.cpp) --
    // Its type is what the table says, where that says it.
    Id add(Kind kind, std::vector<Id> operands = {}, Fields fields = {});
    Id add_typed(Kind kind, TypeKind type, std::vector<Id> operands = {}, Fields fields = {});
    void put(Id statement) { function_.blocks[block_].statements.push_back(statement); }
    // Adds a statement at the end of the block at hand.
    void put(Kind kind, std::vector<Id> operands = {}, Fields fields = {},
             std::vector<BlockId> blocks = {});
    BlockId new_block();
    VarId new_var(std::string name, TypeKind type, std::uint32_t entry = kNothing);
    NoteId note(Span span, std::uint32_t entry = kNone);
    Id variable(VarId var);
    Id node(At at) { return at.var == kNothing ? add(Kind::Root) : variable(at.var); }
    void let(VarId var, Id value);
    template <typename Body>
    BlockId in_block(Body body) {
        const BlockId made = new_block();
        const BlockId outer = std::exchange(block_, made);
        body();
        block_ = outer;
        return made;
    }

    // -- groups and rules (build.cpp) --
    void group(GroupId id);
    void rule(RuleId id);
    void condition(const Rule& rule);

    // -- expressions and keys (build.cpp); `self` holds the value of $this --
    Id expression(const Expr& expr, VarId self);
    Id truth(const Expr& expr, VarId self);
    Id choice(const Expr& expr, VarId self);
    Id this_value(VarId self);
    Id at_span(Span span, Id id);
    Id constant(const Value& value);
    Id true_or_false(bool truth);
    [[nodiscard]] bool is_truth(Id id) const {
        return function_.nodes[id].type.kind == TypeKind::Truth;
    }
    // `made`: a text that is no symbol yet becomes one.
    Id key(const KeyTemplate& key, bool made);
    Id key_of(VarId var, bool made);
    std::vector<Id> keys(const std::vector<const KeyTemplate*>& path, bool made);

    // -- conditions (build_condition.cpp) --
    void apply(const Pattern& pattern, At at);
    void entry(const Entry& each, At at);
    void entry_of_kind(const Entry& each, At at);
    void child(const Entry& each, Id found, std::string name);
    void each_child(const Entry& each, At at, VarId key);
    void go_on_in(BlockId block);
    void variable_entry(const Entry& each, At at);
    void path_entry(const Entry& each);
    void match_entry(const Entry& each, At at);
    void forall_entry(const Entry& each, At at);
    void any_entry(const Entry& each, At at);
    void aggregate_entry(const Entry& each, At at);
    VarId bind(const std::string& name);
    static std::uint32_t one_of_many(std::uint32_t cut) { return cut == 0 ? 0 : cut | kOneOfMany; }
    void fail() { put(Kind::Fail, {}, {.y = cut_}); }
    // A search by itself: what it binds is known only there.
    template <typename Body>
    BlockId search(Body body) {
        const Bound bound = bound_;
        const std::size_t fresh = fresh_.size();
        const BlockId made = in_block(body);
        bound_ = bound;
        fresh_.resize(fresh);
        return made;
    }

    // -- values in conditions (build_condition.cpp) --
    [[nodiscard]] bool is_free(const Pattern& pattern) const;
    static bool is_any(const TypeName& type) { return type.name.empty() || type.name == "any"; }
    void leaf_of_node(const Pattern& pattern, At at);
    void leaf(const Pattern& pattern, Subject& of);
    void need(Subject& of);
    void compares(ExprOp op, const Expr& expr, Subject& of);
    Id comparison(ExprOp op, VarId value, const Expr& expr);
    Id is_equal(VarId a, Id b);
    Id one_of(std::span<const Expr> choices, VarId value);
    void bind_or_equal(const Pattern& pattern, Subject& of);
    void assign(const Pattern& pattern, Subject& of);
    void expression_leaf(const Expr& expr, Subject& of);
    void fits(VarId value, const TypeName& type);
    void test_entry(const Pattern& pattern);
    void test(const Expr& expr, VarId self);
    void test(Id truth);

    // -- actions (build.cpp) --
    struct Place;
    BlockId action(const Action& action);
    void tree(const ActionNode& node, Place& place);
    void action_entry(const ActionEntry& each, Place& place);
    void change(const ActionNode& node, Place& place);
    void group_below(const ActionEntry& each, Place& place);
    void change_child(const ActionNode& node, Place& place);
    void change_path(const ActionNode& node, const Place& place);
    Id data(const ActionNode& node);
    void call(const ActionEntry& each);
    void print(const ActionEntry& each);
    [[nodiscard]] bool is_at_hand(const Place& place) const;
    void make(Place& place);
    Id node_at(Place& place);
    static Fields start_of(const Place& place);

    Catalogue& catalogue_;
    Module& module_;
    bool observed_;
    Function function_;
    std::map<std::pair<Tag, std::int64_t>, std::uint32_t> constants_; // in Module::values

    BlockId block_ = 0; // that statements go to
    NoteId note_ = kNothing;
    RuleId rule_ = kNone;
    bool nested_root_ = false; // the root of the group at hand is not the state's

    At root_;                  // of the search at hand
    Bound bound_;              // at this point
    std::vector<Fresh> fresh_; // by the condition at hand, in order
    std::uint32_t entry_ = 0;  // that variables are bound by
    std::uint32_t cut_ = 0;    // `y` of what fails: the note of the entry that it cuts, and 1
    VarId shown_ = kNothing;   // what observers see of such a cut

    std::uint32_t epoch_ = 0; // grows when an action may have removed the nodes it stands in
};

} // namespace croupier::engine::ir
