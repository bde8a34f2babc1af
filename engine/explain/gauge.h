// Counts what rules do in a game that is being played, on copies of its states.
#pragma once

#include "engine/explain/profile.h"
#include "engine/run/error.h"
#include "engine/run/machine.h"
#include "engine/run/program.h"
#include "engine/run/random.h"
#include "engine/tree/state.h"

#include <optional>

namespace croupier::engine {

// Runs a group on a copy of a state with a copy of its chance, so that nothing that is measured, or
// how, can change the game. One per thread and program.
class Gauge {
  public:
    // The program, and the ruleset that it was made of, outlive the gauge. `entries`: those of
    // conditions are counted too.
    Gauge(const Program& program, const Budgets& budgets, bool entries);

    // Adds what the rules do in a run of the group from there to the profile, which is of the
    // program. A run that fails counts as far as it came.
    void measure(GroupId group, const State& state, const Random& random, Profile& into);

  private:
    Machine machine_;
    Profiler profiler_;
    std::optional<State> state_; // kept, so that a run allocates nothing
};

} // namespace croupier::engine
