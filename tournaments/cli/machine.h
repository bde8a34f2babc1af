// What the machine says of itself and of the time: for run.json, where no result depends on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace croupier::cli {

// "Linux x86_64, 2 cores, Intel(R) Xeon(R) ..."
std::string describe_machine();
// How many threads can run at once, at least 1.
std::size_t machine_threads();
// "2026-11-21T22:45:00Z"
std::string time_now();
// Seconds since some moment; never goes back.
double seconds_now();
// The same in nanoseconds.
std::uint64_t nanoseconds_now();

} // namespace croupier::cli
