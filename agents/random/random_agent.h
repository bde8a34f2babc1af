// Every legal move is as likely: what any other agent has to beat.
#pragma once

#include "agents/agent.h"

namespace croupier::agents {

class RandomAgent : public Agent {
  public:
    void reset(const Game&, Seat) override {}
    std::size_t choose(const Position& view, Random& random) override {
        return random.below(view.move_count());
    }
};

} // namespace croupier::agents
