// For tests: a clock that goes by being read.
#pragma once

#include <cstdint>

namespace croupier::engine {

inline thread_local std::uint64_t ticks = 0;

// A nanosecond for each reading: times are then numbers of events, which can be counted.
inline std::uint64_t tick() {
    return ++ticks;
}

} // namespace croupier::engine
