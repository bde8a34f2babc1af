// Derives a run's facts and its sides from a game's facts.
#include "tournaments/runner/run_facts.h"

#include "engine/api/explain.h"
#include "engine/api/plan.h"
#include "engine/api/ruleset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace croupier::tournaments {

results::RunFacts facts_of(const games::Facts& game) {
    results::RunFacts facts;
    facts.game = game.title();
    facts.players = game.players;
    for (const games::Team& team : game.teams)
        facts.teams.push_back({team.name, team.seats});
    return facts;
}

Sides sides_of(const results::RunFacts& facts) {
    Sides sides;
    for (const results::TeamFacts& team : facts.teams)
        sides.push_back(team.seats);
    const auto seats = static_cast<std::uint32_t>(facts.players.size());
    for (std::uint32_t seat = 0; facts.teams.empty() && seat < seats; ++seat)
        sides.push_back({seat});
    return sides;
}

// Walks conditions and actions for the facts that hints and coverage need.

namespace {

using engine::Action;
using engine::ActionNode;
using engine::Entry;
using engine::Expr;
using engine::KeyKind;
using engine::KeyTemplate;
using engine::Pattern;
using engine::PatternKind;
using results::EntryFacts;
using results::kNothing;
using results::OptionFacts;
using results::RuleFacts;

// Entries whose failure the author wants or accepts.
bool inverts(KeyKind kind) {
    return engine::is_local(kind) && kind != KeyKind::Exists;
}

class Conditions {
  public:
    Conditions(const engine::Sources& sources, std::size_t entries)
        : sources_(sources), entries_(entries) {}

    std::vector<EntryFacts> of(const Pattern& condition) {
        visit(condition, 0, false, nullptr);
        return std::move(entries_);
    }

  private:
    void visit(const Pattern& pattern, std::uint32_t depth, bool inverted, EntryFacts* around) {
        if (around != nullptr) leaf(pattern, *around);
        for (const Entry& entry : pattern.entries) {
            EntryFacts& facts = entries_[entry.id];
            facts.text = engine::excerpt(sources_, entry.span, 60);
            facts.depth = depth;
            facts.inverted = inverted;
            if (entry.kind == KeyKind::Variable) mention(entry.variable, facts);
            use(entry.key, facts);
            use(entry.path, facts);
            for (const Expr& value : entry.value)
                use(value, facts);
            visit_inner(entry, depth, inverted, facts);
            for (const Pattern& into : entry.into)
                leaf(into, facts);
        }
    }

    // Variables bound inside @not and similar entries are known only there, and every alternative
    // of @any binds separately.
    void visit_inner(const Entry& entry, std::uint32_t depth, bool inverted, EntryFacts& facts) {
        const std::size_t known = bound_.size();
        const bool turned = inverted || inverts(entry.kind);
        for (std::size_t i = 0; i < entry.patterns.size(); ++i) {
            if (i > 0 && entry.kind == KeyKind::AnyOf) bound_.resize(known);
            visit(entry.patterns[i], depth + 1, turned, &facts);
        }
        if (engine::is_local(entry.kind)) bound_.resize(known);
    }

    void leaf(const Pattern& pattern, EntryFacts& facts) {
        use(pattern.expr, facts);
        for (const Expr& choice : pattern.choices)
            use(choice, facts);
        if (pattern.kind == PatternKind::Bind || pattern.kind == PatternKind::Assign)
            mention(pattern.variable, facts);
    }

    // The first place that mentions a variable binds it.
    void mention(const std::string& name, EntryFacts& facts) {
        const bool known = std::find(bound_.begin(), bound_.end(), name) != bound_.end();
        if (!known) bound_.push_back(name);
        add(name, known ? facts.uses : facts.binds);
    }
    static void add(const std::string& name, std::vector<std::string>& names) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    template <class Part>
    static void use(const Part& part, EntryFacts& facts) {
        engine::for_each_variable(
            part, [&](const std::string& name, engine::Span) { add(name, facts.uses); });
    }

    const engine::Sources& sources_;
    std::vector<EntryFacts> entries_;
    std::vector<std::string> bound_;
};

// ---- options ------------------------------------------------------------------------------------

class OptionUses {
  public:
    explicit OptionUses(std::vector<OptionFacts>& options) : options_(options) {}

    void look(const engine::Rule& rule, std::uint32_t id) {
        rule_ = id;
        entry_ = kNothing;
        if (rule.condition) visit(*rule.condition, 0);
        entry_ = kNothing;
        for (const Action* action : {&rule.action, &rule.otherwise})
            look(*action);
        for (const Expr& salience : rule.salience)
            look(salience);
    }

  private:
    void add(const std::string& name) {
        for (OptionFacts& option : options_) {
            const OptionFacts::Use use{rule_, entry_};
            auto& uses = option.uses;
            if (option.name == name && std::find(uses.begin(), uses.end(), use) == uses.end())
                uses.push_back(use);
        }
    }

    // Rules inside an action are visited separately.
    template <class Part>
    void look(const Part& part) {
        engine::for_each<Expr>(part, [&](const Expr& each) {
            if (!each.option.empty()) add(each.option);
        });
    }

    void visit(const Pattern& pattern, std::uint32_t depth) {
        look(pattern.expr);
        for (const Expr& choice : pattern.choices)
            look(choice);
        for (const Entry& entry : pattern.entries) {
            entry_ = entry.id;
            for (const Expr& value : entry.value)
                look(value);
            const bool options = depth == 0 && entry.kind == KeyKind::Name && entry.key.is_name() &&
                                 entry.key.parts[0].text == "options";
            for (const Pattern& below : entry.patterns) {
                if (options) by_name(below);
                visit(below, depth + 1);
                entry_ = entry.id;
            }
        }
    }

    // "options": {"NAME": ..}
    void by_name(const Pattern& options) {
        for (const Entry& entry : options.entries) {
            entry_ = entry.id;
            if (entry.kind == KeyKind::Name && entry.key.is_name()) add(entry.key.parts[0].text);
        }
    }

    std::vector<OptionFacts>& options_;
    std::uint32_t rule_ = 0;
    std::uint32_t entry_ = kNothing;
};

} // namespace

void add_rule_facts(const engine::Program& program, const engine::Sources& sources,
                    std::optional<std::uint32_t> agent, bool entries,
                    results::ProfileFacts& facts) {
    const engine::Catalogue& catalogue = program.catalogue();
    const std::size_t first = facts.rules.size();
    for (const engine::RuleRow& row : engine::rows(catalogue, engine::Profile(catalogue))) {
        const engine::RulePlan& plan = catalogue.rules[row.rule];
        const engine::Rule& rule = *plan.source;
        RuleFacts known{agent, row.group, row.name, sources.place(row.span), true, true, {}};
        known.acts =
            rule.action.kind != Action::Kind::None || rule.otherwise.kind != Action::Kind::None;
        known.ordered = engine::form::keeps_order(program.unwatched(), row.rule);
        if (entries && rule.condition)
            known.entries = Conditions(sources, rule.entry_count).of(*rule.condition);
        facts.rules.push_back(std::move(known));
    }
    if (!entries) return;
    for (const engine::form::Walk& walk : engine::form::walks(program.unwatched()))
        for (const engine::RuleId rule : walk.rules)
            facts.rules[first + rule].walks.push_back(
                fmt::format("{}; {}", walk.text(), walk.cure));
}

void add_option_facts(const engine::Catalogue& catalogue, results::ProfileFacts& facts) {
    for (const engine::Option& option : catalogue.ruleset().options)
        facts.options.push_back({option.name, engine::scalar_json(option.value.scalar), {}});
    OptionUses uses(facts.options);
    for (std::uint32_t id = 0; id < catalogue.rules.size(); ++id)
        uses.look(*catalogue.rules[id].source, id);
}

} // namespace croupier::tournaments
