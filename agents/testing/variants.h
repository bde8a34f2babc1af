// Shipped games with options set, and games of them by the agents that come with them.
#pragma once

#include "games/contract/game.h"

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::agents::testing {

struct Variant {
    std::string title;
    std::vector<games::GameOption> options;

    [[nodiscard]] std::string name() const; // "belote match=target deals=3"
};

// All shipped games and revisions; of two that are the same game in two ways the faster one.
std::vector<std::string> shipped_titles();

// The game with each option at each of its values, or at some of a wide range: one variant for
// each.
std::vector<Variant> single_values(const std::string& title);
// With two options set, drawn at random.
std::vector<Variant> random_pairs(const std::string& title, std::size_t count, std::uint64_t seed);

// The rules agents of the game, "random" at the end.
std::vector<std::string> agents_of(const std::string& title);

// Plays games of it, each agent on each seat in turn, and watches the cards. What goes wrong (a
// game that is aborted, a fault of an agent, a card in two places), or nothing. A variant that the
// ruleset refuses is not played; `refused` counts these.
std::string play_variant(const Variant& variant, std::uint64_t games, std::size_t& refused);

} // namespace croupier::agents::testing
