// The agents that come with tarot: in whole games, and in the positions that their rules are about.
#include "agents/game_runner.h"
#include "agents/rules/rule_agent.h"
#include "agents/testing/testing.h"
#include "engine/api/text.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace croupier::agents {

namespace {

using games::open_for_test;

constexpr std::array<const char*, 3> kLevels{"rules:naive", "rules:table", "rules:counting"};

std::unique_ptr<Agent> make(const Game& game, const std::string& spec) {
    MadeAgent made =
        make_agent(parse_agent_spec(spec), {game, games::test_opener(), games::kAgentsFolder});
    for (const engine::Diagnostic& each : made.diagnostics.sorted())
        ADD_FAILURE() << engine::format(each, made.sources);
    EXPECT_NE(made.agent, nullptr) << made.error;
    return std::move(made.agent);
}

TEST(tarot_agents, weigh_only_legal_moves_and_always_some) {
    for (const char* title : {"tarot:three", "tarot", "tarot:five"}) {
        const auto game = open_for_test(title, {{"poignee", std::string("manual")}});
        for (const char* level : kLevels) {
            std::vector<std::unique_ptr<Agent>> agents;
            std::vector<Agent*> seated;
            while (seated.size() < game->facts().seats()) {
                agents.push_back(make(*game, level));
                seated.push_back(agents.back().get());
            }
            GameRunner table(*game);
            for (std::uint64_t deal = 0; deal < 30; ++deal)
                EXPECT_EQ(table.play(seated, {9, deal, 0}).ending(), games::Ending::Over);
            for (const auto& agent : agents)
                for (const Note& note : agent->notes())
                    ADD_FAILURE() << title << " " << level << ": " << note.what;
        }
    }
}

TEST(tarot_agents, choose_by_view_memory_and_stream_alone) {
    const auto four = open_for_test("tarot");
    const auto five = open_for_test("tarot:five");
    for (const char* level : kLevels) {
        testing::expect_function_of_view(*four, level, 90);
        testing::expect_function_of_view(*five, level, 90);
        testing::expect_blind_to_other_hands(*four, level);
    }
}

TEST(tarot_agents, each_level_beats_the_one_below) {
    const auto tarot = open_for_test("tarot");
    const std::array<std::string, 3> levels{"random", "rules:naive", "rules:table"};
    for (std::size_t i = 1; i < levels.size(); ++i) {
        const testing::Match match = testing::match(*tarot, levels[i], levels[i - 1], 400);
        EXPECT_GT(match.mean, 3 * match.error)
            << levels[i] << " - " << levels[i - 1] << ": " << match.mean << " +- " << match.error;
    }
}

// ---- sayings ---------------------------------------------------------------------------------

std::string hand_json(const std::string& cards) {
    std::string json;
    for (std::size_t start = 0; start < cards.size();) {
        const std::size_t end = std::min(cards.find(' ', start), cards.size());
        json += (json.empty() ? "\"" : ", \"") + cards.substr(start, end - start) + "\": true";
        start = end + 1;
    }
    return "{" + json + "}";
}

// The agent's move after these moves of a deal that begins with these hands; `taker` has bid.
std::string plays(const std::string& title, const std::string& agent, const std::string& taker,
                  const std::vector<std::string>& hands, const std::string& moves,
                  const std::string& more = "") {
    const auto game = open_for_test(title);
    std::string json = R"({"phase": "slam", "dealer": "D", "turn": ")" + taker +
                       R"(", "contract": {"name": "garde-sans", "by": ")" + taker + "\"" + more +
                       "}, \"hands\": {";
    if (hands.size() == 5) json.replace(json.find("\"D\""), 3, "\"E\"");
    for (std::size_t seat = 0; seat < hands.size(); ++seat)
        json += (seat == 0 ? "\"" : ", \"") + game->facts().players[seat] +
                "\": " + hand_json(hands[seat]);
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    Random random(1);
    const auto state = engine::read_json(sources, sources.add("state", json + "}}"), diagnostics);
    const auto position = game->new_position();
    const auto view = game->new_position();
    EXPECT_TRUE(position->load(*state, random, diagnostics));
    position->resume(random);
    std::vector<std::unique_ptr<Agent>> agents;
    for (Seat seat = 0; seat < hands.size(); ++seat) {
        agents.push_back(make(*game, agent));
        agents.back()->reset(*game, seat);
    }
    const std::string all = "play " + moves;
    for (std::size_t start = 0; start < all.size();) {
        const std::size_t end = std::min(all.find(' ', start), all.size());
        const auto move = position->find_move(all.substr(start, end - start));
        if (!move) {
            ADD_FAILURE() << all.substr(start, end - start) << " is not legal";
            return "";
        }
        const Seat player = position->turn();
        const std::string name = all.substr(start, end - start);
        position->play(*move, random);
        for (Seat seat = 0; seat < hands.size(); ++seat) {
            view->view_from(*position, seat);
            if (agents[seat]->observes()) agents[seat]->observe(*view, {player, name});
        }
        start = end + 1;
    }
    const Seat turn = position->turn();
    view->view_from(*position, turn);
    return std::string(view->text(view->move(agents[turn]->choose(*view, random))));
}

TEST(tarot_agents, give_points_to_a_friend_and_none_to_the_taker) {
    // A has led the king; C is the last defender, D is the taker and has played or not.
    const std::vector<std::string> hands{"S14 H1 H5", "S2 H2 H6", "S1 S13 H8", "S3 H3 H7"};
    EXPECT_EQ(plays("tarot", "rules:table", "B", hands, "S14 S2"), "S13");
    EXPECT_EQ(plays("tarot", "rules:table", "D", hands, "S14 S2"), "S1");
    EXPECT_EQ(plays("tarot", "rules:table", "A", hands, "S14 S2"), "S1");
    // An agent that counts cards knows that the king stands as long as the taker must follow.
    EXPECT_EQ(plays("tarot", "rules:counting", "D", hands, "S14 S2"), "S13");
}

TEST(tarot_agents, bring_the_petit_home) {
    // D has no hearts; the taker has played, and a friend holds the trick.
    EXPECT_EQ(plays("tarot", "rules:table", "B", {"H1 S1 S2", "H2 S5 S6", "H3 S9 S7", "T1 T5 S8"},
                    "H1 H2 H3"),
              "T1");
    EXPECT_EQ(plays("tarot", "rules:naive", "B", {"H1 S1 S2", "H2 S5 S6", "H3 S9 S7", "T1 T5 S8"},
                    "H1 H2 H3"),
              "T1");
    // With the taker still to play, a higher trump.
    EXPECT_EQ(plays("tarot", "rules:table", "D", {"H1 S1 S2", "H2 S5 S6", "T1 T5 S8", "H3 S9 S7"},
                    "H1 H2"),
              "T5");
}

TEST(tarot_agents, spend_the_excuse_to_save_a_card) {
    const std::vector<std::string> costly{"S14 H1 H5", "S2 H2 H6", "S13 EX H8", "S3 H3 H7"};
    EXPECT_EQ(plays("tarot", "rules:table", "A", costly, "S14 S2"), "EX");
    const std::vector<std::string> cheap{"S14 H1 H5", "S2 H2 H6", "S4 EX H8", "S3 H3 H7"};
    EXPECT_EQ(plays("tarot", "rules:table", "A", cheap, "S14 S2"), "S4");
    // The Excuse is not kept to the last trick.
    EXPECT_EQ(plays("tarot", "rules:table", "A", {"S14 H1", "S2 H2", "S4 EX", "S3 H3"}, "S14 S2"),
              "EX");
}

TEST(tarot_agents, who_counts_keeps_the_queen_guarded) {
    // B, a defender, must discard on trumps: diamonds guard the queen once the king is out.
    const std::vector<std::string> hands{"T21 T20 D14", "D13 D1 C2", "T2 T3 S2", "T4 T5 S3"};
    EXPECT_EQ(plays("tarot", "rules:table", "A", hands, "T21"), "D1");
    EXPECT_EQ(plays("tarot", "rules:counting", "A", hands, "T21"), "C2");
    // The fourth valet, below king, queen and cavalier.
    const std::vector<std::string> valet{"T21 T20 D14 S1 S4", "D11 D1 D2 D3 C4", "T2 T3 S2 S5 S6",
                                         "T4 T5 S3 S7 S8"};
    EXPECT_EQ(plays("tarot", "rules:table", "A", valet, "T21"), "D1");
    EXPECT_EQ(plays("tarot", "rules:counting", "A", valet, "T21"), "C4");
}

TEST(tarot_agents, who_counts_cashes_what_has_become_the_highest_and_hunts_the_petit) {
    // The king is gone, the queen stands; an agent that does not count leads the long suit.
    const std::vector<std::string> hands{"S14 S13 H1 H2 H3", "S2 D1 D2 D3 D4", "S3 D5 D6 D7 D8",
                                         "S4 C1 C2 C3 C4"};
    EXPECT_EQ(plays("tarot", "rules:counting", "B", hands, "S14 S2 S3 S4"), "S13");
    EXPECT_EQ(plays("tarot", "rules:table", "B", hands, "S14 S2 S3 S4"), "H1");
    // The taker has most trumps and the highest.
    const std::string trumps = "T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 S1";
    const std::vector<std::string> hunt{trumps, "T1 S2 S3 S4 S5 S6 S7 S8 S9 H1 H2",
                                        "T2 H3 H4 H5 H6 H7 H8 H9 D1 D2 D3",
                                        "T3 D4 D5 D6 D7 D8 D9 C1 C2 C3 C4"};
    EXPECT_EQ(plays("tarot", "rules:counting", "A", hunt, ""), "T21");
    EXPECT_EQ(plays("tarot", "rules:table", "A", hunt, ""), "S1");
}

TEST(tarot_agents, a_partner_plays_for_the_taker_before_anybody_knows_him) {
    // A, the taker, has led, and B holds with a king: a friend of C, unless C is the partner.
    const std::vector<std::string> hands{"S1 H1 D1", "S14 H2 D2", "S13 S2 D14", "S3 H4 D4",
                                         "S5 H5 D5"};
    const std::string more = R"(, "partner": "C")";
    EXPECT_EQ(plays("tarot:five", "rules:table", "A", hands, "S1 S14", more), "S2");
    EXPECT_EQ(plays("tarot:five", "rules:table", "A", hands, "S1 S14"), "S13");
}

// The agent that comes with whist: in whole games, and in given positions.

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
        GameRunner table(*game);
        for (std::uint64_t deal = 0; deal < 50; ++deal)
            EXPECT_EQ(table.play(seated, {9, deal, 0}).ending(), games::Ending::Over);
        for (const auto& agent : agents)
            for (const Note& note : agent->notes())
                ADD_FAILURE() << trump << ": " << note.what << ", " << note.times;
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

// A's card: given the trick so far with A to move, and A's hand; spades are trump.
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
