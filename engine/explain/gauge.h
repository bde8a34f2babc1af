// Measures what rules cost in a game that is being played, on copies of its states.
#pragma once

#include "engine/explain/profile.h"
#include "engine/run/error.h"
#include "engine/run/machine.h"
#include "engine/run/program.h"
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
    struct Watched {
        Watched(const Program& program, const GaugeSettings& settings, bool entries);
        void run(GroupId group, const State& from, const Random& random, Profile& into);

        Machine machine;
        Profiler profiler;
        std::optional<State> state; // kept, so that a run allocates nothing
    };

    Watched rules_;
    std::unique_ptr<Watched> entries_; // null: they are not measured
    std::unique_ptr<Profile> with_entries_;
};

} // namespace croupier::engine
