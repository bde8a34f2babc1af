// Plays solvable games perfectly, refuses large ones, and solves once for all agents.
#include "agents/game_runner.h"
#include "agents/random/random_agent.h"
#include "agents/rules/rule_program.h"
#include "agents/tablebase/tablebase.h"
#include "engine/api/text.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>

namespace croupier::agents {
namespace {

using games::open_for_test;

std::unique_ptr<Position> pile(const Game& game, std::uint32_t stones) {
    auto position = game.new_position();
    engine::Diagnostics none;
    Random chance;
    using namespace engine::json;
    EXPECT_TRUE(position->load(object({{"pile", integer(stones)}}), chance, none));
    position->resume(chance);
    return position;
}

// The player to move loses if the pile is a multiple of four, and otherwise wins by leaving one.
TEST(solution, knows_who_wins_a_pile_of_stones_and_how_soon) {
    const auto game = open_for_test("subtraction");
    Solution solution(*game);
    const auto next = game->new_position();
    for (std::uint32_t stones = 1; stones < 40; ++stones) {
        const auto position = pile(*game, stones);
        const Solution::Worth worth = solution.worth(*position);
        EXPECT_EQ(worth.winner, stones % 4 == 0 ? Seat{1} : Seat{0}) << stones;
        EXPECT_EQ(worth.plies, stones / 4 * 2 + (stones % 4 == 0 ? 0 : 1)) << stones;
        if (stones % 4 == 0) continue;
        const Move best = position->move(solution.best_move(*position, *next));
        EXPECT_EQ(position->text(best), std::to_string(stones % 4));
    }
}

// Earlier requests make no difference, nor does forgetting them to make room.
TEST(solution, holds_no_more_than_it_may_whatever_was_asked_before) {
    const auto game = open_for_test("subtraction");
    Solution all(*game);
    all.worth(*pile(*game, 20));
    const std::size_t needed = all.size();
    for (const std::size_t most : {needed, needed - 1}) {
        Solution fresh(*game, most);
        Solution used(*game, most);
        used.worth(*pile(*game, 3));
        for (std::uint32_t stones = 40; stones > 20; --stones)
            EXPECT_THROW(used.worth(*pile(*game, stones)), Solution::Unsolved);
        used.worth(*pile(*game, 7));
        for (Solution* const each : {&fresh, &used}) {
            if (most == needed) {
                EXPECT_EQ(each->worth(*pile(*game, 20)).winner, Seat{1});
            } else
                EXPECT_THROW(each->worth(*pile(*game, 20)), Solution::Unsolved);
            EXPECT_LE(each->size(), most);
        }
    }
}

TEST(tablebase, refuses_what_is_too_large_before_it_is_played) {
    const auto life = open_for_test("life");
    EXPECT_EQ(make_agent(parse_agent_spec("tablebase:positions=1000"), {*life}).error,
              "life has more than 1000 positions, or 32000 moves in them: a tablebase is for games "
              "as small as endings of chess (positions=N lets it hold more)");
    EXPECT_NE(make_agent(parse_agent_spec("tablebase"), {*open_for_test("belote")}).error, "");
}

TEST(tablebase, is_at_fault_where_nobody_waits_until_a_game_is_solved) {
    const auto game = open_for_test("subtraction");
    std::atomic<bool> abandon = true;
    const MadeAgent made =
        make_agent(parse_agent_spec("tablebase"), {.game = *game, .abandon = &abandon});
    ASSERT_NE(made.agent, nullptr) << made.error;
    made.agent->reset(*game, 0);
    Random random;
    EXPECT_EQ(made.agent->choose(*pile(*game, 21), random), kNoChoice);
    ASSERT_NE(made.agent->fault(), nullptr);
    EXPECT_EQ(made.agent->fault()->kind, FaultKind::Stall);
    EXPECT_EQ(made.agent->fault()->what, "subtraction was not solved in time");
    abandon = false;
    made.agent->reset(*game, 0);
    EXPECT_LT(made.agent->choose(*pile(*game, 21), random), kResigns);
}

TEST(tablebase, agents_of_all_threads_share_what_is_solved) {
    const auto game = open_for_test("subtraction");
    RulePrograms programs;
    const auto solution = programs.solution(*game, Solution::kMax);
    const auto make = [&](const char* spec) {
        MadeAgent made = make_agent(parse_agent_spec(spec), {.game = *game, .programs = &programs});
        EXPECT_EQ(made.error, "");
        return std::move(made.agent);
    };
    const auto other = make("tablebase:positions=2000");
    EXPECT_EQ(solution->size(), 0U) << "other options have their own";
    std::array<std::unique_ptr<Agent>, 3> agents;
    for (auto& agent : agents)
        agent = make("tablebase");
    EXPECT_EQ(solution->size(), 42U) << "A moves before 21 and 0 to 19 stones, B before 0 to 20";
    EXPECT_EQ(solution.use_count(), 2 + 3);
    std::array<std::jthread, 3> threads;
    for (std::size_t i = 0; i < agents.size(); ++i) {
        threads[i] = std::jthread([&, &agent = agents[i]] {
            GameRunner table(*game);
            RandomAgent random;
            for (std::uint64_t deal = 0; deal < 5; ++deal) {
                const std::array<Agent*, 2> seated = {agent.get(), &random};
                EXPECT_EQ(table.play(seated, {1, deal, 0}).place(0), 1U);
            }
        });
    }
}

} // namespace
} // namespace croupier::agents
