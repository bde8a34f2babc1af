// What results are told of the rules of a game and of agents before a run.
#pragma once

#include "engine/api/program.h"
#include "engine/api/text.h"
#include "results/costs/cost.h"

#include <cstdint>
#include <optional>

namespace croupier::tournaments {

// Appends the program's rules, those inside rules included, in the order of their ids; with
// `entries` those of their conditions too. `sources` holds the texts that they were read from.
void add_rule_facts(const engine::Program& program, const engine::Sources& sources,
                    std::optional<std::uint32_t> agent, bool entries, results::ProfileFacts& facts);

// The options of the game, whose rules are the first in `facts`, and which rules look at them.
void add_option_facts(const engine::Program& program, results::ProfileFacts& facts);

} // namespace croupier::tournaments
