// Tree search: wins won positions, and is a function of its seed.
#include "agents/game_runner.h"
#include "agents/mcts/mcts_agent.h"
#include "agents/random/random_agent.h"
#include "agents/testing/testing.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <array>

namespace croupier::agents {
namespace {

using games::open_for_test;
using games::Purpose;
using games::stream;

// One or two are taken from a pile, and the player who takes the last one wins: with 3k left, every
// move loses; otherwise the right one leaves 3k.
TEST(mcts_agent, finds_the_winning_move_of_nim) {
    const auto nim = open_for_test("nim");
    GameRunner table(*nim);
    MctsAgent mcts({.playouts = 400}, {});
    MctsAgent other({.playouts = 400}, {});
    RandomAgent random;
    int won = 0;
    for (std::uint64_t deal = 0; deal < 20; ++deal) {
        const std::array<Agent*, 2> seated = {&mcts, &random};
        won += table.play(seated, {1, deal, 0}).place(0) == 1 ? 1 : 0;
    }
    EXPECT_GE(won, 19);
    // Between two good players the beginning decides, whatever the seed.
    const std::array<Agent*, 2> both = {&mcts, &other};
    const std::uint32_t first = table.play(both, {1, 0, 0}).place(0);
    for (std::uint64_t deal = 1; deal < 10; ++deal)
        EXPECT_EQ(table.play(both, {1, deal, 0}).place(0), first);
}

TEST(mcts_agent, beats_random_in_life) {
    const auto life = open_for_test("life");
    GameRunner table(*life);
    MctsAgent mcts({.playouts = 120}, {});
    RandomAgent random;
    double score = 0;
    for (std::uint64_t deal = 0; deal < 4; ++deal) {
        score += table.play(std::array<Agent*, 2>{&mcts, &random}, {3, deal, 0}).score(0);
        score += table.play(std::array<Agent*, 2>{&random, &mcts}, {3, deal, 1}).score(1);
    }
    EXPECT_GE(score, 7);
}

TEST(mcts_agent, plays_as_many_playouts_as_it_may) {
    const auto life = open_for_test("life");
    const auto position = life->new_position();
    Random deal(1);
    position->start(deal);
    MctsAgent mcts({.playouts = 70, .most_nodes = 20}, {});
    mcts.reset(*life, 0);
    Random random(1);
    EXPECT_LT(mcts.choose(*position, random), position->move_count());
    EXPECT_EQ(mcts.playouts(), 70U);
    EXPECT_TRUE(mcts.is_reproducible());
}

TEST(mcts_agent, chooses_by_view_and_stream_alone) {
    const auto life = open_for_test("life");
    for (const char* const spec : {"mcts:playouts=20", "mcts:playouts=3,policy=eval"})
        testing::expect_function_of_view(*life, spec, 6);
}

} // namespace
} // namespace croupier::agents
