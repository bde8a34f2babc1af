// What results and schedules are told of a game.
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

// Title, players and teams; agents and seed are the caller's to add.
results::RunFacts facts_of(const games::Facts& game);

// The teams, or everyone alone.
Sides sides_of(const results::RunFacts& facts);

// What results are told of the rules of a game and of agents before a run.

// Appends the program's rules, those inside rules included, in the order of their ids; with
// `entries` those of their conditions too. `sources` holds the texts that they were read from.
void add_rule_facts(const engine::Program& program, const engine::Sources& sources,
                    std::optional<std::uint32_t> agent, bool entries, results::ProfileFacts& facts);

// The options of the game, whose rules are the first in `facts`, and which rules look at them.
void add_option_facts(const engine::Catalogue& catalogue, results::ProfileFacts& facts);

} // namespace croupier::tournaments
