#include "engine/reference/world.h"

#include "engine/reference/relations.h"

namespace croupier::engine::reference {

World::World(const Ruleset& rules, Node& root, Random& chance, const Budgets& limits, Fault mistake)
    : ruleset(rules), state(root), random(chance), budgets(limits), fault(mistake), shapes(rules),
      constants(build_constants(rules)) {}

void World::fail(RunErrorKind kind, Span span, std::string detail) const {
    throw RunFailure({kind, rule != nullptr ? rule->name : std::string{}, span, std::move(detail)});
}

void World::count_step() {
    if (++steps > budgets.steps) {
        fail(RunErrorKind::BudgetSteps, rule->span, "too many things tried");
    }
}

const Node* World::at(const Path& path) const {
    return find(is_constant(path) ? constants : state, path);
}

bool World::is_constant(const Path& path) const {
    return !path.empty() && constants.find(path.front()) != nullptr;
}

} // namespace croupier::engine::reference
