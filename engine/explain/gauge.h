// Measures what rules cost in a game that is being played, on copies of its states.
#pragma once

#include "engine/explain/profile.h"
#include "engine/plan/program.h"
#include "engine/run/error.h"
#include "engine/run/machine.h"
#include "engine/run/random.h"
#include "engine/tree/state.h"

#include <memory>
#include <optional>

namespace croupier::engine {

// What a gauge measures with.
struct GaugeSettings {
    Profiler::Clock clock = nullptr; // none: counts alone
    std::uint64_t clock_cost = 0;    // of a reading, see `cost_of_clock`
    bool entries = false;            // those of conditions too: each run is done a third time
    Budgets budgets = {};
};

// Runs a group on a copy of a state with a copy of its chance, so that nothing that is measured, or
// how, can change the game. One per thread and program.
class Gauge {
  public:
    // The program, and the ruleset that it was made of, outlive the gauge.
    Gauge(const Program& program, const GaugeSettings& settings);

    // Adds what the rules cost in a run of the group from there to the profile, which is of the
    // program. A run that fails counts as far as it came.
    void measure(GroupId group, const State& state, const Random& random, Profile& into);

  private:
    // The observed twin has a layout of its own, so states go there as documents.
    struct Twin {
        Twin(const Program& program, const GaugeSettings& settings);

        Program program;
        Machine machine;
        Profiler profiler;
        Profile profile;
        State state;
    };

    Machine machine_;
    Profiler profiler_;
    std::optional<State> state_;
    std::unique_ptr<Twin> twin_;
};

} // namespace croupier::engine
