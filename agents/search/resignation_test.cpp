// Searches that may resign: in lost games, at their own turn, and only with the option.
#include "agents/arguments.h"
#include "agents/game_runner.h"
#include "agents/registry.h"
#include "agents/search/playout.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace croupier::agents {
namespace {

using games::open_for_test;

TEST(resignation, comes_with_the_third_low_decision_in_a_row) {
    Resignation resignation(0.2);
    EXPECT_TRUE(resignation.may_come());
    for (const double expected : {0.1, 0.0, 0.2, 0.1, 0.19})
        EXPECT_FALSE(resignation.comes(expected));
    EXPECT_TRUE(resignation.comes(0.15));
    resignation.reset();
    EXPECT_FALSE(resignation.comes(0));

    Resignation never;
    EXPECT_FALSE(never.may_come());
    for (int i = 0; i < 10; ++i)
        EXPECT_FALSE(never.comes(-1e9));
}

std::unique_ptr<Agent> made(const Game& game, const std::string& spec) {
    MadeAgent result =
        make_agent(parse_agent_spec(spec), {game, games::test_opener(), games::kAgentsFolder});
    EXPECT_NE(result.agent, nullptr) << result.error;
    return std::move(result.agent);
}

struct Resigning {
    const char* game;
    const char* spec;
    const char* resign;
    const char* opponent;
    std::uint64_t deals;
    Seat seat = 0;

    // For readable test names.
    friend std::ostream& operator<<(std::ostream& out, const Resigning& with) {
        return out << with.game << " " << with.spec;
    }
};

class Resigns : public ::testing::TestWithParam<Resigning> {};

// Plays the same games twice: by the agent as it is, and with resignation.
TEST_P(Resigns, what_it_would_have_lost) {
    const Resigning& with = GetParam();
    const auto game = open_for_test(with.game);
    const std::vector<Seat> side = game->facts().partners(with.seat);
    const auto is_ours = [&](Seat seat) {
        return std::find(side.begin(), side.end(), seat) != side.end();
    };
    const auto table_of = [&](const std::string& spec) {
        std::vector<std::unique_ptr<Agent>> agents;
        for (Seat seat = 0; seat < game->facts().seats(); ++seat)
            agents.push_back(made(*game, is_ours(seat) ? spec : with.opponent));
        return agents;
    };
    const auto stay = table_of(with.spec);
    const auto resign = table_of(std::string(with.spec) + "," + with.resign);
    GameRunner table(*game);
    int resigned = 0;
    int lost = 0;
    for (std::uint64_t deal = 0; deal < with.deals; ++deal) {
        const auto play =
            [&](const std::vector<std::unique_ptr<Agent>>& agents) -> const Position& {
            std::vector<Agent*> seated(agents.size());
            std::transform(agents.begin(), agents.end(), seated.begin(),
                           [](const auto& agent) { return agent.get(); });
            return table.play(seated, {5, deal, 0});
        };
        const Position& end = play(stay);
        EXPECT_FALSE(table.verdict());
        const auto moves = table.made();
        const bool is_lost = end.place(with.seat) > end.place(1 - with.seat);
        (void)play(resign);
        if (!table.verdict()) {
            EXPECT_EQ(table.made(), moves) << "nothing else may differ";
            continue;
        }
        EXPECT_EQ(table.verdict()->kind, Verdict::Kind::Resigned);
        EXPECT_TRUE(is_ours(table.verdict()->seat));
        ASSERT_LT(table.made().size(), moves.size());
        EXPECT_TRUE(std::equal(table.made().begin(), table.made().end(), moves.begin()));
        ++resigned;
        lost += is_lost ? 1 : 0;
    }
    EXPECT_GE(resigned, 3);
    EXPECT_GE(lost, resigned * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(
    searches, Resigns,
    ::testing::Values(Resigning{"nim", "mcts:playouts=400", "resign=40", "pimc:deals=1,dd=100", 10,
                                1},
                      Resigning{"life", "eval:depth=1", "resign=5", "eval:depth=2", 10},
                      Resigning{"belote", "pimc:deals=6,dd=8", "resign=5", "rules:counting", 40},
                      Resigning{"belote", "ismcts:playouts=60", "resign=5", "rules:counting", 40}),
    [](const auto& tested) {
        const std::string spec = tested.param.spec;
        return spec.substr(0, spec.find(':'));
    });

} // namespace
} // namespace croupier::agents
