// What a ruleset has, numbered: groups, rules, variables, types, where its state lies in memory.
#pragma once

#include "engine/catalogue/agenda_plan.h"
#include "engine/language/ruleset.h"
#include "engine/state/layout.h"
#include "engine/state/state.h"
#include "engine/state/value.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace croupier::engine {

using GroupId = std::uint32_t;
using RuleId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffff;

struct TypePlan {
    enum class Kind : std::uint8_t { Any, Int, Double, Number, String, Bool, Null, Domain };
    Kind kind = Kind::Any;
    std::uint32_t domain = 0;
};

struct Variable {
    std::string name;
    std::uint32_t place = 0; // among the values that observers are shown
    std::uint32_t entry = 0; // of the condition, that binds it
};

struct RulePlan {
    std::string name;
    Span span;
    std::uint32_t repeat = 1;
    bool first = false;
    std::optional<bool> log;
    std::vector<Variable> variables; // that its condition binds, in order of first binding
    const Rule* source = nullptr;
    // All other bindings by entries of its condition: in @not, an aggregate and the like for
    // themselves alone, in alternatives after the first. Those of one name have the same place.
    std::vector<Variable> inner;
};

struct GroupPlan {
    std::string name;
    GroupMode mode = GroupMode::Sequential;
    std::vector<RuleId> rules;
    Span span;
    std::shared_ptr<const AgendaPlan> agenda; // of an agenda group
};

// What something stands for in the ruleset.
struct Note {
    Span span;
    RuleId rule = kNone;
    std::uint32_t entry = kNone; // condition entry of the rule
};

class Catalogue {
  public:
    // The ruleset must be free of errors and outlive the catalogue.
    explicit Catalogue(const Ruleset& ruleset);
    Catalogue(const Catalogue&) = delete;
    Catalogue& operator=(const Catalogue&) = delete;

    [[nodiscard]] const Ruleset& ruleset() const { return *ruleset_; }
    [[nodiscard]] const GroupPlan* group(std::string_view name) const;
    [[nodiscard]] GroupId group_id(std::string_view name) const; // kNone if there is none
    [[nodiscard]] RuleId rule_id(std::string_view name) const;
    // The number of a type as rules write it, in `types`, where it is added if it is not there yet.
    std::uint32_t type_id(const TypeName& name);
    // A fresh state holding the ruleset's `state`.
    [[nodiscard]] State initial_state() const;
    // Whether the constants have a node of that name, which the state's root then cannot have.
    [[nodiscard]] bool has_constant(Symbol name) const {
        return constants != nullptr && constants->child(constants->root(), name);
    }
    // Replaces the state with a document from outside; what is wrong with it goes to `diagnostics`.
    bool import(State& state, const Document& document, Diagnostics& diagnostics) const;

    Symbols symbols;
    std::unique_ptr<Layout> layout;
    std::unique_ptr<Layout> constants_layout;
    std::unique_ptr<State> constants; // null if there are none

    std::vector<TypePlan> types;   // of values; 0 is any
    std::vector<RulePlan> rules;   // those of named groups and all below them, in the order written
    std::vector<GroupPlan> groups; // named ones first, by their places in the ruleset
    std::unordered_map<const Group*, GroupId> inner_groups; // those in actions
    std::uint32_t shown_values = 0;                         // the most that observers are shown
    std::deque<Group> agendas; // agenda groups as they are compiled; they stay where they are

  private:
    const Ruleset* ruleset_;
};

// Questions about values that conditions ask, when rules run and when they are compiled.

// Whether the value, which is one, is of the type.
bool is_of_type(const Value& value, const TypePlan& type, const Layout& layout,
                const Symbols& symbols);

// `op` is one of the comparisons.
bool compares(ExprOp op, const Value& a, const Value& b, const Symbols& symbols);

} // namespace croupier::engine
