// The oracle never loses a solvable position, and no other agent is shown the position.
#include "agents/game_runner.h"
#include "agents/oracle/oracle_agent.h"
#include "agents/testing/testing.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace croupier::agents {
namespace {

using games::Ending;
using games::open_for_test;

MadeAgent made_oracle(const std::string& spec, const Game& game, bool oracles = true) {
    return make_agent(parse_agent_spec(spec), {.game = game,
                                               .open = games::test_opener(),
                                               .folder = games::kAgentsFolder,
                                               .oracles = oracles});
}

// Shows the test the value of each decision of the oracle.
class OracleWatch final : public Listener {
  public:
    void moves(const Position& before, Move move) override {
        const auto end = before.clone();
        Random any(3);
        end->play_randomly(any, any);
        if (end->plies() - before.plies() > 8) return;
        const std::vector<double> worth = testing::worth_by_trying(before, before.turn());
        for (std::size_t i = 0; i < worth.size(); ++i) {
            if (before.move(i) != move) continue;
            EXPECT_EQ(worth[i], *std::max_element(worth.begin(), worth.end()));
        }
        ++decisions;
    }
    int decisions = 0;
};

TEST(oracle, never_loses_a_solved_ending) {
    const auto game = open_for_test("belote");
    const MadeAgent made = made_oracle("oracle:dd=12", *game);
    ASSERT_NE(made.agent, nullptr) << made.error;
    // One for each seat, as in a game.
    std::vector<MadeAgent> others;
    std::vector<Agent*> seats{made.agent.get()};
    for (Seat seat = 1; seat < 4; ++seat) {
        others.push_back(made_oracle("oracle:dd=12", *game));
        seats.push_back(others.back().agent.get());
    }
    GameRunner table(*game);
    OracleWatch watch;
    for (std::uint64_t deal = 0; deal < 6; ++deal)
        table.play(seats, {5, deal, 0}, &watch);
    EXPECT_GT(watch.decisions, 20);
    const auto& oracle = dynamic_cast<const OracleAgent&>(*made.agent);
    EXPECT_GT(oracle.solved(), 0U);
    EXPECT_GT(oracle.left(), 0U) << "earlier tricks";
}

TEST(oracle, sees_what_no_view_shows) {
    // Two deals that look equal to the player to move: an honest agent does the same in both.
    const auto game = open_for_test("belote");
    const MadeAgent made = made_oracle("oracle:dd=12", *game);
    const MadeAgent honest = made_oracle("rules:table", *game);
    made.agent->reset(*game, 0);
    ASSERT_NE(made.agent->oracle(), nullptr);
    EXPECT_EQ(honest.agent->oracle(), nullptr);
    for (std::uint64_t deal = 0; deal < 30; ++deal) {
        const auto position = testing::random_ending(*game, deal, 12);
        if (position == nullptr || position->move_count() == 1) continue;
        made.agent->reset(*game, position->turn());
        const std::vector<double> worth = testing::worth_by_trying(*position, position->turn());
        Random random(deal);
        const std::size_t chosen = made.agent->oracle()->choose_knowing(*position, random);
        EXPECT_EQ(worth[chosen], *std::max_element(worth.begin(), worth.end()));
    }
}

// Records the position that an agent is handed.
class Looking final : public Agent {
  public:
    void reset(const Game&, Seat me) override { me_ = me; }
    std::size_t choose(const Position& view, Random&) override {
        const auto own = view.clone();
        own->view_from(view, me_);
        EXPECT_EQ(games::json(*own), games::json(view)) << "more than a view";
        ++asked;
        return 0;
    }
    int asked = 0;

  private:
    Seat me_ = 0;
};

TEST(oracle, others_at_its_table_see_views) {
    const auto game = open_for_test("belote");
    const MadeAgent one = made_oracle("oracle:dd=4", *game);
    const MadeAgent two = made_oracle("oracle:dd=4", *game);
    Looking left;
    Looking right;
    const std::vector<Agent*> seats{one.agent.get(), &left, two.agent.get(), &right};
    GameRunner table(*game);
    table.play(seats, {1, 2, 0});
    EXPECT_GT(left.asked, 7);
    EXPECT_GT(right.asked, 7);
}

TEST(oracle, no_other_kind_is_one_and_none_hides_one) {
    const auto game = open_for_test("belote");
    for (const char* spec : {"random", "rules:table", "pimc:deals=2", "ismcts:playouts=4",
                             "mcts:playouts=4", "mix:bid=rules:table,play=random"}) {
        const MadeAgent made = made_oracle(spec, *game);
        if (made.agent == nullptr) continue; // not for this game
        EXPECT_EQ(made.agent->oracle(), nullptr) << spec;
    }
    for (const char* spec :
         {"mix:bid=rules:table,play=oracle", "pimc:policy=oracle,deals=2",
          "ismcts:policy=oracle,playouts=4", "ismcts:bids=oracle,playouts=4",
          "oracle:policy=oracle", "oracle:policy=pimc", "oracle:depth=3", "oracle:dd=x"})
        EXPECT_NE(made_oracle(spec, *game).error, "") << spec;
    EXPECT_NE(made_oracle("oracle", *game, false).error, "");
}

} // namespace
} // namespace croupier::agents
