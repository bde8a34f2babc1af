// Two agents over many deals, until there are tournaments for that.
#pragma once

#include "agents/agent.h"

#include <cstdint>
#include <string>

namespace croupier::agents::testing {

// Of the first agent against the second. Games of a deal are one block: the mean is that of blocks,
// and so is its error.
struct Match {
    double mean = 0;  // what the first side's score is ahead by
    double error = 0; // the standard error of the mean
    std::uint64_t won = 0;
    std::uint64_t lost = 0;
    std::uint64_t drawn = 0;
};

// Each deal is played twice, the sides exchanged. The agents hold every other seat.
Match match(const Game& game, const std::string& one, const std::string& other, std::uint64_t deals,
            std::uint64_t seed = 7);

} // namespace croupier::agents::testing
