// The worth of positions by a file of rules: its evaluator, an expression or a group.
#pragma once

#include "agents/rules/rule_program.h"
#include "engine/api/run.h"
#include "engine/api/state.h"

#include <memory>

namespace croupier::agents {

// One per thread, unlike the evaluation of a game. A rule that fails, or that writes no worth,
// makes the position worth nothing; `failures` counts.
class RuleEvaluation : public games::Evaluation {
  public:
    explicit RuleEvaluation(std::shared_ptr<const RuleProgram> program);

    [[nodiscard]] double worth(const games::Position& position, games::Seat seat) const override;
    [[nodiscard]] std::uint64_t failures() const { return failures_; }

  private:
    std::shared_ptr<const RuleProgram> program_;
    mutable engine::State state_;
    mutable engine::Machine machine_;
    mutable std::uint64_t failures_ = 0;
};

} // namespace croupier::agents
