// Counts what the benchmark program allocates: its operator new is replaced.
#pragma once

#include <cstdint>

namespace croupier::bench {

// Calls of operator new on this thread so far.
std::uint64_t allocations();

} // namespace croupier::bench
