// A few games of which every step is watched, to learn what rules take.
#pragma once

#include "results/costs/compare.h"
#include "results/costs/cost.h"
#include "tournaments/cli/run_input.h"

#include <cstdint>
#include <vector>

namespace croupier::cli {

// At least so many games of the run, whose rules must be described, by one thread: whole rules,
// without their entries. Each round has deals of its own.
results::CostTable watch_games(const PreparedRun& run, const tournaments::AgentMaker& make,
                               std::uint64_t round, std::uint64_t games);

// So many games of each of two, in rounds that take turns.
std::vector<results::CostRound> measure_in_turn(const PreparedRun& old, const PreparedRun& now,
                                                std::uint64_t games);

} // namespace croupier::cli
