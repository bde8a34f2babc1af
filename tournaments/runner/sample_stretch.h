// How rarely steps are watched in a sample, so that watching costs little of any game.
#pragma once

#include "games/contract/game.h"

#include <cstdint>

namespace croupier::tournaments {

// Least and most: of so many steps one is watched.
inline constexpr std::uint32_t kLeastStretch = 1U << 15;
inline constexpr std::uint32_t kMostStretch = 1U << 22;

// A rule that is watched goes condition by condition through what machine code does at once: in
// some games a hundred times as slowly as in others. So a random game is begun, and what its rules
// do in a few steps is counted: a function of the game alone.
std::uint32_t sample_stretch(const games::Game& game);

} // namespace croupier::tournaments
