// Random games that show what reading a ruleset cannot: who never moves, what never ends.
#pragma once

#include "engine/api/run.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"

namespace croupier::games {

// Plays some random games, so many that nobody has to wait, and warns of a player who never moves,
// of games that are aborted or do not end, and of a game without a choice. Game n is the one that
// random agents play with the seed n.
void try_random_games(const RulesetGame& game, engine::Diagnostics& diagnostics);

// What a rule may take in such a game: far more than any does, and over in a moment.
engine::Budgets trial_budgets();

} // namespace croupier::games
