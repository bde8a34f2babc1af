// Counts what a test program allocates: linking allocations.cpp replaces the global operator new.
#pragma once

#include <cstdint>

namespace croupier::games {

// So far, in all threads.
std::uint64_t allocations();

} // namespace croupier::games
