// Positions of the playing phase of belote, each in the three forms that are compared.
#pragma once

#include "games/testing/belote.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace croupier::bench::bits {

// Hand-written belote on bit masks: the speed without rules. Card = 8 * suit + rank.

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
    std::uint8_t last = 0; // the team that took the latest trick
    std::array<std::uint8_t, 2> points{};
    std::array<std::uint8_t, 2> tricks{};
    std::array<std::uint8_t, 2> belote{};
};

std::uint32_t legal_moves(const Position& position);

// Plays the player's card, which must be legal.
void play(Position& position, std::uint32_t card);

} // namespace croupier::bench::bits

namespace croupier::bench {

// All 32 positions of each of `deals` random deals, played out with random legal cards.
std::vector<plain::Position> belote_positions(int deals, std::uint64_t seed);

bits::Position to_bits(const plain::Position& position);
// As JSON, for a state of the rules of bench/rules.
std::string to_json(const plain::Position& position);

// Cards as a mask, card = 8 * suit + rank.
std::uint32_t mask_of(const std::vector<plain::Card>& cards);

} // namespace croupier::bench
