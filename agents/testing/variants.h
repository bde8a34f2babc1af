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

// All shipped games and revisions; if two are the same game, only the faster one.
std::vector<std::string> shipped_titles();

// One variant for each value of each option; of a wide range, for some of its values.
std::vector<Variant> single_values(const std::string& title);
// Variants with two options set, drawn at random.
std::vector<Variant> random_pairs(const std::string& title, std::size_t count, std::uint64_t seed);

// The rules agents of the game, then "random".
std::vector<std::string> agents_of(const std::string& title);

// Plays games of the variant, each agent on each seat in turn, and checks the cards. Returns what
// goes wrong (an aborted game, an agent's fault, a card in two places), or an empty text. A variant
// that the ruleset refuses is not played; `refused` counts these.
std::string play_variant(const Variant& variant, std::uint64_t games, std::size_t& refused);

} // namespace croupier::agents::testing
