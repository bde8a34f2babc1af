// Asks the solution.
#include "agents/tablebase/tablebase_agent.h"

#include "agents/arguments.h"

#include <fmt/format.h>

namespace croupier::agents {

void TablebaseAgent::reset(const Game& game, Seat) {
    fault_.reset();
    if (game_ == &game) return;
    game_ = &game;
    solution_ = std::make_unique<Solution>(game);
}

std::size_t TablebaseAgent::choose(const Position& view, Random&) {
    try {
        return solution_->best_move(view);
    } catch (const Solution::TooManyPositions& problem) {
        fault_ = {FaultKind::Crash, problem.what()};
        return kNoChoice;
    }
}

MadeAgent make_tablebase_agent(const AgentSpec& spec, const Surroundings& surroundings) {
    MadeAgent made;
    const games::Facts& facts = surroundings.game.facts();
    made.error = Arguments(spec).error();
    if (made.error.empty() && (facts.hides || facts.seats() != 2))
        made.error = fmt::format("tablebase plays games of two that hide nothing; {} is none",
                                 facts.title());
    if (made.error.empty()) made.agent = std::make_unique<TablebaseAgent>();
    return made;
}

} // namespace croupier::agents
