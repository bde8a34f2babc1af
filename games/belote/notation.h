// Cards and positions of the plain implementation as the rulesets write them.
#pragma once

#include "games/belote/plain.h"

#include <string>
#include <string_view>

namespace croupier::plain {

inline constexpr std::string_view kSeats = "ABCD";
inline constexpr std::string_view kSuits = "SHDC";
inline constexpr std::string_view kRanks = "789TJQKA";

// "TS", and back.
std::string name_of(const Card& card);
Card card_named(std::string_view name);

// The position as JSON, with the nodes that a position written by hand has.
std::string position_json(const Position& position);

} // namespace croupier::plain
