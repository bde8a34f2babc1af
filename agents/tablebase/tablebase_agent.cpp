// Asks the solution.
#include "agents/tablebase/tablebase_agent.h"

#include "agents/arguments.h"
#include "agents/rules/rule_program.h"

#include <fmt/format.h>

#include <cassert>

namespace croupier::agents {

void TablebaseAgent::reset(const Game& game, Seat) {
    assert(&game == &solution_->game());
    fault_.reset();
}

std::size_t TablebaseAgent::choose(const Position& view, Random&) {
    try {
        return solution_->best_move(view, *next_, hurry_);
    } catch (const Solution::Unsolved& problem) {
        fault_ = {problem.kind, problem.what()};
        return kNoChoice;
    }
}

MadeAgent make_tablebase_agent(const AgentSpec& spec, const Surroundings& surroundings) {
    MadeAgent made;
    const Game& game = surroundings.game;
    Arguments arguments(spec);
    std::uint64_t most = Solution::kMost;
    arguments.number("positions", most, 1, 100'000'000);
    made.error = arguments.error();
    if (made.error.empty() && (game.facts().hides || game.facts().seats() != 2))
        made.error = fmt::format("tablebase plays games of two that hide nothing; {} is none",
                                 game.facts().title());
    if (!made.error.empty()) return made;
    const auto solution = surroundings.programs != nullptr
                              ? surroundings.programs->solution(game, most)
                              : std::make_shared<Solution>(game, most);
    // Now, so that what is too large is refused before it is played. What nobody waits for now is
    // solved when the first move is asked for.
    const auto start = game.new_position();
    Random deal = games::stream(0, 0, games::Purpose::Deal);
    start->start(deal);
    try {
        if (start->ending() == games::Ending::None) solution->worth(*start, surroundings.abandon);
    } catch (const Solution::Unsolved& problem) {
        if (problem.kind != FaultKind::Stall) made.error = problem.what();
    }
    if (made.error.empty())
        made.agent = std::make_unique<TablebaseAgent>(solution, surroundings.abandon);
    return made;
}

} // namespace croupier::agents
