// Counts what a program allocates: linking allocations.cpp replaces its global operator new. Tests
// and benchmarks do, each for itself.
#pragma once

#include <cstdint>

namespace croupier::games {

// Calls of operator new on this thread so far.
std::uint64_t allocations();

} // namespace croupier::games
