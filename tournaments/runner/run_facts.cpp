// From a game's facts to those of a run and the sides of its tables.
#include "tournaments/runner/run_facts.h"

#include <cstdint>

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

} // namespace croupier::tournaments
