// Ctrl-C and SIGTERM: the first asks to come to an end, the second ends the process at once.
#pragma once

#include <atomic>

namespace croupier::cli {

// While one lives, the signals are caught. Only one at a time.
class StopSignals {
  public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    // Set by the first signal, or by `stop`.
    [[nodiscard]] const std::atomic<bool>& wanted() const;
    void stop();
    // The signal that came, or 0.
    [[nodiscard]] int signal() const;
};

// What a shell makes of a process that a signal has ended.
constexpr int kSignalExit = 128;

} // namespace croupier::cli
