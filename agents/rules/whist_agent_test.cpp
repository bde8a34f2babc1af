// The agent that comes with whist: in whole games, and what it plays in positions written down.
#include "agents/rules/rule_agent.h"
#include "agents/table.h"
#include "agents/testing/contract.h"
#include "agents/testing/match.h"
#include "engine/api/text.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace croupier::agents {
namespace {

constexpr const char* kWhistAgent = "rules:table";

std::unique_ptr<Agent> whist_agent(const Game& game) {
    MadeAgent made = make_agent(parse_agent_spec(kWhistAgent),
                                {game, games::test_opener(), games::kAgentsFolder});
    EXPECT_NE(made.agent, nullptr) << made.error;
    return std::move(made.agent);
}

TEST(whist_agent, weighs_only_legal_moves_and_always_some) {
    for (const char* const trump : {"turned", "none"}) {
        const auto game = games::open_for_test("whist", {{"trump", std::string(trump)}});
        std::vector<std::unique_ptr<Agent>> agents;
        std::array<Agent*, 4> seated{};
        for (Agent*& seat : seated) {
            agents.push_back(whist_agent(*game));
            seat = agents.back().get();
        }
        Table table(*game);
        for (std::uint64_t deal = 0; deal < 50; ++deal)
            EXPECT_EQ(table.play(seated, {9, deal, 0}).ending(), games::Ending::Over);
        for (const auto& agent : agents) {
            for (const Note& note : agent->notes())
                ADD_FAILURE() << trump << ": " << note.what << ", " << note.times;
        }
    }
}

TEST(whist_agent, chooses_by_view_and_stream_alone) {
    const auto game = games::open_for_test("whist");
    testing::expect_function_of_view(*game, kWhistAgent, 52);
    testing::expect_blind_to_other_hands(*game, kWhistAgent);
}

TEST(whist_agent, beats_random_with_trumps_and_without) {
    for (const char* const trump : {"turned", "none"}) {
        const auto game = games::open_for_test("whist", {{"trump", std::string(trump)}});
        const testing::Match match = testing::match(*game, kWhistAgent, "random", 400);
        EXPECT_GT(match.mean, 8 * match.error) << trump << ": " << match.mean;
    }
}

// What A plays: the trick so far, whose turn it is being A's, and A's hand; spades are trump.
std::string plays_in_whist(const std::string& trick, const std::string& hand) {
    const auto game = games::open_for_test("whist");
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    const std::string json =
        R"({"phase": "play", "turn": "A", "trump": "S", "dealer": "D", "trick": )" + trick +
        R"(, "hands": {"A": )" + hand + "}}";
    const auto state = engine::read_json(sources, sources.add("state", json), diagnostics);
    const auto position = game->new_position();
    Random random(1);
    EXPECT_TRUE(position->load(*state, random, diagnostics));
    position->resume(random);
    const auto view = game->new_position();
    view->view_from(*position, 0);
    const auto agent = whist_agent(*game);
    agent->reset(*game, 0);
    return std::string(view->text(view->move(agent->choose(*view, random))));
}

TEST(whist_agent, leads_an_ace_and_else_low_from_the_longest_suit) {
    EXPECT_EQ(plays_in_whist("[]", R"({"2H": true, "3H": true, "AD": true})"), "AD");
    EXPECT_EQ(plays_in_whist("[]", R"({"9H": true, "QH": true, "2D": true, "2S": true})"), "9H");
}

TEST(whist_agent, plays_low_as_second_and_high_as_third) {
    const std::string second = R"([{"player": "D", "card": "9H"}])";
    EXPECT_EQ(plays_in_whist(second, R"({"2H": true, "KH": true})"), "2H");
    EXPECT_EQ(plays_in_whist(second, R"({"2H": true, "AH": true})"), "AH");
    const std::string third = R"([{"player": "C", "card": "4H"}, {"player": "D", "card": "9H"}])";
    EXPECT_EQ(plays_in_whist(third, R"({"2H": true, "TH": true, "KH": true})"), "KH");
}

TEST(whist_agent, wins_cheaply_as_last_and_leaves_the_partner_his_trick) {
    const std::string opponents = R"([{"player": "B", "card": "9H"}, {"player": "C", "card": "4H"},
                                      {"player": "D", "card": "5H"}])";
    EXPECT_EQ(plays_in_whist(opponents, R"({"2H": true, "TH": true, "KH": true})"), "TH");
    EXPECT_EQ(plays_in_whist(opponents, R"({"2S": true, "3S": true, "KD": true})"), "2S");
    const std::string partners = R"([{"player": "B", "card": "4H"}, {"player": "C", "card": "9H"},
                                     {"player": "D", "card": "5H"}])";
    EXPECT_EQ(plays_in_whist(partners, R"({"2H": true, "TH": true})"), "2H");
    EXPECT_EQ(plays_in_whist(partners, R"({"2S": true, "3D": true})"), "3D");
}

} // namespace
} // namespace croupier::agents
