// Signal handlers, with what little a handler may do.
#include "tournaments/cli/stop_signals.h"

#include <unistd.h>

#include <csignal>

namespace croupier::cli {
namespace {

std::atomic<bool> wanted_to_stop = false;
std::atomic<bool> wanted_to_abandon = false;
std::atomic<int> signal_seen = 0;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void (*before_interrupt)(int) = SIG_DFL;
void (*before_terminate)(int) = SIG_DFL;
void (*before_alarm)(int) = SIG_DFL;

// What was written stays written: the journal needs no farewell.
void handle(int signal) {
    if (signal_seen.exchange(signal) != 0) ::_exit(kSignalExit + signal);
    wanted_to_stop = true;
    ::alarm(kGraceSeconds);
}

void handle_alarm(int) {
    wanted_to_abandon = true;
}

} // namespace

StopSignals::StopSignals() {
    wanted_to_stop = wanted_to_abandon = false;
    signal_seen = 0;
    before_alarm = std::signal(SIGALRM, handle_alarm);
    before_interrupt = std::signal(SIGINT, handle);
    // Whoever starts us in the background of a script has Ctrl-C ignored.
    if (before_interrupt == SIG_IGN) std::signal(SIGINT, SIG_IGN);
    before_terminate = std::signal(SIGTERM, handle);
}

StopSignals::~StopSignals() {
    std::signal(SIGINT, before_interrupt);
    std::signal(SIGTERM, before_terminate);
    ::alarm(0);
    std::signal(SIGALRM, before_alarm);
}

const std::atomic<bool>& StopSignals::abandoned() {
    return wanted_to_abandon;
}

const std::atomic<bool>& StopSignals::wanted() const {
    return wanted_to_stop;
}

void StopSignals::stop() {
    wanted_to_stop = true;
}

void StopSignals::go_on() {
    wanted_to_stop = signal_seen != 0;
}

int StopSignals::signal() {
    return signal_seen;
}

} // namespace croupier::cli
