// Counts what watching a few steps of a random game takes.
#include "tournaments/runner/sample_stretch.h"

#include "agents/random/random_agent.h"
#include "agents/table.h"
#include "engine/api/explain.h"
#include "engine/api/program.h"

#include <algorithm>
#include <vector>

namespace croupier::tournaments {

namespace {

constexpr std::uint32_t kSteps = 4;  // that are watched
constexpr std::uint32_t kEvery = 16; // so that they are not all of the game's beginning
// For each thing that a watched step looks at, so many steps that are not watched take fifty times
// as long: measured (tournaments/README.md), in the games where steps take least.
constexpr std::uint64_t kStepsForOne = 24;

class WorkCounter : public agents::StepWatch {
  public:
    std::uint32_t first(const agents::GameKey&) override { return 0; }
    std::uint32_t after(std::uint32_t step) override {
        return ++steps_ < kSteps ? step + kEvery : kNever;
    }
    void runs(const games::RuleRun& run) override {
        engine::Gauge gauge(run.program, run.budgets, true);
        engine::Profile profile(run.program);
        gauge.measure(run.group, run.state, run.random, profile);
        for (const engine::RuleCost& rule : profile.rules()) {
            work_ += rule.tried + rule.matches;
            for (const engine::EntryCost& entry : rule.entries)
                work_ += entry.tried;
        }
    }

    [[nodiscard]] std::uint64_t work_of_a_step() const {
        return work_ / std::max<std::uint64_t>(steps_, 1);
    }

  private:
    std::uint64_t work_ = 0;
    std::uint32_t steps_ = 0;
};

} // namespace

std::uint32_t sample_stretch(const games::Game& game) {
    std::vector<agents::RandomAgent> agents(game.facts().seats());
    std::vector<agents::Agent*> seated(agents.size());
    std::transform(agents.begin(), agents.end(), seated.begin(),
                   [](agents::RandomAgent& each) { return &each; });
    WorkCounter counter;
    agents::Table table(game);
    table.set_watch(&counter);
    table.set_cut(kSteps * kEvery);
    table.play(seated, {});
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
        counter.work_of_a_step() * kStepsForOne, kLeastStretch, kMostStretch));
}

} // namespace croupier::tournaments
