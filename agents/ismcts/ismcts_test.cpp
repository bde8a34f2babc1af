// Tree search with hidden parts: wins, and is a function of its seed.
#include "agents/game_runner.h"
#include "agents/ismcts/ismcts_agent.h"
#include "agents/random/random_agent.h"
#include "agents/testing/testing.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <array>

namespace croupier::agents {
namespace {

using games::open_for_test;

// One or two sticks are taken, and the player who takes the last one wins: the right move leaves
// 3k.
constexpr const char* kSticks = R"({
    "game": {"name": "sticks", "players": "Seat"},
    "types": {"Seat": {"members": ["A", "B"], "order": "cyclic"}, "Take": ["1", "2"]},
    "shape": {"turn": "Seat", "pile": "int", "moves": {"$:Take": true}, "move": "Take",
              "over": "bool", "score": {"$:Seat": "int"}},
    "state": {"turn": "A", "pile": 11},
    "moves": [{"condition": {"pile": "$N", "_": "$N > 0"}, "action": {"moves": {"1": true}}},
              {"condition": {"pile": "$N", "_": "$N > 1"}, "action": {"moves": {"2": true}}}],
    "play": [{"condition": {"move": "1"}, "action": {"pile": "$this - 1"}},
             {"condition": {"move": "2"}, "action": {"pile": "$this - 2"}},
             {"condition": {"pile": 0}, "action": {"over": true}},
             {"condition": {"over": "@absent", "turn": "$P", "next": {"$P": "$Q"}},
              "action": {"turn": "$Q"}}],
    "score": [{"condition": {"turn": "$P"}, "action": {"score": {"$P": 1}}}]})";

TEST(ismcts_agent, finds_the_winning_move_where_nothing_is_hidden) {
    const games::OpenedGame sticks = games::open_text(kSticks);
    ASSERT_NE(sticks.game, nullptr);
    GameRunner table(*sticks.game);
    IsmctsAgent ismcts({.playouts = 400}, {});
    RandomAgent random;
    int won = 0;
    for (std::uint64_t deal = 0; deal < 20; ++deal) {
        const std::array<Agent*, 2> seated = {&ismcts, &random};
        won += table.play(seated, {1, deal, 0}).place(0) == 1 ? 1 : 0;
    }
    EXPECT_GE(won, 19);
}

TEST(ismcts_agent, beats_random_in_belote) {
    const auto belote = open_for_test("belote");
    const testing::Match match = testing::match(*belote, "ismcts:playouts=100", "random", 25);
    EXPECT_GT(match.mean, 3 * match.error);
}

TEST(ismcts_agent, plays_as_many_playouts_as_it_may) {
    const auto belote = open_for_test("belote");
    const auto position = belote->new_position();
    const auto view = belote->new_position();
    Random deal(1);
    position->start(deal);
    view->view_from(*position, position->turn());
    IsmctsAgent ismcts({.playouts = 70, .most_nodes = 20}, {});
    ismcts.reset(*belote, position->turn());
    Random random(1);
    EXPECT_LT(ismcts.choose(*view, random), view->move_count());
    EXPECT_EQ(ismcts.playouts(), 70U);
    EXPECT_TRUE(ismcts.is_reproducible());
    EXPECT_TRUE(ismcts.observes());
}

TEST(ismcts_agent, chooses_by_view_memory_and_stream_alone) {
    const auto belote = open_for_test("belote");
    const char* const spec = "ismcts:policy=rules:naive,playouts=5";
    testing::expect_function_of_view(*belote, spec, 40);
    testing::expect_blind_to_other_hands(*belote, spec);
}

} // namespace
} // namespace croupier::agents
