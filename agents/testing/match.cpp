// Exchanges sides, adds up blocks.
#include "agents/testing/match.h"

#include "agents/registry.h"
#include "agents/table.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

namespace croupier::agents::testing {

Match match(const Game& game, const std::string& one, const std::string& other, std::uint64_t deals,
            std::uint64_t seed) {
    const Surroundings around{game, games::test_opener(), games::kAgentsFolder};
    const std::size_t seats = game.facts().seats();
    std::vector<std::unique_ptr<Agent>> agents;
    for (std::size_t i = 0; i < seats; ++i) {
        const std::string& spec = i < seats / 2 ? one : other;
        MadeAgent made = make_agent(parse_agent_spec(spec), around);
        if (made.agent == nullptr) {
            ADD_FAILURE() << "cannot make " << spec << " " << made.error;
            return {};
        }
        agents.push_back(std::move(made.agent));
    }
    Table table(game);
    Match match;
    double sum = 0;
    double squares = 0;
    std::vector<Agent*> seated(seats);
    for (std::uint64_t deal = 0; deal < deals; ++deal) {
        double block = 0;
        for (std::uint64_t round = 0; round < 2; ++round) {
            for (std::size_t seat = 0; seat < seats; ++seat)
                seated[seat] = agents[(seat % 2 == round ? 0 : seats / 2) + seat / 2].get();
            const Position& end = table.play(seated, {seed, deal, round});
            if (table.fault()) ADD_FAILURE() << table.fault()->fault.what;
            double ahead = 0; // partners carry the same score
            for (std::size_t seat = 0; seat < seats; ++seat)
                ahead += (seat % 2 == round ? 1 : -1) * end.score(static_cast<Seat>(seat));
            const std::size_t half = seats / 2;
            ahead /= static_cast<double>(half);
            ++(ahead > 0 ? match.won : ahead < 0 ? match.lost : match.drawn);
            block += ahead / 2;
        }
        sum += block;
        squares += block * block;
    }
    const auto n = static_cast<double>(deals);
    match.mean = sum / n;
    match.error = std::sqrt(std::max(0.0, squares / n - match.mean * match.mean) / n);
    return match;
}

} // namespace croupier::agents::testing
