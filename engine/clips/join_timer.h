// Who pays for the time that matching takes.
#pragma once

#include "engine/clips/network.h"
#include "engine/clips/session.h"

namespace croupier::engine::clips {

// Charges the time from its making to its end to a join, less what inner ones take.
class JoinTimer {
  public:
    JoinTimer(Network& network, Session& session, Join* join)
        : network_(network), session_(session), on_(network.profiling && session.has_clock()) {
        if (!on_) return;
        charge();
        before_ = network_.timed_;
        network_.timed_ = join;
    }
    ~JoinTimer() {
        if (!on_) return;
        charge();
        network_.timed_ = before_;
    }
    JoinTimer(const JoinTimer&) = delete;
    JoinTimer& operator=(const JoinTimer&) = delete;

  private:
    void charge() {
        const double now = session_.now();
        if (network_.timed_ != nullptr) {
            network_.timed_->nanoseconds += 1e9 * (now - network_.since_);
            network_.matching_seconds_ += now - network_.since_;
        }
        network_.since_ = now;
    }

    Network& network_;
    Session& session_;
    bool on_;
    Join* before_ = nullptr;
};

} // namespace croupier::engine::clips
