// What the machine says of itself, its clocks, and interruptions of threads that play: no result
// depends on any.
#pragma once

#include "agents/registry.h"
#include "tournaments/run/host.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace croupier::tournaments {

// "Linux x86_64, 2 cores, Intel(R) Xeon(R) ..."
std::string describe_machine();
// How many threads can run at once, at least 1.
std::size_t machine_threads();
// "2026-11-21T22:45:00Z"
std::string time_now();

// The time of the machine, for agents that must not wait forever.
class SteadyClock : public agents::Clock {
  public:
    [[nodiscard]] std::chrono::nanoseconds now() const override;
    [[nodiscard]] Time processor() const override;
    [[nodiscard]] Time processor_of(std::int64_t process) const override;
};

// Ticks come from the system's counter of the thread's task time; where that may not be opened,
// from a timer of its CPU clock, which looks as often as the scheduler does. A tick of the counter
// takes 30 us in a virtual machine: fine ones 15 % of all, coarse ones 0.8 %.
std::unique_ptr<Sampler> make_sampler(Ticks ticks,
                                      std::optional<results::HardwareCounts>* counted = nullptr);

// What a group of counters answers: how many they are, the time in which it was to count, the time
// in which it did, and the counts, which are extrapolated from the one to the other. Absent if it
// never counted or says anything else.
std::optional<results::HardwareCounts> decode_counters(std::span<const std::uint64_t> words);

} // namespace croupier::tournaments
