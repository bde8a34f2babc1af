// Runs the checks, and those that are only a few lines.
#include "engine/lang/check.h"

#include "engine/lang/walk.h"

#include <map>

namespace croupier::engine {
namespace {

Damage damage_of(const Diagnostics& diagnostics) {
    Damage damage;
    for (const Diagnostic& diagnostic : diagnostics.sorted()) {
        if (diagnostic.severity != Severity::Error) continue;
        if (diagnostic.rule.empty())
            damage.outside_rules = true;
        else
            damage.rules.insert(diagnostic.rule);
    }
    return damage;
}

// The first random(..) in an expression, a pattern or what stands below it; none: nullptr.
const Expr* chance_in(const Expr& expr) {
    if (expr.op == ExprOp::Random) return &expr;
    for (const Expr& arg : expr.args) {
        if (const Expr* found = chance_in(arg)) return found;
    }
    return nullptr;
}

const Expr* chance_in(const std::vector<Expr>& exprs) {
    for (const Expr& expr : exprs) {
        if (const Expr* found = chance_in(expr)) return found;
    }
    return nullptr;
}

const Expr* chance_in(const Pattern& pattern) {
    if (const Expr* found = chance_in(pattern.expr)) return found;
    if (const Expr* found = chance_in(pattern.choices)) return found;
    for (const Entry& entry : pattern.entries) {
        if (const Expr* found = chance_in(entry.value)) return found;
        for (const auto* patterns : {&entry.patterns, &entry.into}) {
            for (const Pattern& below : *patterns) {
                if (const Expr* found = chance_in(below)) return found;
            }
        }
    }
    return nullptr;
}

// Its opening brace: a warning need not show a whole rule.
Span first_of(Span span) {
    return {span.file, span.begin, span.begin + 1};
}

} // namespace

// What a rule of an agenda would do by chance is done when its matches are kept up to date, which
// is nobody's to count on.
void check_agendas(Reading& reading, const Ruleset& ruleset) {
    for (const Group& group : ruleset.groups) {
        if (group.mode != GroupMode::Agenda) continue;
        for (const Rule& rule : group.rules) {
            const RuleScope named(reading, rule.name);
            if (rule.otherwise.kind != Action::Kind::None) {
                reading.error(code::kAgendaRule, rule.otherwise.span,
                              "a rule of an agenda has no else: it waits until it has a match",
                              "write another rule with the opposite condition, using @not");
            }
            const Expr* chance = chance_in(rule.salience);
            if (chance == nullptr && rule.condition) chance = chance_in(*rule.condition);
            if (chance != nullptr) {
                reading.error(code::kAgendaRule, chance->span,
                              "random(..) has no place in a condition or salience of an agenda: "
                              "its matches are kept, not drawn again",
                              "draw in an action and read what it wrote, or use the strategy "
                              "random");
            }
        }
    }
}

void check_ruleset(Reading& reading, const Ruleset& ruleset, const CheckSettings& settings) {
    const Damage damage = damage_of(reading.diagnostics);
    check_names(reading, ruleset, settings.strict);
    check_agendas(reading, ruleset);
    check_shape(reading, ruleset);
    check_contradictions(reading, ruleset);
    check_same_step(reading, ruleset);
    check_data(reading, ruleset);
    // Last: where something is wrong, it may be what would have used a variable.
    check_variables(reading, ruleset, settings.unused, damage);
}

void check_names(Reading& reading, const Ruleset& ruleset, bool strict) {
    std::map<std::string, Span> seen;
    for_each_rule(ruleset, [&](const Rule& rule) {
        if (strict && !rule.named) {
            const RuleScope scope(reading, rule.name);
            reading.warning(code::kNamelessRule, first_of(rule.span), "this rule has no name",
                            "revisions and profiles refer to rules by their names");
        }
        const auto [first, added] = seen.try_emplace(rule.name, rule.name_span);
        if (added) return;
        reading.error(code::kDuplicateRule, rule.name_span,
                      "a second rule named " + rule.name + "; the first is at " +
                          reading.sources.place(first->second),
                      "give it another name");
    });
}

} // namespace croupier::engine
