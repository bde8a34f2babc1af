// Shows the position to the rules and reads what they write.
#include "agents/rules/rule_evaluation.h"

#include "engine/api/random.h"

namespace croupier::agents {

RuleEvaluation::RuleEvaluation(std::shared_ptr<const RuleProgram> program)
    : program_(std::move(program)), state_(program_->initial()), machine_(program_->program()) {}

double RuleEvaluation::worth(const games::Position& position, games::Seat seat) const {
    program_->look(state_, position);
    program_->set_me(state_, seat);
    // A worth that depends on chance would be none: the stream is always the same.
    engine::Random random;
    const bool failed = machine_.run(program_->groups().evaluator, state_, random).error != nullptr;
    const std::optional<double> worth = program_->take_worth(state_);
    if (failed || !worth) ++failures_;
    return failed ? 0 : worth.value_or(0);
}

} // namespace croupier::agents
