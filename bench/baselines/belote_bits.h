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
};

std::uint32_t legal_moves(const Position& position);

} // namespace croupier::bench::bits
