// Which variables a condition binds, told from its text alone.
#pragma once

#include "engine/lang/pattern.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace croupier::engine {

struct BoundName {
    std::string name;
    std::uint32_t entry = 0; // of the condition, that binds it
};

// Those that a match of the condition binds, in the order of first binding; `known` are bound
// already.
std::vector<BoundName> bound_names(const Pattern& condition, std::span<const std::string> known);

// Every entry that binds one, also for its @not or its alternative alone; `known` are bound around
// the condition.
std::vector<BoundName> binding_entries(const Pattern& condition,
                                       std::span<const std::string> known);

} // namespace croupier::engine
