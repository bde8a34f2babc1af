// A decision in steady state allocates nothing: every operator new of this program is counted.
#include "agents/game_runner.h"
#include "agents/random/random_agent.h"
#include "agents/registry.h"
#include "engine/api/ruleset.h"
#include "games/testing/allocations.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <vector>

namespace croupier::agents {
namespace {

// Counts its agent's allocations while it chooses and observes.
class Counted : public Agent {
  public:
    explicit Counted(std::unique_ptr<Agent> agent) : agent_(std::move(agent)) {}
    std::uint64_t allocated = 0;

    void reset(const Game& game, Seat me) override { agent_->reset(game, me); }
    std::size_t choose(const Position& view, Random& random) override {
        const std::uint64_t before = games::allocations();
        const std::size_t chosen = agent_->choose(view, random);
        allocated += games::allocations() - before;
        return chosen;
    }
    [[nodiscard]] bool observes() const override { return agent_->observes(); }
    void observe(const Position& view, const ObservedMove& move) override {
        const std::uint64_t before = games::allocations();
        agent_->observe(view, move);
        allocated += games::allocations() - before;
    }

  private:
    std::unique_ptr<Agent> agent_;
};

struct Case {
    const char* game;
    const char* spec;
};

// An evaluator of Life: own stones minus the other's.
constexpr const char* kMaterial = R"({"game": "life", "evaluator": [{
    "condition": {"me": "$ME", "next": {"$ME": "$OTHER"}, "view": {"board": {
        "@count": {"of": {"$_": "$ME"}, "into": "$MINE"},
        "@count@2": {"of": {"$_": "$OTHER"}, "into": "$ITS"}}}},
    "action": {"worth": "$MINE - $ITS"}}]})";

engine::FileText open_file(const std::string& path) {
    if (path == "material.json") return {kMaterial, {}};
    return games::test_opener()(path);
}

// Until every buffer has reached its final size.
constexpr std::uint64_t kWarmUp = 100;

// As GoogleTest accepts it: letters, digits and underscores.
std::string name_of(const Case& param) {
    std::string name = std::string(param.game) + "_" + std::string(param.spec);
    std::replace_if(
        name.begin(), name.end(), [](unsigned char each) { return std::isalnum(each) == 0; }, '_');
    return name;
}

class AgentAllocation : public ::testing::TestWithParam<Case> {};

TEST_P(AgentAllocation, none_in_steady_state) {
    const auto game = games::open_for_test(GetParam().game, games::short_game(GetParam().game));
    std::vector<std::unique_ptr<Counted>> agents;
    std::vector<Agent*> seated;
    for (Seat seat = 0; seat < game->facts().seats(); ++seat) {
        MadeAgent made =
            make_agent(parse_agent_spec(GetParam().spec), {*game, open_file, games::kAgentsFolder});
        ASSERT_NE(made.agent, nullptr) << made.error;
        agents.push_back(std::make_unique<Counted>(std::move(made.agent)));
        seated.push_back(agents.back().get());
    }
    GameRunner table(*game);
    for (std::uint64_t deal = 0; deal < kWarmUp + 10; ++deal) {
        if (deal == kWarmUp)
            for (const auto& agent : agents)
                agent->allocated = 0;
        (void)table.play(seated, {4, deal, 0});
    }
    for (const auto& agent : agents)
        EXPECT_EQ(agent->allocated, 0U);
}

INSTANTIATE_TEST_SUITE_P(
    agents, AgentAllocation,
    ::testing::Values(Case{"belote", "random"}, Case{"belote", "rules:naive"},
                      Case{"belote", "rules:table"}, Case{"belote", "rules:counting"},
                      Case{"belote", "net:learnt"}, Case{"life", "eval"},
                      Case{"life", "eval:material.json"}, Case{"life", "rules:greedy"},
                      Case{"life", "eval:depth=2,nodes=400"}, Case{"life", "mcts:playouts=10"},
                      Case{"life:torus", "random"}),
    [](const auto& each) { return name_of(each.param); });

} // namespace
} // namespace croupier::agents
