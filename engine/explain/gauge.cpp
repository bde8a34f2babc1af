// Runs groups once more, watched.
#include "engine/explain/gauge.h"

namespace croupier::engine {

Gauge::Watched::Watched(const Program& program, const GaugeSettings& settings, bool entries)
    : machine(program, settings.budgets),
      profiler(program, settings.clock, settings.clock_cost, entries) {
    machine.set_observer(&profiler);
}

void Gauge::Watched::run(GroupId group, const State& from, const Random& random, Profile& into) {
    if (state) {
        *state = from;
    } else {
        state.emplace(from);
    }
    Random chance = random;
    profiler.count_into(into);
    machine.run(group, *state, chance);
}

Gauge::Gauge(const Program& program, const GaugeSettings& settings)
    : rules_(program, settings, false) {
    if (settings.entries) {
        entries_ = std::make_unique<Watched>(program, settings, true);
        with_entries_ = std::make_unique<Profile>(program);
    }
}

void Gauge::measure(GroupId group, const State& state, const Random& random, Profile& into) {
    rules_.run(group, state, random, into);
    if (entries_ == nullptr) {
        return;
    }
    with_entries_->clear();
    entries_->run(group, state, random, *with_entries_);
    into.add_entries(*with_entries_);
}

} // namespace croupier::engine
