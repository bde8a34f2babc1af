// run, resume, report and merge as a user meets them; what takes a process is in run_test.sh.
#include "results/store/journal.h"
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class RunCommands : public FolderTest {};

TEST_F(RunCommands, a_run_is_reported_kept_and_reported_again) {
    const Ran ran = run_in_process({"run", "--game", "belote", "--agents", "Good=random,Bad=random",
                                    "--blocks", "20", "--format", "json", "--out", path("a")});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "seed 1, results in " + path("a") + "\n");
    const json run = json::parse(text("a/run.json"));
    EXPECT_EQ(run["facts"]["agents"], (json{"Good", "Bad"}));
    EXPECT_EQ(run["specification"]["blocks"], (json{"rotate", 20}));
    for (const json& input : run["inputs"])
        EXPECT_FALSE(text("a/" + input["copy"].get<std::string>()).empty());
    const json summary = json::parse(text("a/summary.json"));
    EXPECT_EQ(summary["complete"], true);
    // Told again it is the same, but for the time that it took.
    const Ran again = run_in_process({"report", path("a"), "--format", "json"});
    json told = json::parse(again.out);
    for (json& row : told["costs"]["rows"]) {
        for (const char* time : {"self_ns", "total_ns", "ns_per_game", "share"})
            EXPECT_EQ(row.erase(time), 1U);
    }
    EXPECT_EQ(told, summary["report"]);
    EXPECT_EQ(run_in_process({"resume", path("a"), "--format", "json"}).out, again.out);
    // Nothing is played again, not even when rows have been lost.
    const std::string rows = text("a/games.csv");
    write("a/games.csv", rows.substr(0, rows.find("\n12,0,") + 1));
    EXPECT_EQ(run_in_process({"resume", path("a")}).err,
              "croupier resume: " + path("a") +
                  ": was complete, and 12 of its 20 blocks are left\n");
}

TEST_F(RunCommands, tells_once_what_agents_have_to_say_of_themselves) {
    const std::string rules =
        write("idle.json", R"({"game": "life", "choose": [{"action": {"prefer": {"pass": 1}}}]})");
    const Ran ran = run_in_process({"run", "--game", "life", "--set", "max_plies=6", "--agents",
                                    "idle=rules:" + rules, "--agents", "random", "--games", "4",
                                    "--threads", "2", "--out", path("a")});
    EXPECT_EQ(ran.code, 0);
    // Four games of three moves each.
    EXPECT_EQ(ran.err, "seed 1, results in " + path("a") +
                           "\n"
                           "croupier run: warning: idle: a move that is not legal had a weight, "
                           "which was ignored (12 times)\n"
                           "croupier run: warning: idle: no legal move had a weight, one was made "
                           "by chance (12 times)\n");
}

TEST_F(RunCommands, says_whose_choices_are_no_function_of_the_seed) {
    const Ran ran = run_in_process({"run", "--game", "life", "--set", "max_plies=2", "--agents",
                                    "mcts:ms=1,random", "--games", "2", "--out", path("a")});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const std::string note = "not reproducible, since time or a program decides: mcts:ms=1\n";
    EXPECT_NE(ran.out.find(note), std::string::npos) << ran.out;
    EXPECT_NE(run_in_process({"report", path("a")}).out.find(note), std::string::npos);
    const json names{"mcts:ms=1"};
    EXPECT_EQ(json::parse(text("a/run.json"))["facts"]["irreproducible"], names);
    EXPECT_EQ(json::parse(text("a/summary.json"))["report"]["irreproducible"], names);
}

TEST_F(RunCommands, autoplay_has_the_form_of_old) {
    const Ran ran = run_in_process({"run", "--game", "belote", "--agents", "random", "--games",
                                    "100", "--format", "autoplay", "--out", path("a")});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "Final results:\n"
                       "Player 1 \"Random\", wins = 53.\n"
                       "Player 2 \"Random\", wins = 47.\n"
                       "Draws = 0\n"
                       "100 game(s) played\n");
}

TEST_F(RunCommands, a_file_says_it_and_options_count_more) {
    write("run.json", R"({"game": "life", "set": {"max_plies": 4}, "agents": ["random", "b=random"],
                          "games": 6, "seed": 5})");
    ASSERT_EQ(run_in_process({"run", path("run.json"), "--out", path("a")}).code, 0);
    ASSERT_EQ(run_in_process({"run", path("run.json"), "--seed", "6", "--games", "4", "--set",
                              "max_plies=3", "--agent", "c=random", "--agent", "b=random", "--out",
                              path("b")})
                  .code,
              0);
    const json first = json::parse(text("a/run.json"));
    const json second = json::parse(text("b/run.json"));
    EXPECT_EQ(first["specification"]["set"], (json{{"max_plies", 4}}));
    EXPECT_EQ(first["facts"]["seed"], 5);
    EXPECT_EQ(second["specification"]["set"], (json{{"max_plies", 3}}));
    EXPECT_EQ(second["specification"]["blocks"], (json{"rotate", 2}));
    EXPECT_EQ(second["facts"]["agents"], (json{"c", "b"}));
    EXPECT_NE(text("b/games.csv").find("\n0,0,0,B,c,"), std::string::npos);
    EXPECT_NE(text("b/games.csv").find("3,unfinished,"), std::string::npos);
}

TEST_F(RunCommands, all_mistakes_are_told_with_their_places) {
    write("run.json", "{\"game\": \"lief\",\n \"agents\": [\"randm\"]}");
    const Ran ran = run_in_process({"run", path("run.json"), "--games", "0", "--set", "x=1"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find(path("run.json") +
                           ":1:10: error[E0803]: there is no game 'lief' (did you mean 'life'?)"),
              std::string::npos)
        << ran.err;
    EXPECT_NE(ran.err.find(path("run.json") +
                           ":2:13: error[E0804]: there is no agent 'randm' (did you mean "
                           "'random'?)"),
              std::string::npos)
        << ran.err;
    EXPECT_NE(ran.err.find("--games:1:1: error[E0806]: 0 is not between 1"), std::string::npos)
        << ran.err;
    EXPECT_NE(ran.err.find("croupier run: 3 errors\n"), std::string::npos) << ran.err;

    const Ran three = run_in_process(
        {"run", "--game", "life", "--agents", "random,random,random", "--sprt", "0,5"});
    EXPECT_NE(three.err.find("a sequential test compares two agents, and there are 3"),
              std::string::npos)
        << three.err;
    EXPECT_EQ(run_in_process({"run", "--game", "life", "--agents", "random", "--shard", "3/2"}).err,
              "croupier run: --shard takes i/n with i from 1 to n, found '3/2'\n");
    EXPECT_EQ(run_in_process({"resume", path("none")}).err,
              "croupier resume: " + path("none/run.json") +
                  ": cannot be read: No such file or directory\n");
}

TEST_F(RunCommands, rounds_that_depend_on_results_go_on_after_an_interruption) {
    const std::vector<std::string> command = {"run",
                                              "--game",
                                              "belote",
                                              "--agents",
                                              "a=random,b=random,c=random,d=random,e=random",
                                              "--schedule",
                                              "swiss",
                                              "--rounds",
                                              "3",
                                              "--blocks",
                                              "60",
                                              "--profile",
                                              "off",
                                              "--out"};
    const auto with = [&](const std::string& folder, const std::string& threads) {
        std::vector<std::string> all = command;
        all.insert(all.end(), {path(folder), "--threads", threads});
        return run_in_process(all).code;
    };
    ASSERT_EQ(with("one", "1"), 0);
    ASSERT_EQ(with("four", "4"), 0);
    EXPECT_EQ(text("one/games.csv"), text("four/games.csv"));
    // One that was killed in the middle of the second round.
    fs::create_directories(path("cut"));
    write("cut/run.json", text("one/run.json"));
    results::Journal journal;
    ASSERT_EQ(journal.open(path("cut")), std::nullopt);
    const std::string whole = text("one/games.csv");
    std::size_t at = whole.find('\n') + 1;
    for (int block = 1; block <= 25; ++block) {
        const std::size_t next = whole.find("\n" + std::to_string(block) + ",0,") + 1;
        journal.append(std::string_view(whole).substr(at, next - at));
        at = next;
    }
    ASSERT_EQ(journal.write(), std::nullopt);
    EXPECT_EQ(run_in_process({"report", path("cut"), "--format", "autoplay"}).code, 0);
    const Ran ran = run_in_process({"resume", path("cut")});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(ran.err.starts_with("going on after 50 games\n")) << ran.err;
    EXPECT_EQ(text("cut/games.csv"), whole);
    EXPECT_EQ(text("cut/summary.json"), text("one/summary.json"));
    EXPECT_EQ(run_in_process({"run", "--game", "belote", "--agents", "random,random,random",
                              "--schedule", "knockout", "--shard", "1/2"})
                  .err,
              "croupier run: --shard: who plays later depends on who wins earlier in this "
              "schedule\n");
}

} // namespace
} // namespace croupier::cli
