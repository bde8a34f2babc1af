#include "engine/reference/model.h"

#include "engine/reference/matcher.h"
#include "engine/reference/rules.h"

namespace croupier::engine::reference {

std::vector<Match> find_matches(const Ruleset& ruleset, const Rule& rule, const Node& state,
                                Random& random, const Budgets& budgets) {
    Node copy = state;
    World world(ruleset, copy, random, budgets, Fault::None);
    world.shapes.fit_state(copy);
    world.rule = &rule;
    Scope scope{world, {}, {}};
    return find_matches(rule, scope);
}

Outcome run_group(const Ruleset& ruleset, const Group& group, Node& state, Random& random,
                  const Budgets& budgets, Fault fault) {
    World world(ruleset, state, random, budgets, fault);
    Scope scope{world, {}, {}};
    try {
        if (!world.shapes.fit_state(state)) {
            world.fail(RunErrorKind::Shape, {}, "the state is not of the declared shape");
        }
        run_rules(group, scope);
    } catch (const RunFailure& failure) {
        world.outcome.error = failure.error();
    }
    return std::move(world.outcome);
}

} // namespace croupier::engine::reference
