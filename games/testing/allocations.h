// Counts a program's allocations: linking allocations.cpp replaces its global operator new. Each
// test and benchmark links it separately.
#pragma once

#include <cstdint>

namespace croupier::games {

// Calls of operator new on this thread so far.
std::uint64_t allocations();

} // namespace croupier::games
