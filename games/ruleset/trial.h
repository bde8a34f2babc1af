// Random games that show what reading a ruleset cannot: players who never move, games that never
// end.
#pragma once

#include "engine/api/run.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"

namespace croupier::games {

// Plays a few random games, fast enough to go unnoticed, and warns of a player who never moves, of
// games that are aborted or do not end, and of a game without a choice. Game n is the one that
// random agents play with seed n.
void try_random_games(const RulesetGame& game, engine::Diagnostics& diagnostics);

// Budgets of such games: far more than a rule needs, yet used up quickly.
engine::Budgets trial_budgets();

} // namespace croupier::games
