// Draws the boards of rulesets: what stands on the cells of a grid.
#pragma once

#include "games/ruleset/ruleset_game.h"

namespace croupier::games {

// The first root node of the shape that is a map of the cells of a grid to values, or a record that
// says of each piece, by its name, on which cell it stands. A set of cells is drawn where there is
// no other. False if there is none.
bool draw_grid(Picture& picture, const RulesetGame& game, const engine::State& now,
               const engine::State* before);

} // namespace croupier::games
