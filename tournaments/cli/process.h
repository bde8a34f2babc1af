// The command line as a process: real streams, environment, signals, last words.
#pragma once

#include <atomic>

namespace croupier::cli {

// Ctrl-C and SIGTERM: the first asks to come to an end, soon; the second ends the process at once.

// While one lives, the signals are caught. Only one at a time.
class StopSignals {
  public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    // Set by the first signal. May be asked for before signals are caught, as the next may be.
    [[nodiscard]] static std::atomic<bool>& wanted();
    // Set some time after the first signal: what is still being played is broken off.
    [[nodiscard]] static const std::atomic<bool>& abandoned();
    // The signal that came, or 0.
    [[nodiscard]] static int signal();
};

// How long after the first signal games may take to end.
constexpr unsigned kGraceSeconds = 1;
// What a shell makes of a process that a signal has ended.
constexpr int kSignalExit = 128;

// All of main(). Returns the exit code whatever happens.
int run_process(int argc, char** argv) noexcept;

} // namespace croupier::cli
