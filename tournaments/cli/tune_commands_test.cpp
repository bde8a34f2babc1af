// Tuning for its users: a parameter with a known best value, resumed folders, refusals.
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace croupier::cli {
namespace {

using nlohmann::json;

class TuneCommands : public FolderTest {
  protected:
    void SetUp() override {
        FolderTest::SetUp();
        // The player who names the higher number wins, but 8 and above lose to anything.
        write("game.json", R"({
            "game": {"name": "dare", "players": ["A", "B"]},
            "types": {"Seat": ["A", "B"], "Number": 11},
            "shape": {"turn": "Seat", "moves": {"$:Number": true}, "move": "Number", "over": "bool",
                      "named": {"$:Seat": "0..10"}, "score": {"$:Seat": "int"}},
            "state": {"turn": "A"},
            "moves": [{"action": {"moves": {"0": true, "1": true, "2": true, "3": true, "4": true,
                "5": true, "6": true, "7": true, "8": true, "9": true, "10": true}}}],
            "play": [
                {"name": "end", "condition": {"turn": "B"}, "action": {"over": true}},
                {"name": "name", "condition": {"turn": "$P", "move": "$N"},
                 "action": {"named": {"$P": "$N"}, "turn": "B"}}
            ],
            "score": [
                {"name": "none", "action": {"score": {"A": 0, "B": 0}}},
                {"name": "good", "condition": {"named": {"$P": "$N"}, "_": "$N < 8"},
                 "action": {"score": {"$P": "$N + 1"}}}
            ]
        })");
        // Names `high`, or a random number near it.
        write("agent.json", R"({
            "game": "dare", "options": {"high": 2}, "option_values": {"high": "0..10"},
            "choose": [
                {"condition": {"moves": {"$M": true}}, "action": {"prefer": {"$M": 0}}},
                {"condition": {"moves": {"$M": true}, "_": "$M = options.high"},
                 "action": {"prefer": {"$M": 5}}}
            ]
        })");
    }
    [[nodiscard]] std::vector<std::string> command(const std::string& folder,
                                                   std::vector<std::string> more = {}) const {
        std::vector<std::string> words{"tune", path("game.json"), "--agent",    agent(),  "--games",
                                       "3000", "--out",           path(folder), "--step", "10"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    [[nodiscard]] std::string agent() const { return "rules:" + path("agent.json"); }
};

TEST_F(TuneCommands, what_wins_the_most_is_found_and_proved) {
    const Ran ran = run_in_process(command("a", {"--json"}));
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json told = json::parse(ran.out);
    const double tuned = told["values"][0]["tuned"];
    EXPECT_GE(tuned, 5);
    EXPECT_LE(tuned, 7) << "8 loses to anything";
    EXPECT_EQ(told["tuned"], agent() + ",high=" + std::to_string(static_cast<int>(tuned)));
    EXPECT_EQ(told["proof"]["verdict"], "stronger");
    EXPECT_EQ(told["proof"]["score"]["value"], 1.0);
    EXPECT_LT(told["proof"]["blocks"], 200) << "a test that ends when it knows";
    EXPECT_TRUE(contains(ran.err, "seed 1, results in " + path("a")));

    // Checked by a run: the tuned agent wins all games.
    const Ran played = run_in_process({"run", "--game", path("game.json"), "--agents",
                                       told["tuned"].get<std::string>() + "," + agent(), "--games",
                                       "20", "--json", "--out", path("run")});
    ASSERT_EQ(played.code, 0) << played.err;
    EXPECT_EQ(json::parse(played.out)["contestants"][0]["name"], told["tuned"]);
}

TEST_F(TuneCommands, a_tuning_goes_on_to_the_same_bytes) {
    const Ran whole = run_in_process(command("a", {"--threads", "3", "--gain", "0.5"}));
    ASSERT_EQ(whole.code, 0) << whole.err;
    ASSERT_EQ(run_in_process(command("b", {"--threads", "1", "--gain", "0.5"})).out, whole.out);
    const std::string steps = text("a/steps.csv");
    const std::string proof = text("a/proof.csv");
    EXPECT_EQ(text("b/steps.csv"), steps);
    EXPECT_EQ(text("b/proof.csv"), proof);

    // Killed while writing a row, then during the proof.
    write("b/steps.csv", steps.substr(0, steps.size() / 3));
    std::filesystem::remove(path("b/proof.csv"));
    EXPECT_EQ(run_in_process({"resume", path("b")}).out, whole.out);
    EXPECT_EQ(text("b/steps.csv"), steps);
    write("b/proof.csv", proof.substr(0, proof.size() / 2));
    EXPECT_EQ(run_in_process({"resume", path("b"), "--threads", "2"}).out, whole.out);
    EXPECT_EQ(text("b/proof.csv"), proof);
    EXPECT_EQ(run_in_process({"report", path("b")}).out, whole.out) << "and nothing is played";

    ASSERT_EQ(run_in_process({"report", path("b"), "--html", path("page.html")}).code, 0);
    const std::string page = text("page.html");
    EXPECT_TRUE(contains(page, "data-chart=\"value-high\""));
    EXPECT_TRUE(contains(page, "data-chart=\"llr\""));
}

TEST_F(TuneCommands, what_has_changed_since_is_noticed) {
    ASSERT_EQ(run_in_process(command("a")).code, 0);
    const std::string steps = text("a/steps.csv");
    std::string altered = steps;
    altered.replace(altered.find("\n20,") + 4, 1, "7");
    write("a/steps.csv", altered);
    for (const char* word : {"resume", "report"})
        EXPECT_TRUE(contains(run_in_process({word, path("a")}).err,
                             "steps.csv:3: not what follows from the rows before it"));
    write("a/steps.csv", steps);
    const std::string proof = text("a/proof.csv");
    const std::string second = lines(proof)[1];
    ASSERT_TRUE(second.starts_with("1,")) << second;
    for (const std::string& other : {std::string("0.5") + second.substr(1), std::string("1"),
                                     std::string("2") + second.substr(1), std::string("void")}) {
        write("a/proof.csv", lines(proof)[0] + "\n" + other + "\n");
        EXPECT_TRUE(contains(run_in_process({"report", path("a")}).err,
                             "proof.csv:2: '" + other + "' is not the score of a block"));
    }
    write("a/proof.csv", "");
    EXPECT_EQ(run_in_process({"resume", path("a")}).code, 0);

    const std::string agent_text = text("agent.json");
    write("agent.json", agent_text + " ");
    EXPECT_TRUE(contains(run_in_process({"resume", path("a")}).err,
                         "the files are not the same as when it began"));
    write("agent.json", agent_text);
    const std::string plan = text("a/tune.json");
    write("a/tune.json", plan.substr(0, plan.size() / 2));
    EXPECT_TRUE(contains(run_in_process({"resume", path("a")}).err, "is not valid JSON"));
    write("a/tune.json", "{\"format\": 1}");
    EXPECT_TRUE(contains(run_in_process({"report", path("a")}).err,
                         "tune.json:1:12: format: it is of another version of croupier"));
    write("a/tune.json", "{\"format\": 2}");
    EXPECT_TRUE(
        contains(run_in_process({"report", path("a")}).err, "tune.json:1:1: checksum: is missing"));
    // Any other alteration, even of members that do not affect results.
    const auto damaged = [&](const char* where, const json& value) {
        json other = json::parse(plan);
        other[json::json_pointer(where)] = value;
        write("a/tune.json", other.dump());
        return run_in_process({"report", path("a")}).err;
    };
    for (const auto& [where, value] : std::initializer_list<std::pair<const char*, json>>{
             {"/proof/blocks", 5}, {"/proof/elo1", 9.5}, {"/blocks", 7}, {"/made/time", "never"}})
        EXPECT_TRUE(contains(damaged(where, value), "altered since it was written")) << where;
    EXPECT_TRUE(contains(damaged("/checksum", 7), "checksum: expected a text, found 7"));
    EXPECT_TRUE(contains(damaged("/format", "x"), "format: expected a whole number"));
    EXPECT_TRUE(contains(run_in_process(command("a")).err, "holds a run or a tuning already"));
}

TEST_F(TuneCommands, opponents_may_be_named_and_parameters_come_from_a_file) {
    write("params.json", R"({"high": {"least": 0, "greatest": 9, "start": 1, "apart": 1}})");
    const Ran ran = run_in_process(command(
        "a", {"--against", "random", "--params", path("params.json"), "--proof", "0", "--json"}));
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json told = json::parse(ran.out);
    EXPECT_EQ(told["values"][0]["start"], 1.0) << "what is said goes before what the file says";
    EXPECT_EQ(told["values"][0]["greatest"], 9.0);
    EXPECT_GE(told["values"][0]["tuned"], 5.0);
    EXPECT_LE(told["values"][0]["tuned"], 7.0);
    EXPECT_EQ(told["against"], json::array({"random"}));
    EXPECT_TRUE(told["proof"].is_null());
    // Other agents have arguments in place of parameters.
    const Ran searched = run_in_process({"tune", path("game.json"), "--agent", "mcts:playouts=4",
                                         "--vary", "explore=10..300,start=100", "--games", "40",
                                         "--out", path("b"), "--json"});
    ASSERT_EQ(searched.code, 0) << searched.err;
    EXPECT_TRUE(contains(json::parse(searched.out)["tuned"].get<std::string>(),
                         "mcts:playouts=4,explore="));
}

// The higher the number, the more often its player wins, and the more a loss costs.
TEST_F(TuneCommands, what_makes_points_need_not_win) {
    write("game.json", R"rules({
        "game": {"name": "dare", "players": ["A", "B"]},
        "types": {"Seat": ["A", "B"], "Number": 11},
        "shape": {"turn": "Seat", "moves": {"$:Number": true}, "move": "Number", "over": "bool",
                  "named": {"$:Seat": "0..10"}, "luck": {"$:Seat": "0..23"},
                  "score": {"$:Seat": "int"}},
        "state": {"turn": "A"},
        "moves": [{"action": {"moves": {"0": true, "1": true, "2": true, "3": true, "4": true,
            "5": true, "6": true, "7": true, "8": true, "9": true, "10": true}}}],
        "play": [
            {"name": "end", "condition": {"turn": "B"}, "action": {"over": true}},
            {"name": "name", "condition": {"turn": "$P", "move": "$N"},
             "action": {"named": {"$P": "$N"}, "luck": {"$P": "= random(24)"}, "turn": "B"}}
        ],
        "score": [
            {"name": "bad", "condition": {"named": {"$P": "$N"}},
             "action": {"score": {"$P": "-3 * $N"}}},
            {"name": "good", "condition": {"named": {"$P": "$N"}, "luck": {"$P": "< $N + 10"}},
             "action": {"score": {"$P": 2}}}
        ]
    })rules");
    std::vector<std::string> more{"--vary", "high=0..10,start=5,apart=2,rate=0.01", "--proof",
                                  "2000", "--json"};
    const Ran wins = run_in_process(command("wins", more));
    ASSERT_EQ(wins.code, 0) << wins.err;
    const json won = json::parse(wins.out);
    EXPECT_GE(won["values"][0]["tuned"], 7);
    EXPECT_EQ(won["for"], "wins");
    more.insert(more.end(), {"--for", "points", "--worth", "30"});
    const Ran points = run_in_process(command("points", more));
    ASSERT_EQ(points.code, 0) << points.err;
    const json made = json::parse(points.out);
    EXPECT_LE(made["values"][0]["tuned"], 3);
    EXPECT_EQ(made["for"]["points"], 30.0);
    EXPECT_EQ(made["proof"]["verdict"], "stronger") << "by points";
    EXPECT_TRUE(contains(run_in_process({"report", path("points")}).out,
                         "tuned for points (30 count as a win) against itself"));

    // When resumed, it still tunes for points.
    const std::string steps = text("points/steps.csv");
    write("points/steps.csv", steps.substr(0, steps.size() / 2));
    std::filesystem::remove(path("points/proof.csv"));
    ASSERT_EQ(run_in_process({"resume", path("points"), "--threads", "2"}).code, 0);
    EXPECT_EQ(text("points/steps.csv"), steps);
}

TEST_F(TuneCommands, mistakes_are_told_before_anything_is_played) {
    const auto refused = [&](std::vector<std::string> more) {
        const Ran ran = run_in_process(command("none", std::move(more)));
        EXPECT_EQ(ran.code, 2);
        EXPECT_FALSE(std::filesystem::exists(path("none")));
        return ran.err;
    };
    EXPECT_TRUE(contains(refused({"--vary", "hihg=0..5"}), "did you mean 'high'?"));
    EXPECT_TRUE(contains(refused({"--vary", "high=5"}), "'5' is not a range"));
    EXPECT_TRUE(contains(refused({"--vary", "high=0..5,begin=2"}), "there is no 'begin'"));
    EXPECT_TRUE(contains(refused({"--vary", "high=0..5,start=x"}), "'x' is not a number"));
    EXPECT_TRUE(contains(refused({"--vary", "high=3..5"}), "it starts at 2, which is not between"));
    EXPECT_TRUE(contains(refused({"--vary", "high=0..5", "--vary", "high=0..6"}), "named twice"));
    EXPECT_TRUE(contains(refused({"--vary", "high=0..99"}), "an integer from 0 to 10, not 99"));
    EXPECT_TRUE(contains(refused({"--gain", "0"}), "--gain 0"));
    EXPECT_TRUE(contains(refused({"--for", "points"}), "--for points needs --worth N"));
    EXPECT_TRUE(contains(refused({"--worth", "9"}), "it goes with --for points"));
    EXPECT_TRUE(contains(refused({"--for", "points", "--worth", "0"}), "a number above 0"));
    EXPECT_TRUE(contains(refused({"--for", "point", "--worth", "2"}), "did you mean 'points'?"));
    EXPECT_TRUE(contains(refused({"--params", path("agent.json")}), "it takes an object"));
    EXPECT_TRUE(contains(run_in_process({"tune", path("game.json"), "--agent", "random"}).err,
                         "random has no parameters of its own with a range"));
    EXPECT_TRUE(contains(run_in_process({"tune", "tarot", "--agent", "rules:table"}).err,
                         "tarot has 4 sides: say by --against whom rules:table plays"));
}

} // namespace
} // namespace croupier::cli
