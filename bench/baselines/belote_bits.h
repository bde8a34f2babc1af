// Belote on bit masks by hand: how fast it can be without rules. Card = 8 * suit + rank.
#pragma once

#include <array>
#include <cstdint>

namespace croupier::bench::bits {

inline constexpr std::uint8_t kNoSuit = 4;

struct Position {
    std::array<std::uint32_t, 4> hands{};
    std::uint8_t turn = 0;
    std::uint8_t trump = 0;
    std::uint8_t led = kNoSuit;
    std::uint8_t best = 0;
    std::uint8_t holder = 0;
    std::uint8_t in_trick = 0;
    std::uint8_t pot = 0;  // points in the trick
    std::uint8_t last = 0; // the team of the latest trick
    std::array<std::uint8_t, 2> points{};
    std::array<std::uint8_t, 2> tricks{};
    std::array<std::uint8_t, 2> belote{};
};

std::uint32_t legal_moves(const Position& position);

// The player plays that card, which must be legal.
void play(Position& position, std::uint32_t card);

} // namespace croupier::bench::bits
