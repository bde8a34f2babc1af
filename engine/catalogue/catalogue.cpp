// From a ruleset to its catalogue: layout, constants, groups, rules.
#include "engine/catalogue/catalogue.h"

#include "engine/catalogue/agenda_guards.h"
#include "engine/catalogue/bound_names.h"
#include "engine/catalogue/relations.h"
#include "engine/text/codes.h"
#include "engine/text/json_build.h"

#include <algorithm>
#include <utility>

namespace croupier::engine {

namespace {

void intern_texts(const Document& document, Symbols& symbols) {
    if (document.is_string()) {
        symbols.intern(document.text());
    }
    for (std::size_t i = 0; i < document.members.size(); ++i) {
        symbols.intern(document.is_array() ? std::to_string(i) : document.members[i].key);
        intern_texts(document.members[i].value, symbols);
    }
}

// The ruleset's own constants, its options, and the relations that its domains bring.
Document all_constants(const Ruleset& ruleset) {
    Document constants = ruleset.constants.value_or(json::object());
    if (!ruleset.options.empty()) {
        Document& options = json::child_object(constants, "options");
        for (const Option& option : ruleset.options) {
            json::add(options, option.name, option.value);
        }
    }
    add_relations(ruleset.types, constants);
    return constants;
}

// Gives groups, rules and variables their numbers.
class Numbering {
  public:
    explicit Numbering(Catalogue& catalogue) : catalogue_(catalogue) {}

    void number(const std::vector<Group>& groups) {
        for (const Group& group : groups) {
            catalogue_.groups.push_back({group.name, group.mode, {}, group.span, nullptr});
        }
        for (GroupId id = 0; id < groups.size(); ++id) {
            const bool agenda = groups[id].mode == GroupMode::Agenda;
            if (agenda) {
                catalogue_.agendas.push_back(with_named_wildcards(groups[id]));
            }
            const Group& group = agenda ? catalogue_.agendas.back() : groups[id];
            rules(group, id);
            if (agenda) {
                plan_agenda(group, id);
            }
        }
    }

  private:
    void rules(const Group& group, GroupId id) {
        for (const Rule& each : group.rules) {
            const RuleId made = rule(each);
            catalogue_.groups[id].rules.push_back(made);
        }
    }

    RuleId rule(const Rule& rule) {
        const auto id = static_cast<RuleId>(catalogue_.rules.size());
        catalogue_.rules.push_back(
            {rule.name, rule.span, rule.repeat, rule.first, rule.log, {}, &rule, {}});
        // Rules below see the variables of the action that they stand in; `else` has none.
        const std::size_t outer = known_.size();
        if (rule.condition) {
            for (BoundName& each : bound_names(*rule.condition, known_)) {
                const auto place = static_cast<std::uint32_t>(known_.size());
                known_.push_back(each.name);
                catalogue_.rules[id].variables.push_back({std::move(each.name), place, each.entry});
            }
        }
        inner(rule, id, outer);
        action(rule.action);
        known_.resize(outer);
        action(rule.otherwise);
        return id;
    }

    // Names of its own alone have places behind all others: rules below, which have the same, are
    // searched later.
    void inner(const Rule& rule, RuleId id, std::size_t outer) {
        std::vector<std::string> names = known_;
        RulePlan& plan = catalogue_.rules[id];
        std::vector<BoundName> entries;
        if (rule.condition) {
            entries = binding_entries(*rule.condition, std::span(known_).first(outer));
        }
        for (BoundName& each : entries) {
            const auto place = static_cast<std::uint32_t>(
                std::find(names.begin(), names.end(), each.name) - names.begin());
            if (place == names.size()) {
                names.push_back(each.name);
            }
            const bool is_first =
                place < known_.size() && plan.variables[place - outer].entry == each.entry;
            if (!is_first) {
                plan.inner.push_back({std::move(each.name), place, each.entry});
            }
        }
        catalogue_.shown_values =
            std::max(catalogue_.shown_values, static_cast<std::uint32_t>(names.size()));
    }

    void action(const Action& action) {
        if (action.kind == Action::Kind::Group) {
            group(*action.group);
        } else {
            tree(action.tree);
        }
    }

    void tree(const ActionNode& node) {
        for (const ActionEntry& each : node.entries) {
            if (each.group != nullptr) {
                group(*each.group);
            }
            tree(each.node);
        }
    }

    void group(const Group& group) {
        const auto id = static_cast<GroupId>(catalogue_.groups.size());
        catalogue_.inner_groups.emplace(&group, id);
        catalogue_.groups.push_back({group.name, group.mode, {}, group.span, nullptr});
        rules(group, id);
    }

    void plan_agenda(const Group& group, GroupId id) {
        std::vector<std::vector<std::string>> variables;
        for (const RuleId rule : catalogue_.groups[id].rules) {
            std::vector<std::string>& names = variables.emplace_back();
            for (const Variable& variable : catalogue_.rules[rule].variables) {
                names.push_back(variable.name);
            }
        }
        AgendaPlan plan =
            engine::plan_agenda(group, variables, catalogue_.symbols, *catalogue_.layout);
        for (std::size_t i = 0; i < group.rules.size(); ++i) {
            if (const auto& condition = group.rules[i].condition) {
                plan.rules[i].guards = guards_of(*condition, *catalogue_.layout, catalogue_.symbols,
                                                 catalogue_.constants.get());
            }
        }
        catalogue_.groups[id].agenda = std::make_shared<AgendaPlan>(std::move(plan));
    }

    Catalogue& catalogue_;
    std::vector<std::string> known_; // variables of the rules around, in their order
};

} // namespace

Catalogue::Catalogue(const Ruleset& ruleset) : ruleset_(&ruleset) {
    layout =
        std::make_unique<Layout>(ruleset.types, ruleset.shape ? &*ruleset.shape : nullptr, symbols);
    const Document fixed = all_constants(ruleset);
    intern_texts(fixed, symbols);
    if (ruleset.state) {
        intern_texts(*ruleset.state, symbols);
    }
    if (!fixed.members.empty()) {
        constants_layout = std::make_unique<Layout>(symbols);
        constants = std::make_unique<State>(*constants_layout);
        constants->write(constants->root(), fixed);
    }
    type_id({}); // 0 is any
    Numbering(*this).number(ruleset.groups);
}

GroupId Catalogue::group_id(std::string_view name) const {
    for (GroupId id = 0; id < groups.size(); ++id) {
        if (groups[id].name == name) {
            return id;
        }
    }
    return kNone;
}

const GroupPlan* Catalogue::group(std::string_view name) const {
    const GroupId id = group_id(name);
    return id == kNone ? nullptr : &groups[id];
}

RuleId Catalogue::rule_id(std::string_view name) const {
    for (RuleId id = 0; id < rules.size(); ++id) {
        if (rules[id].name == name) {
            return id;
        }
    }
    return kNone;
}

std::uint32_t Catalogue::type_id(const TypeName& name) {
    TypePlan plan;
    using Kind = TypePlan::Kind;
    if (name.name.empty() || name.name == "any") {
        plan.kind = Kind::Any;
    } else if (name.name == "int") {
        plan.kind = Kind::Int;
    } else if (name.name == "double") {
        plan.kind = Kind::Double;
    } else if (name.name == "number") {
        plan.kind = Kind::Number;
    } else if (name.name == "string") {
        plan.kind = Kind::String;
    } else if (name.name == "bool") {
        plan.kind = Kind::Bool;
    } else if (name.name == "null") {
        plan.kind = Kind::Null;
    } else {
        plan.kind = Kind::Domain;
        plan.domain = layout->domain_id(name.name);
    }
    for (std::uint32_t i = 0; i < types.size(); ++i) {
        if (types[i].kind == plan.kind && types[i].domain == plan.domain) {
            return i;
        }
    }
    types.push_back(plan);
    return static_cast<std::uint32_t>(types.size() - 1);
}

State Catalogue::initial_state() const {
    State state(*layout);
    if (ruleset_->state) {
        state.write(state.root(), *ruleset_->state);
    }
    return state;
}

bool Catalogue::import(State& state, const Document& document, Diagnostics& diagnostics) const {
    bool clean = true;
    for (const Member& member : document.members) {
        const Symbol name = symbols.find(member.key);
        if (name != kNoSymbol && has_constant(name)) {
            diagnostics.error(code::kConstantClash, member.key_span,
                              "the state has the node '" + member.key + "', which is a constant",
                              "rules read constants at the root of the state; rename one of them");
            clean = false;
        }
    }
    return state.import(document, diagnostics) && clean;
}

} // namespace croupier::engine
