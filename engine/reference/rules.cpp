#include "engine/reference/rules.h"

#include "engine/reference/actions.h"
#include "engine/reference/agenda.h"
#include "engine/reference/matcher.h"

namespace croupier::engine::reference {

void fire(const Rule& rule, const Action& action, const Match& match, const Scope& outer) {
    if (action.kind == Action::Kind::None) return;
    const CurrentRule current(outer.world, rule);
    outer.world.count_step();
    if (++outer.world.firings > outer.world.budgets.firings) {
        outer.world.fail(RunErrorKind::BudgetFirings, rule.span, "too many firings");
    }
    Scope scope = outer;
    for (const auto& [name, value] : match) {
        scope.bindings.bind(name, value);
    }
    act(action, scope);
}

namespace {

std::vector<Match> search(const Rule& rule, Scope& scope) {
    const CurrentRule current(scope.world, rule);
    scope.world.count_step();
    auto matches = find_matches(rule, scope);
    scope.world.outcome.applications.push_back({rule.name, matches});
    return matches;
}

void fire_all(const Rule& rule, const std::vector<Match>& matches, const Scope& scope) {
    for (const Match& match : matches) {
        fire(rule, rule.action, match, scope);
    }
}

void otherwise(const Rule& rule, const Scope& scope) {
    if (scope.world.fault != Fault::ElseForgotten) fire(rule, rule.otherwise, {}, scope);
}

void apply(const Rule& rule, Scope& scope) {
    const std::uint32_t rounds = scope.world.fault == Fault::RepeatIgnored ? 1 : rule.repeat;
    for (std::uint32_t round = 0; round < rounds; ++round) {
        const auto matches = search(rule, scope);
        if (matches.empty()) {
            if (round == 0) otherwise(rule, scope);
            return;
        }
        fire_all(rule, matches, scope);
    }
}

void run_at_once(const Group& group, Scope& scope) {
    std::vector<std::vector<Match>> found;
    for (const Rule& rule : group.rules) {
        found.push_back(search(rule, scope));
    }
    for (std::size_t i = 0; i < group.rules.size(); ++i) {
        fire_all(group.rules[i], found[i], scope);
        if (found[i].empty()) otherwise(group.rules[i], scope);
    }
}

} // namespace

void run_rules(const Group& group, Scope& scope) {
    if (group.mode == GroupMode::Agenda) {
        return run_agenda(group, scope);
    }
    if (group.mode == GroupMode::AtOnce && scope.world.fault != Fault::AtOnceIgnored) {
        return run_at_once(group, scope);
    }
    for (const Rule& rule : group.rules) {
        apply(rule, scope);
    }
}

} // namespace croupier::engine::reference
