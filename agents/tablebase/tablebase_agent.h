// Plays games perfectly that are small enough to be solved.
#pragma once

#include "agents/registry.h"
#include "agents/tablebase/solution.h"

#include <memory>
#include <optional>

namespace croupier::agents {

// Wins as soon as can be, loses as late. Agents may share the solution, whatever their threads.
class TablebaseAgent : public Agent {
  public:
    // `hurry`: see Surroundings::abandon.
    explicit TablebaseAgent(std::shared_ptr<Solution> solution,
                            const std::atomic<bool>* hurry = nullptr)
        : solution_(std::move(solution)), hurry_(hurry), next_(solution_->game().new_position()) {}

    void reset(const Game& game, Seat me) override;
    std::size_t choose(const Position& view, Random& random) override;
    [[nodiscard]] const AgentFault* fault() const override { return fault_ ? &*fault_ : nullptr; }

  private:
    std::shared_ptr<Solution> solution_;
    const std::atomic<bool>* hurry_;
    std::unique_ptr<Position> next_;
    std::optional<AgentFault> fault_;
};

// tablebase:positions=N. Solves the game.
MadeAgent make_tablebase_agent(const AgentSpec& spec, const Surroundings& surroundings);

} // namespace croupier::agents
