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

// Those that parts of the condition bind for themselves alone, once for each entry that does;
// `known` are those bound around it and by it.
std::vector<BoundName> inner_names(const Pattern& condition, std::span<const std::string> known);

} // namespace croupier::engine
