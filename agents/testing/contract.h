// What every agent owes: its choices are a function of views, of what it observed, and of its
// stream.
#pragma once

#include "agents/agent.h"

#include <cstdint>
#include <string_view>

namespace croupier::agents::testing {

// Makes the agent twice and plays `plies` moves of a game with either on the seat at turn: fresh,
// and after another game; the choices must be the same.
void expect_function_of_view(const Game& game, std::string_view spec, std::uint32_t plies);

// The same of positions that differ in nothing that the agent may see: the hands of two others are
// exchanged. For games of cards with `hands`.
void expect_blind_to_other_hands(const Game& game, std::string_view spec);

} // namespace croupier::agents::testing
