// Games that are played to learn what rules take.
#pragma once

#include "results/costs/compare.h"
#include "results/costs/cost.h"
#include "tournaments/cli/run_input.h"

#include <cstdint>
#include <vector>

namespace croupier::cli {

// At least so many games of the run, whose rules must be described, by one thread, and as many more
// as it takes to know their times, if that is not too long. Nothing is counted. `played`: games of
// all kinds, also those without ticks.
struct TimedGames {
    results::CostTable times;
    std::uint64_t played = 0;
};
TimedGames time_games(const PreparedRun& run, const tournaments::AgentMaker& make,
                      std::uint64_t games);

// At least so many games of each of two, in rounds that take turns.
std::vector<results::CostRound> measure_in_turn(const PreparedRun& old, const PreparedRun& now,
                                                std::uint64_t games);

} // namespace croupier::cli
