// Games of an agent whose rules are profiled; see rule_costs.h.
#include "tournaments/runner/rule_costs.h"

#include "agents/rules/rule_agent.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace croupier::tournaments {
namespace {

// Plays as it always does, and counts.
class Watched : public agents::RuleAgent {
  public:
    Watched(std::shared_ptr<const agents::RuleProgram> program, engine::Profiler& profiler,
            std::uint64_t& decisions)
        : RuleAgent(std::move(program)), decisions_(decisions) {
        set_observer(&profiler);
    }
    std::size_t choose(const agents::Position& view, agents::Random& random) override {
        ++decisions_;
        return RuleAgent::choose(view, random);
    }

  private:
    std::uint64_t& decisions_;
};

} // namespace

std::vector<std::optional<double>> rule_costs(const CostWatch& watch,
                                              std::span<const agents::RuleAt> rules) {
    const engine::Program& program = watch.program->program();
    engine::Profiler profiler(program, watch.clock, engine::cost_of_clock(watch.clock));
    std::uint64_t decisions = 0;
    const AgentMaker make = [&](std::uint32_t agent) -> std::unique_ptr<agents::Agent> {
        if (agent != 0) return watch.others(agent);
        return std::make_unique<Watched>(watch.program, profiler, decisions);
    };
    std::mutex mutex;
    Player player(watch.game, make, watch.agents, mutex);
    Block block;
    results::GameRecord record;
    for (std::uint64_t index = 0; index < std::min(watch.blocks, watch.schedule.known()); ++index) {
        watch.schedule.get(index, block);
        for (std::uint32_t game = 0; game < block.games(); ++game)
            player.play(block, game, watch.seed, record);
    }
    std::vector<std::optional<double>> costs(rules.size());
    if (decisions == 0) return costs;
    for (const engine::RuleRow& row : engine::rows(program, profiler.profile())) {
        const auto same = [&](const agents::RuleAt& each) {
            return each.group == row.group && each.name == row.name;
        };
        const auto rule = std::find_if(rules.begin(), rules.end(), same);
        if (rule != rules.end())
            costs[static_cast<std::size_t>(rule - rules.begin())] =
                static_cast<double>(row.cost.total_ns) / static_cast<double>(decisions);
    }
    return costs;
}

} // namespace croupier::tournaments
