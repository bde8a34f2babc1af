// The command line as a process: real streams, environment, signals, last messages.
#pragma once

#include <atomic>

namespace croupier::cli {

// Ctrl-C and SIGTERM: the first requests an early end; the second ends the process at once.

// Catches the signals during its lifetime. Only one may exist at a time.
class StopSignals {
  public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    // Set by the first signal. May be called before signals are caught.
    [[nodiscard]] static std::atomic<bool>& wanted();
    // Set some time after the first signal: current games are abandoned.
    [[nodiscard]] static const std::atomic<bool>& abandoned();
    // The signal received, or 0.
    [[nodiscard]] static int signal();
};

// How long games may continue after the first signal.
constexpr unsigned kGraceSeconds = 1;
// Exit codes of processes ended by a signal begin here, as in shells.
constexpr int kSignalExit = 128;

// The body of main(). Always returns the exit code.
int run_process(int argc, char** argv) noexcept;

} // namespace croupier::cli
