// Plays random legal moves, all equally likely: the baseline for other agents.
#pragma once

#include "agents/agent.h"

namespace croupier::agents {

class RandomAgent : public Agent {
  public:
    void reset(const Game&, Seat) override {}
    std::size_t choose(const Position& view, Random& random) final {
        return choose_by_count(view.move_count(), random);
    }
    [[nodiscard]] bool needs_view() const final { return false; }
    std::size_t choose_by_count(std::size_t moves, Random& random) override {
        return random.below(moves);
    }
};

} // namespace croupier::agents
