// Runs groups once more, watched.
#include "engine/explain/gauge.h"

#include "engine/text/diagnostic.h"

namespace croupier::engine {

Gauge::Twin::Twin(const Program& played, const GaugeSettings& settings)
    : program(played.ruleset(), {.observed = true}), machine(program, settings.budgets),
      profiler(program, settings.clock, settings.clock_cost), profile(program),
      state(program.initial_state()) {
    machine.set_observer(&profiler);
}

Gauge::Gauge(const Program& program, const GaugeSettings& settings)
    : machine_(program, settings.budgets), profiler_(program, settings.clock, settings.clock_cost) {
    machine_.set_observer(&profiler_);
    if (settings.entries) {
        twin_ = std::make_unique<Twin>(program, settings);
    }
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
    if (twin_ == nullptr) {
        return;
    }
    Diagnostics none; // the state is one of this ruleset
    twin_->program.import(twin_->state, state.export_document(), none);
    twin_->profile.clear();
    twin_->profiler.count_into(twin_->profile);
    chance = random;
    twin_->machine.run(group, twin_->state, chance);
    into.add_entries(twin_->profile);
}

} // namespace croupier::engine
