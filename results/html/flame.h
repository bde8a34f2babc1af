// A flame graph as SVG: who calls whom downwards, time across.
#pragma once

#include "results/report/stacks.h"

#include <span>
#include <string>

namespace croupier::results {

// Frames of less than a thousandth of the time are left out; `games` turns sums into ns a game
// (0: sums are told).
std::string flame_graph(std::span<const Stack> stacks, double games);

} // namespace croupier::results
