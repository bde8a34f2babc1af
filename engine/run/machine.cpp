// Chooses the form of the rules to run.
#include "engine/run/machine.h"

#include "engine/form/form.h"
#include "engine/run/executor.h"

namespace croupier::engine {

Machine::Machine(const Program& program, const Budgets& budgets)
    : program_(program), budgets_(budgets) {
    make_form();
}

Machine::~Machine() = default;

void Machine::make_form() {
    form_ = std::make_unique<Executor>(program_.unwatched(), budgets_,
                                       uses_code_ ? program_.code() : nullptr);
    form_->set_log(log_);
}

Executor& Machine::as_written() {
    if (as_written_ == nullptr) {
        as_written_ = std::make_unique<Executor>(program_.watched(), budgets_);
        as_written_->set_log(log_);
        as_written_->set_observer(observer_);
    }
    return *as_written_;
}

RunResult Machine::run(GroupId group, State& state, Random& random) {
    return (observer_ == nullptr ? *form_ : as_written()).run(group, state, random);
}

bool Machine::run(GroupId group, State& state, Random& random,
                  std::unique_ptr<const RunError>& why_not) {
    if (observer_ != nullptr) return run_watched(group, state, random, why_not);
    return form_->run(group, state, random, why_not);
}

bool Machine::run_watched(GroupId group, State& state, Random& random,
                          std::unique_ptr<const RunError>& why_not) {
    return as_written().run(group, state, random, why_not);
}

// Passes rely on what earlier rules leave behind, so a single rule runs as written.
RunResult Machine::match(RuleId rule, State& state, Random& random) {
    return as_written().match(rule, state, random);
}

std::span<const Value> Machine::matched(std::uint64_t i) const {
    return as_written_->matched(i);
}

void Machine::set_observer(Observer* observer) {
    observer_ = observer;
    if (as_written_ != nullptr) as_written_->set_observer(observer);
}

void Machine::use_code(bool on) {
    uses_code_ = on;
    make_form();
}

void Machine::set_log(Log* log) {
    log_ = log;
    form_->set_log(log);
    if (as_written_ != nullptr) as_written_->set_log(log);
}

} // namespace croupier::engine
