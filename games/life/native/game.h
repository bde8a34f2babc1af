// Life in C++ as a game of the contract: the same moves, results and states as
// games/life/rules.json.
#pragma once

#include "games/contract/game.h"

#include <memory>
#include <string_view>

namespace croupier::games::life {

// The hash (`Facts::ruleset`) of the rules.json that this was written from. Whoever changes the
// file so that it means the same writes the new one here; until then the file is what is played.
inline constexpr std::string_view kRuleset = "2c3d295d11111d32";

// The game takes its facts from there, the limit of plies among them.
std::shared_ptr<const Game> make_native_life(std::shared_ptr<const RulesetGame> in_place_of);

} // namespace croupier::games::life
