// Watches the rules of one worker's games: every step of them, or a sample.
#pragma once

#include "agents/table.h"
#include "engine/api/explain.h"
#include "engine/api/program.h"
#include "results/costs/cost.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace croupier::tournaments {

// Of how many steps a sample has one. Chosen so that a run of Belote takes at most three hundredths
// longer (tournaments/README.md); slower games lose less.
inline constexpr std::uint32_t kSampleStretch = 2048;

struct ProfileSettings {
    const results::ProfileFacts* facts = nullptr; // null: nobody watches
    engine::Profiler::Clock clock = nullptr;      // nanoseconds; none: counts alone
    std::uint64_t clock_cost = 0;                 // of a reading
    std::uint32_t stretch = kSampleStretch;
};

// The step of a game that is watched in its n-th stretch of so many steps: a hash of which game it
// is and of n, so that it depends on nothing else.
std::uint32_t sampled_step(const agents::GameKey& key, std::uint32_t n, std::uint32_t stretch);

// One a worker. What it measures, it measures on copies (engine/explain/gauge.h): games never know.
class CostMeter : public agents::StepWatch {
  public:
    // All must outlive the meter.
    CostMeter(const ProfileSettings& settings, const games::Game& game);
    ~CostMeter() override;

    // Who sits where in the games that come.
    void seat(std::span<const std::uint32_t> agents) { agents_ = agents; }
    std::uint32_t first(const agents::GameKey& key) override;
    std::uint32_t after(std::uint32_t step) override;
    void runs(const games::RuleRun& run) override;

    // Appends what was measured since the last time, in the order of keys, and forgets it.
    void drain(std::vector<results::CostRow>& into);

  private:
    struct Program;
    Program& program_of(const games::RuleRun& run);

    const ProfileSettings& settings_;
    std::uint32_t seats_;
    bool full_;
    std::vector<std::uint32_t> first_rules_; // of the game, then of each agent: index into facts
    std::span<const std::uint32_t> agents_;
    agents::GameKey key_;
    std::uint64_t watched_ = 0;
    bool touched_ = false; // since it was last drained
    // By whose rules they are: 0 is the game, then the agents.
    std::map<std::pair<std::size_t, const engine::Program*>, std::unique_ptr<Program>> programs_;
};

} // namespace croupier::tournaments
