// Positions of the playing phase of belote, each in the three forms that are compared.
#pragma once

#include "bench/baselines/belote_bits.h"
#include "games/testing/belote.h"

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::bench {

// All 32 positions of each of `deals` random deals, played out with random legal cards.
std::vector<plain::Position> belote_positions(int deals, std::uint64_t seed);

bits::Position to_bits(const plain::Position& position);
// As JSON, for a state of the rules of bench/rules.
std::string to_json(const plain::Position& position);

// Cards as a mask, card = 8 * suit + rank.
std::uint32_t mask_of(const std::vector<plain::Card>& cards);

} // namespace croupier::bench
