// The machine: its description, clocks, and interruption of playing threads; no result depends on
// it.
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
// The number of threads that can run at once, at least 1.
std::size_t machine_threads();
// "2026-11-21T22:45:00Z"
std::string time_now();

// The machine's clock, for agents with time limits.
class SteadyClock : public agents::Clock {
  public:
    [[nodiscard]] std::chrono::nanoseconds now() const override;
    [[nodiscard]] Time processor() const override;
    [[nodiscard]] Time processor_of(std::int64_t process) const override;
};

// Ticks come from the system's counter of task time; if that may not be opened, from a timer of the
// thread's CPU clock, at the scheduler's rate. In a virtual machine a tick of the counter takes 30
// us: 15 % of all time for fine ticks, 0.8 % for coarse ones.
std::unique_ptr<Sampler> make_sampler(Ticks ticks,
                                      std::optional<results::HardwareCounts>* counted = nullptr);

// Decodes a group of counters: their number, the time enabled, the time running, and the counts,
// which are extrapolated to the time enabled. Absent if it never ran or the data are invalid.
std::optional<results::HardwareCounts> decode_counters(std::span<const std::uint64_t> words);

} // namespace croupier::tournaments
