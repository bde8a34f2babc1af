// Plays games perfectly that are small enough to be solved.
#pragma once

#include "agents/registry.h"
#include "agents/tablebase/solution.h"

#include <memory>
#include <optional>

namespace croupier::agents {

// Wins as soon as can be, loses as late. Solves the game at its first move, in seconds and some
// hundred megabytes for half a million positions; keeps that as long as the game stays the same.
class TablebaseAgent : public Agent {
  public:
    void reset(const Game& game, Seat me) override;
    std::size_t choose(const Position& view, Random& random) override;
    [[nodiscard]] const AgentFault* fault() const override { return fault_ ? &*fault_ : nullptr; }

  private:
    const Game* game_ = nullptr;
    std::unique_ptr<Solution> solution_;
    std::optional<AgentFault> fault_;
};

MadeAgent make_tablebase_agent(const AgentSpec& spec, const Surroundings& surroundings);

} // namespace croupier::agents
