// Interrupts threads that play, each some hundred or thousand times in a second of its own CPU
// time.
#pragma once

#include "results/report/profile_view.h"
#include "tournaments/runner/ticks.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

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
// `counted`: without ticks, what the processor counts is added there, of one thread at a time; it
// stays absent where the machine has no counters.
std::unique_ptr<tournaments::Sampler>
make_sampler(Ticks ticks, std::optional<results::HardwareCounts>* counted = nullptr);

// What a group of counters answers: how many they are, the time in which it was to count, the time
// in which it did, and the counts, which are extrapolated from the one to the other. Absent if it
// never counted or says anything else.
std::optional<results::HardwareCounts> decode_counters(std::span<const std::uint64_t> words);

} // namespace croupier::cli
