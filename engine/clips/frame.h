// The locals of a rule or function while it runs.
#pragma once

#include "engine/clips/session.h"

namespace croupier::engine::clips {

// Sees to a Session's frames: locals of a rule or function for the time of its run.
class Frame {
  public:
    Frame(Session& session, std::size_t locals) : session_(session), base_(session.stack_.size()) {
        offset_ = session.frame_ == nullptr
                      ? 0
                      : static_cast<std::size_t>(session.frame_ - session.stack_.data());
        had_frame_ = session.frame_ != nullptr;
        session.stack_.resize(base_ + locals);
        session.frame_ = session.stack_.data() + base_;
    }
    ~Frame() {
        session_.stack_.resize(base_);
        session_.frame_ = had_frame_ ? session_.stack_.data() + offset_ : nullptr;
    }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

  private:
    Session& session_;
    std::size_t base_;
    std::size_t offset_;
    bool had_frame_;
};

} // namespace croupier::engine::clips
