// The facts about a game for results and schedules.
#pragma once

#include "engine/api/program.h"
#include "engine/api/text.h"
#include "games/contract/game.h"
#include "results/costs/cost.h"
#include "results/record.h"
#include "tournaments/schedule/schedule.h"

#include <cstdint>
#include <optional>

namespace croupier::tournaments {

// Title, players and teams; the caller adds agents and seed.
results::RunFacts facts_of(const games::Facts& game);

// The teams, or single seats if everyone plays alone.
Sides sides_of(const results::RunFacts& facts);

// The facts about rules of a game and of agents for results, before a run.

// Appends the program's rules, with nested ones, by id; with `entries` also the entries of their
// conditions. `sources` holds their source texts.
void add_rule_facts(const engine::Program& program, const engine::Sources& sources,
                    std::optional<std::uint32_t> agent, bool entries, results::ProfileFacts& facts);

// Adds the options of the game, whose rules come first in `facts`, and the rules that read them.
void add_option_facts(const engine::Catalogue& catalogue, results::ProfileFacts& facts);

} // namespace croupier::tournaments
