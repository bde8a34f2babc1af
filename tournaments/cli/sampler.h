// Interrupts threads that play, each some hundred or thousand times in a second of its own CPU
// time.
#pragma once

#include "tournaments/runner/ticks.h"

#include <cstdint>
#include <memory>

namespace croupier::cli {

enum class Ticks : std::uint8_t {
    None,   // the clock alone
    Coarse, // 250 in a second
    Fine,   // 4,000 in a second
};

// Null where there is nothing to interrupt threads with. Threads are interrupted until it is
// destroyed. Ticks come from the system's counter of the thread's task time; where that may not be
// opened, from a timer of its CPU clock, which looks as often as the scheduler does. A tick of the
// counter takes 30 us in a virtual machine: fine ones 15 % of all, coarse ones 0.8 %.
std::unique_ptr<tournaments::Sampler> make_sampler(Ticks ticks);

} // namespace croupier::cli
