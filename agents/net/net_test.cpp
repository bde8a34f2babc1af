// Nets: what moves are worth, computed by hand; what agents remember; files that are refused.
#include "agents/codes.h"
#include "agents/net/net_agent.h"
#include "agents/registry.h"
#include "agents/testing/testing.h"
#include "games/testing/testing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace croupier::agents {
namespace {

// Nothing hides here; "three" is never legal. LIT is the state of the cells.
constexpr std::string_view kSteps = R"({
    "game": {"name": "steps", "players": ["N", "S"]},
    "options": {"length": 3}, "constants": {"steps": {"one": 1, "two": 2}},
    "types": {"Player": ["N", "S"], "Way": ["one", "two", "three"], "Cell": 300},
    "shape": {"turn": "Player", "moves": {"$:Way": true}, "move": "Way", "at": "0..9", "over": "bool", "next": {"$:Player": "Player"},
              "lit": {"$:Cell": true}},
    "state": {"turn": "N", "at": 0, "next": {"N": "S", "S": "N"}, "lit": {LIT}},
    "moves": [{"action": {"moves": {"one": true, "two": true}}}],
    "play": [
        {"name": "step", "condition": {"move": "$M", "steps": {"$M": "$N"}, "turn": "$P", "next": {"$P": "$O"}},
         "action": {"at": "$this + $N", "turn": "$O"}},
        {"name": "end", "condition": {"at": ">= 8"}, "action": {"over": true}}
    ],
    "score": []
})";

// Two bits, two units between, a unit for each move, and one for the position.
constexpr std::string_view kNet = R"({
    "game": "steps", "ruleset": "", "options": {"length": 3}, "unit": 4,
    "bits": ["at=1", "at=0"], "moves": ["one", "two", "three"],
    "layers": [
        {"weights": "ff030200", "factors": [1, 1.0], "biases": [0.5, 0]},
        {"weights": "0102ff0001000004", "factors": [0.5, 1, 1, 0.5], "biases": [0, -1.25, 10, 0.25]}
    ]
})";

class Nets : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string lit;
        for (int cell = 0; cell < 300; ++cell)
            lit += fmt::format("{}\"{}\": true", cell == 0 ? "" : ", ", cell);
        std::string text(kSteps);
        opened_ = games::open_text(text.replace(text.find("LIT"), 3, lit));
        ASSERT_NE(opened_.game, nullptr);
    }
    [[nodiscard]] OpenedNet open(const std::string& text) const {
        return Net::open(
            "a.json",
            [&](const std::string&) {
                return engine::FileText{text, {}};
            },
            *opened_.game->ruleset_game());
    }
    [[nodiscard]] std::vector<double> points(const Net& net, const Position& at) const {
        std::vector<Move> moves;
        at.list_moves(moves);
        Net::Work work;
        std::vector<std::int64_t> worths;
        net.look(at, {}, at.turn(), moves, work, worths);
        std::vector<double> found;
        found.reserve(worths.size());
        for (const std::int64_t worth : worths)
            found.push_back(net.points(worth));
        return found;
    }
    // The code of the first mistake, and its message.
    [[nodiscard]] std::string mistake(const std::string& text) const {
        const OpenedNet opened = open(text);
        EXPECT_EQ(opened.net == nullptr, opened.diagnostics.has_errors());
        const auto all = opened.diagnostics.sorted();
        return all.empty() ? "" : all.front().code + " " + all.front().message;
    }

    games::OpenedGame opened_;
};

// The net with one piece exchanged.
std::string with(const std::string& piece, const std::string& other) {
    std::string text(kNet);
    const std::size_t at = text.find(piece);
    EXPECT_NE(at, std::string::npos) << piece;
    return text.replace(at, piece.size(), other);
}

TEST_F(Nets, moves_are_worth_what_the_layers_say) {
    const OpenedNet opened = open(std::string(kNet));
    ASSERT_NE(opened.net, nullptr);
    const auto position = opened_.game->new_position();
    Random deal(1);
    Random chance(1);
    position->start(deal);
    // At 0 the units are 2.5 and 0, the position is worth 0.25, and a worth of 1 is 4 points.
    EXPECT_EQ(points(*opened.net, *position), (std::vector<double>{6, 16}));
    position->play(0, chance);
    // At 1 the first unit is below nothing, the second 3, so the position is worth 6.25.
    EXPECT_EQ(points(*opened.net, *position), (std::vector<double>{31, 20}));
    position->play(0, chance);
    EXPECT_EQ(points(*opened.net, *position), (std::vector<double>{2, 0})) << "units 0.5 and 0";
}

TEST_F(Nets, an_agent_makes_the_move_that_is_worth_most) {
    const AgentServices services{*opened_.game, [](const std::string&) {
                                     return engine::FileText{std::string(kNet), {}};
                                 }};
    const MadeAgent made = make_agent(parse_agent_spec("net:a.json"), services);
    ASSERT_NE(made.agent, nullptr);
    const auto position = opened_.game->new_position();
    Random deal(1);
    Random chance(1);
    position->start(deal);
    struct Lines : engine::Log {
        void line(const std::string& text) override { all.push_back(text); }
        std::vector<std::string> all;
    } lines;
    made.agent->set_log(&lines);
    made.agent->reset(*opened_.game, 0);
    EXPECT_EQ(made.agent->choose(*position, chance), 1U);
    EXPECT_EQ(lines.all, (std::vector<std::string>{"N expects one +6.0, two +16.0"}));
    position->play(0, chance);
    EXPECT_EQ(made.agent->choose(*position, chance), 0U);
    EXPECT_FALSE(made.agent->observes()) << "nothing is hidden";
}

TEST_F(Nets, searches_look_ahead_with_what_a_net_expects) {
    // At 2 whoever moves is behind: by a step of one the agent would come there, by two the other.
    std::string text = with("\"at=1\", \"at=0\"", "\"at=2\", \"at=9\"");
    text.replace(text.find("0102ff0001000004"), 16, "0102ff00010000fc");
    const AgentServices services{*opened_.game, [&](const std::string&) {
                                     return engine::FileText{text, {}};
                                 }};
    const auto position = opened_.game->new_position();
    Random deal(1);
    position->start(deal);
    const auto choice = [&](const std::string& spec) {
        const MadeAgent made = make_agent(parse_agent_spec(spec), services);
        EXPECT_NE(made.agent, nullptr) << spec << made.error;
        Random random(1);
        made.agent->reset(*opened_.game, 0);
        return made.agent->choose(*position, random);
    };
    EXPECT_EQ(choice("net:a.json"), 0U);
    EXPECT_EQ(choice("mcts:net=a.json,playouts=3,explore=10"), 1U);
    EXPECT_EQ(choice("ismcts:net=a.json,playouts=3,explore=10"), 1U);
    EXPECT_EQ(choice("mcts:net=a.json,playouts=100,nodes=3"), 1U) << "a tree that is full at once";
    EXPECT_EQ(choice("ismcts:net=a.json,playouts=100,nodes=3"), 1U);
    EXPECT_EQ(make_agent(parse_agent_spec("mcts:net=a.json,resign=20"), services).error,
              "mcts resigns by the results of playouts, and with a net there are none");
}

TEST_F(Nets, sums_of_many_bits_are_whole) {
    std::string bits;
    std::string weights;
    for (int cell = 0; cell < 300; ++cell) {
        bits += fmt::format("{}\"lit.{}\"", cell == 0 ? "" : ", ", cell);
        weights += "7f";
    }
    const OpenedNet opened =
        open(R"({"game": "steps", "unit": 1, "bits": [)" + bits +
             R"(], "moves": ["one", "two", "three"], "layers": [{"weights": ")" + weights +
             R"(", "factors": [0.0009765625], "biases": [0]},
            {"weights": "01010100", "factors": [1, 1, 1, 1], "biases": [0, 0, 0, 0]}]})");
    ASSERT_NE(opened.net, nullptr);
    const auto position = opened_.game->new_position();
    Random deal(1);
    position->start(deal);
    EXPECT_NEAR(points(*opened.net, *position)[0], 300.0 * 127 / 1024, 1.0 / 512);
}

TEST_F(Nets, of_other_games_are_refused_and_of_changed_ones_noted) {
    EXPECT_EQ(mistake(with(R"("steps")", R"("life")")),
              "E0707 this net was trained for life, and steps is played");
    EXPECT_EQ(mistake(with("at=1", "at=11")), "E0707 this net sees what steps does not have");
    EXPECT_EQ(mistake(with(R"("three"])", R"("four"])")),
              "E0707 this net knows other moves than steps");
    EXPECT_EQ(open(std::string(kNet)).net->difference(),
              "the rules have changed since it was trained");
    EXPECT_EQ(open(with(R"("length": 3)", R"("length": 5)")).net->difference(),
              "it was trained with length=5");
    EXPECT_EQ(
        open(with(R"("ruleset": "")", R"("ruleset": ")" + opened_.game->facts().ruleset + R"(")"))
            .net->difference(),
        "");
}

TEST_F(Nets, that_are_damaged_are_refused) {
    EXPECT_TRUE(mistake(std::string(kNet).substr(0, 300)).starts_with("E0")) << "cut off";
    EXPECT_EQ(mistake("[]"), "E0706 a net is an object");
    EXPECT_EQ(mistake("{}"), "E0706 \"game\" is missing here");
    EXPECT_EQ(mistake(with("ff030200", "ff0302")),
              "E0706 2 inputs and 2 units need 8 hexadecimal digits and 2 biases");
    EXPECT_EQ(mistake(with("ff030200", "fg030200")),
              "E0706 a weight has two hexadecimal digits, -127 to 127");
    EXPECT_EQ(mistake(with("ff030200", "80030200")),
              "E0706 a weight has two hexadecimal digits, -127 to 127");
    EXPECT_EQ(mistake(with("[1, 1.0]", "[1, 1e9]")), "E0706 a number from -64 to 64 belongs here");
    EXPECT_EQ(mistake(with("[1, 1.0]", "[1, null]")), "E0706 a number from -64 to 64 belongs here");
    EXPECT_EQ(mistake(with("[0, -1.25, 10, 0.25]", "[0, -1.25]")),
              "E0706 2 inputs and 4 units need 16 hexadecimal digits and 4 biases");
    EXPECT_EQ(mistake(with("[0.5, 1, 1, 0.5]", "[0.5, 1, 1]")),
              "E0706 the last layer has a unit for each of the 3 moves, and one more");
    EXPECT_EQ(mistake(with("[\"at=1\", \"at=0\"]", "[]")), "E0706 a net sees 1 to 32768 bits");
    EXPECT_EQ(mistake(with("\"unit\": 4", "\"unit\": {}")),
              "E0706 a number from -1048576 to 1048576 belongs here");
    EXPECT_EQ(mistake(with("\"unit\": 4", "\"unit\": 0")), "E0706 a unit is above 0");
}

TEST(nets, need_a_file_and_a_game_that_lists_its_moves) {
    const auto life = games::open_for_test("life");
    const auto error = [&](const std::string& spec) {
        return make_agent(parse_agent_spec(spec), {*life, games::test_opener()}).error;
    };
    EXPECT_EQ(error("net"), "net takes a file, as in net:FILE");
    EXPECT_EQ(make_agent(parse_agent_spec("net:a.json"), {*life}).error,
              "net: no files can be read here");
    const MadeAgent missing =
        make_agent(parse_agent_spec("net:no/such.json"), {*life, games::test_opener()});
    EXPECT_EQ(missing.agent, nullptr);
    EXPECT_EQ(missing.diagnostics.sorted().front().code, code::kNet);
}

} // namespace
} // namespace croupier::agents
