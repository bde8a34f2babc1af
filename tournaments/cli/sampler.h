// Interrupts threads that play, each some hundred or thousand times in a second of its own CPU
// time.
#pragma once

#include "tournaments/runner/ticks.h"

#include <cstdint>
#include <memory>

namespace croupier::cli {

enum class Ticks : std::uint8_t {
    None,   // the clock alone
    Coarse, // by a timer of the thread's CPU clock, which looks as often as the scheduler does
    Fine,   // by the system's counter of task time, 4,000 in a second; where it may not be opened,
            // Coarse
};

// Null where there is nothing to interrupt threads with. Threads are interrupted until it is
// destroyed. Fine ticks take time themselves: in a virtual machine 30 us each, 15 % of all, where
// coarse ones take 0.3 %.
std::unique_ptr<tournaments::Sampler> make_sampler(Ticks ticks);

} // namespace croupier::cli
