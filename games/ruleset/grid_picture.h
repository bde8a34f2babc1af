// Draws the boards of rulesets: maps over a grid whose cells hold one value each.
#pragma once

#include "games/ruleset/ruleset_game.h"

namespace croupier::games {

// The first root node of the shape that is a map over a grid with leaves in it; false if there is
// none.
bool draw_grid(Picture& picture, const RulesetGame& game, const engine::State& now,
               const engine::State* before);

} // namespace croupier::games
