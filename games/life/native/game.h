// Life in C++ as a game of the contract: the same moves, results and states as
// games/life/rules.json.
#pragma once

#include "games/contract/game.h"

#include <cstdint>
#include <memory>

namespace croupier::games::life {

inline constexpr std::uint32_t kMostPlies = 2000; // the ruleset's max_plies

// After `max_plies` moves a game is unfinished; at least one.
std::shared_ptr<const Game> make_native_life(std::uint32_t max_plies = kMostPlies);

} // namespace croupier::games::life
