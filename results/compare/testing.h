// Records to compare: two seats, A and B, one agent each.
#pragma once

#include "results/record.h"

#include <cstdint>
#include <vector>

namespace croupier::results {

inline RunFacts two_seats() {
    RunFacts facts;
    facts.game = "duel";
    facts.players = {"A", "B"};
    facts.agents = {"one", "two"};
    facts.seed = 1;
    return facts;
}

// Seat A has `place_a`, its agent being `first`; scores are 3 for a win, 1 for a draw.
inline GameRecord game_of(std::uint32_t place_a, std::uint32_t place_b, std::uint32_t first = 0,
                          std::uint32_t plies = 10) {
    GameRecord game;
    game.plies = plies;
    game.line = 100 * place_a + 10 * place_b + first;
    const auto score = [](std::uint32_t mine, std::uint32_t its) {
        return mine == its ? 1.0 : mine < its ? 3.0 : 0.0;
    };
    game.seats = {{first, score(place_a, place_b), place_a, "", false},
                  {1 - first, score(place_b, place_a), place_b, "", false}};
    return game;
}

} // namespace croupier::results
