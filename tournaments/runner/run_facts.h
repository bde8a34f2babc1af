// What results and schedules are told of a game.
#pragma once

#include "games/contract/game.h"
#include "results/record.h"
#include "tournaments/schedule/seating.h"

namespace croupier::tournaments {

// Title, players and teams; agents and seed are the caller's to add.
results::RunFacts facts_of(const games::Facts& game);

// The teams, or everyone alone.
Sides sides_of(const results::RunFacts& facts);

} // namespace croupier::tournaments
