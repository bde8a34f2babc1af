// Watches the rules of one worker's games: what they do in every step or in a sample of them, and,
// tick by tick, who takes the time.
#pragma once

#include "agents/table.h"
#include "engine/api/explain.h"
#include "engine/api/program.h"
#include "results/costs/cost.h"
#include "tournaments/runner/ticks.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace croupier::tournaments {

// The first deals of a run are watched more often, so that short runs have counts too.
inline constexpr std::uint64_t kFirstDeals = 64;

// Instructions of machine code that ticks have found at work, or that had called what was, each
// with what it takes: by whose rules they are (0: the game's, else those of agent - 1), the
// function, and the offset of a byte of the instruction.
using CodeTimes =
    std::map<std::tuple<std::size_t, std::size_t, std::uint32_t>, std::uint64_t>; // nanoseconds

struct ProfileSettings {
    const results::ProfileFacts* facts = nullptr; // null: nobody watches
    Sampler* sampler = nullptr;                   // null: counts alone
    std::uint32_t stretch = 0;                    // of steps, of which one is watched; 0: none is
    std::uint32_t first_stretch = 0;              // in the first deals; 0: the same
    CodeTimes* code = nullptr;                    // of the only worker; null: rules are enough
};

// The step of a game that is watched in its n-th stretch of so many steps: a hash of which game it
// is and of n, so that it depends on nothing else.
std::uint32_t sampled_step(const agents::GameKey& key, std::uint32_t n, std::uint32_t stretch);

// One a worker. What rules do, it counts on copies (engine/explain/gauge.h), and times come from
// interrupting the thread: games never know.
class CostMeter : public agents::StepWatch {
  public:
    // All must outlive the meter.
    CostMeter(const ProfileSettings& settings, const games::Game& game);
    // For rules that are no game's.
    CostMeter(const ProfileSettings& settings, const engine::Catalogue& rules);
    ~CostMeter() override;

    // Where the thread is that plays; before anything is measured.
    void look_at(agents::Whereabouts& whereabouts);
    // From here to `rests`, the thread at hand plays.
    void works();
    void rests();
    // Who sits where in the games that come: by their numbers, and themselves.
    void seat(std::span<const std::uint32_t> numbers, std::span<agents::Agent* const> agents);
    std::uint32_t first(const agents::GameKey& key) override;
    std::uint32_t after(std::uint32_t step) override;
    void runs(const games::RuleRun& run) override;

    // Appends what was counted since the last time, in the order of keys, and forgets it.
    void drain(std::vector<results::CostRow>& into);
    // The same of times.
    void drain_times(std::vector<results::CostRow>& into);

  private:
    CostMeter(const ProfileSettings& settings, std::uint32_t seats,
              const engine::Catalogue* rules_of_game);

    struct Program;
    struct Rules; // of a program, as far as ticks ask for them
    Program& program_of(const games::RuleRun& run);
    void settle();
    void take(const Tick& tick, std::uint64_t weight);
    void take_rules(const engine::Seen& seen, std::uint64_t all_ns, const Rules& rules,
                    std::uint32_t first);
    void add_time(const results::CostKey& key, const results::Cost& cost);
    [[nodiscard]] const Rules& rules_of(const engine::Catalogue& program);

    const ProfileSettings& settings_;
    std::uint32_t seats_;
    bool full_;
    std::vector<std::uint32_t> first_rules_; // of the game, then of each agent: index into facts
    const engine::Catalogue* game_rules_;    // null: it has none
    std::span<const std::uint32_t> agents_;
    std::vector<const engine::Catalogue*> agent_rules_; // by seat
    agents::Whereabouts* whereabouts_ = nullptr;
    std::unique_ptr<TickBuffer> buffer_;              // null: nobody interrupts
    std::uint64_t begun_ns_ = 0;                      // CPU time of the thread,
    std::uint64_t watched_ns_ = 0;                    // and what of it since was no part of games
    std::map<results::CostKey, results::Cost> times_; // since they were last drained
    std::map<const engine::Catalogue*, Rules> rules_;
    agents::GameKey key_;
    std::uint64_t watched_ = 0;
    bool touched_ = false;      // since it was last drained
    std::uint32_t stretch_ = 0; // in this game
    // By whose rules they are: 0 is the game, then the agents.
    std::map<std::pair<std::size_t, const engine::Program*>, std::unique_ptr<Program>> programs_;
};

} // namespace croupier::tournaments
