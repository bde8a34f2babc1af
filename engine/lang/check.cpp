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

} // namespace

void check_ruleset(Reading& reading, const Ruleset& ruleset, bool unused) {
    const Damage damage = damage_of(reading.diagnostics);
    check_names(reading, ruleset);
    check_shape(reading, ruleset);
    check_contradictions(reading, ruleset);
    check_data(reading, ruleset);
    // Last: where something is wrong, it may be what would have used a variable.
    check_variables(reading, ruleset, unused, damage);
}

void check_names(Reading& reading, const Ruleset& ruleset) {
    std::map<std::string, Span> seen;
    for_each_rule(ruleset, [&](const Rule& rule) {
        const auto [first, added] = seen.try_emplace(rule.name, rule.name_span);
        if (added) return;
        reading.error(code::kDuplicateRule, rule.name_span,
                      "a second rule named " + rule.name + "; the first is at " +
                          reading.sources.place(first->second),
                      "give it another name");
    });
}

} // namespace croupier::engine
