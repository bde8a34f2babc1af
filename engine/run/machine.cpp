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
    frame_ = &form_->frame();
    groups_ = form_->groups();
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

bool Machine::run_slowly(GroupId group, State& state, Random& random,
                         std::unique_ptr<const RunError>& why_not) {
    why_not = run(group, state, random).error;
    return why_not == nullptr;
}

bool Machine::tell_error(std::unique_ptr<const RunError>& why_not) {
    why_not = form_->error_of_code();
    return false;
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
