// What a ruleset says of itself as a game, read from `game`, `doc`, `options` and `shape`.
#pragma once

#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/contract/game.h"

namespace croupier::games {

// Everything but `ruleset` and `hides`. What is missing or wrong goes to `diagnostics`.
Facts describe(const engine::Ruleset& ruleset, engine::Diagnostics& diagnostics);

} // namespace croupier::games
