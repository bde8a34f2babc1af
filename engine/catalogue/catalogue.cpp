// Builds the catalogue of a ruleset: layout, constants, groups, rules.
#include "engine/catalogue/catalogue.h"

#include "engine/text/codes.h"

#include <algorithm>
#include <span>

namespace croupier::engine {

namespace {

// The constant relations that domains define: near, step and ray of grids, next of ordered domains.

// The order of their children decides the order of matches.

// near.<cell>.<cell> is true for neighbours, in the domain's order.
void add_near(const Domain& domain, Document& near) {
    for (std::uint32_t cell = 0; cell < domain.members.size(); ++cell) {
        std::vector<std::uint32_t> around;
        for (const Direction& direction : kDirections) {
            if (!lead(domain.grid->near, direction)) continue;
            if (const auto other = domain.grid->beyond(cell, direction)) around.push_back(*other);
        }
        std::sort(around.begin(), around.end());
        around.erase(std::unique(around.begin(), around.end()), around.end());
        Document neighbours = json::object();
        for (const std::uint32_t other : around)
            json::add(neighbours, domain.members[other], json::boolean(true));
        json::add(near, domain.members[cell], std::move(neighbours));
    }
}

// step.<direction>.<cell> is the next cell.
void add_step(const Domain& domain, Document& step) {
    for (const Direction& direction : kDirections) {
        if (!lead(domain.grid->step, direction)) continue;
        Document& cells = json::child_object(step, direction.name);
        for (std::uint32_t cell = 0; cell < domain.members.size(); ++cell)
            if (const auto other = domain.grid->beyond(cell, direction))
                json::add(cells, domain.members[cell], json::text(domain.members[*other]));
    }
}

// ray.<direction>.<cell>.<cell> is the number of steps, up to the edge or once around.
void add_ray(const Domain& domain, Document& ray) {
    for (const Direction& direction : kDirections) {
        if (!lead(domain.grid->ray, direction)) continue;
        Document& cells = json::child_object(ray, direction.name);
        for (std::uint32_t cell = 0; cell < domain.members.size(); ++cell) {
            Document line = json::object();
            auto reached = domain.grid->beyond(cell, direction);
            for (int steps = 1; reached && *reached != cell; ++steps) {
                json::add(line, domain.members[*reached], json::integer(steps));
                reached = domain.grid->beyond(*reached, direction);
            }
            if (!line.members.empty()) json::add(cells, domain.members[cell], std::move(line));
        }
    }
}

// next.<member> is the member after it.
void add_next(const Domain& domain, Document& next) {
    const std::size_t count = domain.members.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (i + 1 == count && domain.order == Domain::Order::Linear) break;
        const std::size_t after = (i + 1) % count;
        json::add(next, domain.members[i],
                  domain.numbered ? json::integer(after) : json::text(domain.members[after]));
    }
}

// Adds the relations of all domains to `constants`, an object; domains share relations of one name.
void add_relations(const std::vector<Domain>& domains, Document& constants) {
    for (const Domain& domain : domains) {
        if (domain.grid && domain.grid->near != Ways::None)
            add_near(domain, json::child_object(constants, "near"));
        if (domain.grid && domain.grid->step != Ways::None)
            add_step(domain, json::child_object(constants, "step"));
        if (domain.grid && domain.grid->ray != Ways::None)
            add_ray(domain, json::child_object(constants, "ray"));
        if (domain.order != Domain::Order::None)
            add_next(domain, json::child_object(constants, "next"));
    }
}

// Finds the variables that a condition binds, from its text only.

struct BoundName {
    std::string name;
    std::uint32_t entry = 0; // the entry of the condition that binds it
};

bool is_among(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

// Tracks which variables are bound at an entry, by the same rules as the checks.
class Names {
  public:
    // `known` are bound around the condition. With `all` lists every binding entry, also those
    // local to a @not or an alternative; otherwise what a match binds, in the order of first
    // binding.
    Names(std::span<const std::string> known, bool all)
        : known_(known.begin(), known.end()), all_(all) {}

    std::vector<BoundName> of(const Pattern& condition) {
        collect(condition, 0);
        return std::move(bound_);
    }

  private:
    void add(const std::string& name, std::uint32_t entry) {
        if (is_among(known_, name)) return;
        known_.push_back(name);
        bound_.push_back({name, entry});
    }
    void collect(const Pattern& pattern, std::uint32_t entry) {
        if (pattern.kind == PatternKind::Bind || pattern.kind == PatternKind::Assign)
            add(pattern.variable, entry);
        for (const Entry& each : pattern.entries)
            collect(each);
    }
    void collect(const Entry& entry) {
        if (entry.kind == KeyKind::Variable) add(entry.variable, entry.id);
        const bool ways = form_of(entry.kind) == EntryForm::Ways;
        const bool local = searches_inside(entry.kind);
        const auto outside = static_cast<std::ptrdiff_t>(known_.size());
        const std::size_t before = bound_.size();
        std::vector<std::string> common; // bound by every alternative, so also known after them
        for (const Pattern& below : entry.patterns) {
            if (!all_ && is_local(entry.kind)) break;
            collect(below, entry.id);
            if (ways) {
                const std::vector<std::string> own(known_.begin() + outside, known_.end());
                if (&below == &entry.patterns[0]) common = own;
                std::erase_if(common,
                              [&](const std::string& name) { return !is_among(own, name); });
            }
            // Variables found by @forall stay known in the part that must hold.
            if (local && entry.kind != KeyKind::Forall) known_.resize(outside);
        }
        if (local) known_.resize(outside);
        if (ways && !all_) keep_first(before, common);
        known_.insert(known_.end(), common.begin(), common.end());
        for (const Pattern& into : entry.into)
            collect(into, entry.id);
    }
    // Keeps the first binding of each name that all alternatives bind.
    void keep_first(std::size_t before, const std::vector<std::string>& common) {
        std::vector<BoundName> kept(bound_.begin(),
                                    bound_.begin() + static_cast<std::ptrdiff_t>(before));
        for (const std::string& name : common)
            kept.push_back(*std::ranges::find(bound_.begin() + static_cast<std::ptrdiff_t>(before),
                                              bound_.end(), name, &BoundName::name));
        bound_ = std::move(kept);
    }

    std::vector<std::string> known_;
    bool all_;
    std::vector<BoundName> bound_;
};

void intern_texts(const Document& document, Symbols& symbols) {
    if (document.is_string()) symbols.intern(document.text());
    for (std::size_t i = 0; i < document.members.size(); ++i) {
        symbols.intern(document.is_array() ? std::to_string(i) : document.members[i].key);
        intern_texts(document.members[i].value, symbols);
    }
}

// The ruleset's own constants, its options, and the relations of its domains.
Document all_constants(const Ruleset& ruleset) {
    Document constants = ruleset.constants.value_or(json::object());
    if (!ruleset.options.empty()) {
        Document& options = json::child_object(constants, "options");
        for (const Option& option : ruleset.options)
            json::add(options, option.name, option.value);
    }
    add_relations(ruleset.types, constants);
    for (const Domain* type : types_as_constants(ruleset)) {
        Document& members = json::child_object(constants, type->name);
        for (const std::string& member : type->members)
            json::add(members, member, json::boolean(true));
    }
    return constants;
}

// Numbers groups, rules and variables.
class Numbering {
  public:
    explicit Numbering(Catalogue& catalogue) : catalogue_(catalogue) {}

    void number(const std::vector<Group>& groups) {
        for (const Group& group : groups)
            catalogue_.groups.push_back({group.name, group.mode, {}, group.span, nullptr});
        for (GroupId id = 0; id < groups.size(); ++id) {
            const bool agenda = groups[id].mode == GroupMode::Agenda;
            if (agenda) catalogue_.agendas.push_back(with_named_wildcards(groups[id]));
            const Group& group = agenda ? catalogue_.agendas.back() : groups[id];
            rules(group, id);
            if (agenda) plan_agenda(group, id);
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
        // Nested rules see the variables of the action that contains them; those in `else` do not.
        const std::size_t outer = known_.size();
        if (rule.condition) {
            for (BoundName& each : Names(known_, false).of(*rule.condition)) {
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

    // Local names get places after all others. Nested rules may reuse these places, since they are
    // searched later.
    void inner(const Rule& rule, RuleId id, std::size_t outer) {
        std::vector<std::string> names = known_;
        RulePlan& plan = catalogue_.rules[id];
        std::vector<BoundName> entries;
        if (rule.condition)
            entries = Names(std::span(known_).first(outer), true).of(*rule.condition);
        for (BoundName& each : entries) {
            const auto place =
                static_cast<std::uint32_t>(std::ranges::find(names, each.name) - names.begin());
            if (place == names.size()) names.push_back(each.name);
            const bool is_first =
                place < known_.size() && plan.variables[place - outer].entry == each.entry;
            if (!is_first) plan.inner.push_back({std::move(each.name), place, each.entry});
        }
        catalogue_.shown_values =
            std::max(catalogue_.shown_values, static_cast<std::uint32_t>(names.size()));
    }

    void action(const Action& action) {
        for_each<Group>(action, [&](const Group& inner) { group(inner); });
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
            for (const Variable& variable : catalogue_.rules[rule].variables)
                names.push_back(variable.name);
        }
        catalogue_.groups[id].agenda =
            std::make_shared<AgendaPlan>(engine::plan_agenda(group, variables, catalogue_.symbols));
    }

    Catalogue& catalogue_;
    std::vector<std::string> known_; // variables of the enclosing rules, in order
};

} // namespace

bool is_of_type(const Value& value, const TypePlan& type, const Layout& layout,
                const Symbols& symbols) {
    using Kind = TypePlan::Kind;
    const bool integer_key = value.tag == Tag::Key && symbols.integer(value.symbol()).has_value();
    switch (type.kind) {
    case Kind::Any:
        return true;
    case Kind::Int:
        return value.tag == Tag::Int || integer_key;
    case Kind::Double:
        return value.tag == Tag::Double;
    case Kind::Number:
        return value.tag == Tag::Int || value.tag == Tag::Double || integer_key;
    case Kind::String:
        return value.is_text();
    case Kind::Bool:
        return value.tag == Tag::Bool;
    case Kind::Null:
        return value.tag == Tag::Null;
    case Kind::Domain: {
        const DomainTable& domain = layout.domain(type.domain);
        if (value.tag == Tag::Int)
            return domain.numbered && value.integer >= 0 && value.integer < domain.size();
        // A string is not a number, so a numbered domain's members are its integers and keys.
        return (value.tag == Tag::Key || (value.tag == Tag::String && !domain.numbered)) &&
               domain.row_of(value.symbol()) != kNoRow;
    }
    }
    return false;
}

bool compares(ExprOp op, const Value& a, const Value& b, const Symbols& symbols) {
    if (a.tag == Tag::Int && b.tag == Tag::Int) return compare_integers(op, a.integer, b.integer);
    if (op == ExprOp::Equal) return equal(a, b, symbols);
    if (op == ExprOp::NotEqual) return !equal(a, b, symbols);
    const auto order = compare(a, b, symbols);
    if (!order || *order == std::partial_ordering::unordered) return false;
    return compare_integers(op, *order < 0 ? -1 : *order > 0 ? 1 : 0, 0);
}

Catalogue::Catalogue(const Ruleset& ruleset) : ruleset_(&ruleset) {
    layout =
        std::make_unique<Layout>(ruleset.types, ruleset.shape ? &*ruleset.shape : nullptr, symbols);
    const Document fixed = all_constants(ruleset);
    intern_texts(fixed, symbols);
    if (ruleset.state) intern_texts(*ruleset.state, symbols);
    if (!fixed.members.empty()) {
        constants_layout = std::make_unique<Layout>(symbols);
        constants = std::make_unique<State>(*constants_layout);
        constants->write(constants->root(), fixed);
    }
    type_id({}); // 0 is any
    Numbering(*this).number(ruleset.groups);
}

GroupId Catalogue::group_id(std::string_view name) const {
    for (GroupId id = 0; id < groups.size(); ++id)
        if (groups[id].name == name) return id;
    return kNone;
}

const GroupPlan* Catalogue::group(std::string_view name) const {
    const GroupId id = group_id(name);
    return id == kNone ? nullptr : &groups[id];
}

RuleId Catalogue::rule_id(std::string_view name) const {
    for (RuleId id = 0; id < rules.size(); ++id)
        if (rules[id].name == name) return id;
    return kNone;
}

std::uint32_t Catalogue::type_id(const TypeName& name) {
    // In the order of TypePlan::Kind.
    constexpr std::string_view kBuiltin[] = {"any",    "int",  "double", "number",
                                             "string", "bool", "null"};
    TypePlan plan;
    const auto* const known = std::find(std::begin(kBuiltin), std::end(kBuiltin), name.name);
    plan.kind =
        name.name.empty() ? TypePlan::Kind::Any : static_cast<TypePlan::Kind>(known - kBuiltin);
    if (plan.kind == TypePlan::Kind::Domain) plan.domain = layout->domain_id(name.name);
    for (std::uint32_t i = 0; i < types.size(); ++i)
        if (types[i].kind == plan.kind && types[i].domain == plan.domain) return i;
    types.push_back(plan);
    return static_cast<std::uint32_t>(types.size() - 1);
}

State Catalogue::initial_state() const {
    State state(*layout);
    if (ruleset_->state) state.write(state.root(), *ruleset_->state);
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
