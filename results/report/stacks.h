// Costs as stacks: owner, phase, player, rule, the entries of its condition from outside in.
#pragma once

#include "results/costs/cost.h"
#include "results/record.h"

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::results {

struct Stack {
    std::vector<std::string> frames; // outermost first
    std::uint64_t ns = 0;            // of the last frame alone
};
std::vector<Stack> cost_stacks(const Costs& costs, const RunFacts& facts);

} // namespace croupier::results
