// What games and agents made of rules tell of the rules they run, to whoever measures them.
#pragma once

#include "engine/api/program.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "games/contract/streams.h"

#include <cstdint>

namespace croupier::games {

// What rules are run for. The first four are a game's, the others an agent's.
enum class Phase : std::uint8_t { Setup, Moves, Play, Score, Choose, Observe };

// In `RuleRun::seat`: it is nobody's in particular.
inline constexpr Seat kNobody = 0xffffffff;

// A group that is about to be run; the references are good during the call.
struct RuleRun {
    Phase phase = Phase::Setup;
    Seat seat = kNobody; // whose move, legal moves or thoughts they are
    const engine::Program& program;
    engine::GroupId group;
    const engine::Budgets& budgets;
    const engine::State& state;
    const engine::Random& random;
};

class RuleWatch {
  public:
    RuleWatch() = default;
    RuleWatch(const RuleWatch&) = delete;
    RuleWatch& operator=(const RuleWatch&) = delete;
    virtual ~RuleWatch() = default;

    // Before each run. Whoever hears it copies what it needs and changes nothing.
    virtual void runs(const RuleRun& run) = 0;
};

} // namespace croupier::games
