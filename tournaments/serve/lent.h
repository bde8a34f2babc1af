// What tables are lent by whoever runs them: time, chance, files. Libraries have none of these.
#pragma once

#include "agents/registry.h"
#include "engine/api/ruleset.h"
#include "games/contract/game.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace croupier::serve {

struct Lent {
    const agents::Clock& clock; // outlives the tables; threads share it
    engine::FileOpener open;    // rule files of agents, as far as pages may name them
    std::string agents_folder;
    // A text that nobody can guess, letters and digits only.
    std::function<std::string()> secret;
    std::function<std::uint64_t()> seed; // of a random deal
    // Specs of agents that can play the game at a table, the best first.
    std::function<std::vector<std::string>(const games::Game&)> advisers;
    // Why a move is legal or is not, in lines for people; asked of the view of a seat.
    std::function<std::vector<std::string>(const games::RulesetGame&, const games::Position& view,
                                           const std::string& move)>
        why;
    // Agents of kind `process`, as they were named: no page starts any other program.
    std::vector<std::string> programs = {};
    std::chrono::nanoseconds think = std::chrono::seconds(10); // the longest for a move
    std::size_t thinkers = 4;                                  // threads
    std::size_t most_tables = 1000;                            // that are kept
};

} // namespace croupier::serve
