// Positions of the playing phase of belote, each in the three forms that are compared.
#pragma once

#include "bench/baselines/belote_bits.h"
#include "bench/baselines/belote_plain.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::bench {

// All 32 positions of each of `deals` random deals, played out with random legal cards.
std::vector<plain::Position> belote_positions(int deals, std::uint64_t seed);

bits::Position to_bits(const plain::Position& position);
// As JSON, for an engine state.
std::string to_json(const plain::Position& position);

// Cards as a mask, card = 8 * suit + rank, and by name ("TS").
std::uint32_t mask_of(const std::vector<plain::Card>& cards);
std::string name_of(const plain::Card& card);
plain::Card card_named(std::string_view name);

} // namespace croupier::bench
