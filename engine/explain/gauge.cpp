// Runs groups once more, watched.
#include "engine/explain/gauge.h"

namespace croupier::engine {

Gauge::Gauge(const Program& program, const Budgets& budgets, bool entries)
    : machine_(program, budgets), profiler_(program, entries) {
    machine_.set_observer(&profiler_);
}

void Gauge::measure(GroupId group, const State& state, const Random& random, Profile& into) {
    if (state_) {
        *state_ = state;
    } else {
        state_.emplace(state);
    }
    Random chance = random;
    profiler_.count_into(into);
    machine_.run(group, *state_, chance);
}

} // namespace croupier::engine
