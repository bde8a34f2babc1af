// A ruleset with everything numbered: groups, rules, variables, types, and the layout of its state.
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
    std::uint32_t place = 0; // index among the values passed to observers
    std::uint32_t entry = 0; // the entry of the condition that binds it
};

struct RulePlan {
    std::string name;
    Span span;
    std::uint32_t repeat = 1;
    bool first = false;
    std::optional<bool> log;
    std::vector<Variable> variables; // bound by its condition, in order of first binding
    const Rule* source = nullptr;
    // All other bindings by entries of its condition: those local to @not, aggregates and the like,
    // and those in alternatives after the first. Variables of one name share a place.
    std::vector<Variable> inner;
};

struct GroupPlan {
    std::string name;
    GroupMode mode = GroupMode::Sequential;
    std::vector<RuleId> rules;
    Span span;
    std::shared_ptr<const AgendaPlan> agenda; // null unless it is an agenda group
};

// Where something comes from in the ruleset.
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
    [[nodiscard]] GroupId group_id(std::string_view name) const; // kNone if unknown
    [[nodiscard]] RuleId rule_id(std::string_view name) const;
    // The number of a type as written in rules; adds it to `types` if it is new.
    std::uint32_t type_id(const TypeName& name);
    // A fresh state with the ruleset's `state`.
    [[nodiscard]] State initial_state() const;
    // Whether the constants have a node of that name; the state's root then must not have one.
    [[nodiscard]] bool has_constant(Symbol name) const {
        return constants != nullptr && constants->child(constants->root(), name);
    }
    // Replaces the state with a document from outside; reports errors to `diagnostics`.
    bool import(State& state, const Document& document, Diagnostics& diagnostics) const;

    Symbols symbols;
    std::unique_ptr<Layout> layout;
    std::unique_ptr<Layout> constants_layout;
    std::unique_ptr<State> constants; // null if there are none

    std::vector<TypePlan> types;   // types of values; 0 is any
    std::vector<RulePlan> rules;   // those of named groups and all nested ones, in written order
    std::vector<GroupPlan> groups; // named groups first, in the ruleset's order
    std::unordered_map<const Group*, GroupId> inner_groups; // groups in actions
    std::uint32_t shown_values = 0; // the largest number of values passed to observers
    std::deque<Group> agendas;      // agenda groups as compiled; a deque, so that they never move

  private:
    const Ruleset* ruleset_;
};

// Questions that conditions ask about values, both at run time and when compiled.

// Whether the value, which must not be None, has that type.
bool is_of_type(const Value& value, const TypePlan& type, const Layout& layout,
                const Symbols& symbols);

// `op` must be a comparison.
bool compares(ExprOp op, const Value& a, const Value& b, const Symbols& symbols);

} // namespace croupier::engine
