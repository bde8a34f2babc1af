// run, resume, report and merge for their users; run_test.sh has the tests that need a process.
#include "tournaments/cli/command.h"
#include "tournaments/cli/testing.h"
#include "tournaments/run/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <sstream>
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
                                    "--blocks", "20", "--json", "--out", path("a")});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "seed 1, results in " + path("a") + "\n");
    const json run = json::parse(text("a/run.json"));
    EXPECT_EQ(run["facts"]["agents"], (json{"Good", "Bad"}));
    EXPECT_EQ(run["specification"]["blocks"], (json{"rotate", 20}));
    for (const json& input : run["inputs"])
        EXPECT_FALSE(text("a/" + input["copy"].get<std::string>()).empty());
    const json summary = json::parse(text("a/summary.json"));
    EXPECT_EQ(summary["complete"], true);
    // A second report is the same, except for the time it took.
    const Ran again = run_in_process({"report", path("a"), "--json"});
    json told = json::parse(again.out);
    EXPECT_EQ(told["costs"].erase("times"), 1U);
    ASSERT_EQ(told["times"].size(), 2U);
    EXPECT_GT(told["times"][0]["decisions"], 100);
    EXPECT_EQ(told.erase("times"), 1U);
    EXPECT_EQ(told, summary["report"]);
    EXPECT_EQ(run_in_process({"resume", path("a"), "--json"}).out, again.out);
}

TEST_F(RunCommands, what_was_altered_since_is_noticed) {
    const Ran ran = run_in_process({"run", "--game", "belote", "--agents", "random,random",
                                    "--blocks", "20", "--out", path("a")});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const std::string rows = text("a/games.csv");
    const std::string run = text("a/run.json");
    const auto refused = [&](const std::string& by) {
        for (const char* command : {"report", "resume"}) {
            const Ran again = run_in_process({command, path("a")});
            EXPECT_EQ(again.code, 2);
            EXPECT_EQ(again.out, "");
            EXPECT_EQ(again.err, std::string("croupier ") + command + ": " + path("a") + by + "\n");
        }
        write("a/games.csv", rows);
        write("a/run.json", run);
    };
    write("a/games.csv", rows.substr(0, rows.find("\n12,0,") + 1));
    refused("/games.csv: altered since it was written: something in lines 65 to 128; it had 161 "
            "lines, and has 97");
    std::string altered = rows; // the winner of the first game
    const std::size_t score = altered.find(",random,") + 8;
    altered.replace(score, 1, altered[score] == '9' ? "8" : "9");
    write("a/games.csv", altered);
    refused("/games.csv: altered since it was written: something in lines 1 to 64");
    altered = rows;
    write("a/games.csv", altered.replace(altered.find("random#2"), 8, "somebody"));
    refused("/games.csv:3: the run has no agent 'somebody'");
    altered = run;
    write("a/run.json", altered.replace(altered.find("\"random\""), 8, "\"eval:x\""));
    const std::string said = run_in_process({"report", path("a")}).err;
    EXPECT_NE(said.find(": checksum: the file was altered since it was written"), std::string::npos)
        << said;
    write("a/run.json", "{\"format\": [");
    refused("/run.json:1:13: the file is not valid JSON from here on");
    write("a/summary.json", R"({"complete": "perhaps"})");
    const Ran unsure = run_in_process({"resume", path("a")});
    EXPECT_EQ(unsure.code, 2);
    EXPECT_NE(unsure.err.find("games.csv: nothing says how much of it is whole"), std::string::npos)
        << unsure.err;
}

TEST_F(RunCommands, a_resumed_run_tells_coverage_as_if_it_had_never_stopped) {
    const std::vector<std::string> command = {"run",    "--game",   "belote",      "--agents",
                                              "random", "--blocks", "12",          "--threads",
                                              "1",      "--out",    path("whole"), "--coverage"};
    ASSERT_EQ(run_in_process(command).code, 0);
    std::vector<std::string> paused = command;
    paused[10] = path("paused");
    paused.insert(paused.end(), {"--time", "0.0001"});
    EXPECT_NE(run_in_process(paused).err.find("stopped after"), std::string::npos);
    // A failure changes nothing.
    const std::string costs = text("paused/costs.csv");
    fs::remove(path("paused/costs.csv"));
    const std::string rows = text("paused/games.csv");
    write("paused/games.csv", rows + "torn");
    const Ran failed = run_in_process({"resume", path("paused")});
    EXPECT_EQ(failed.code, 2);
    EXPECT_NE(failed.err.find("costs.csv: is missing, so what rules cost in the first "),
              std::string::npos)
        << failed.err;
    EXPECT_FALSE(fs::exists(path("paused/costs.csv")));
    EXPECT_EQ(text("paused/games.csv"), rows + "torn");
    EXPECT_EQ(run_in_process({"report", path("paused")}).code, 0);

    write("paused/costs.csv", costs);
    Ran ran;
    for (int times = 0; !fs::exists(path("paused/checksums")) && times < 50; ++times)
        ran = run_in_process({"resume", path("paused")});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(text("paused/games.csv"), text("whole/games.csv"));
    EXPECT_EQ(text("paused/summary.json"), text("whole/summary.json"));
    EXPECT_NE(text("whole/summary.json").find("\"coverage\""), std::string::npos);
    EXPECT_NE(ran.out.find("never"), std::string::npos) << ran.out;
}

TEST_F(RunCommands, a_shard_that_was_paused_merges_with_the_others) {
    const auto play = [&](const std::string& folder, const std::vector<std::string>& more) {
        std::vector<std::string> all = {"run",    "--game",   "belote",    "--agents",
                                        "random", "--blocks", "40",        "--threads",
                                        "1",      "--out",    path(folder)};
        all.insert(all.end(), more.begin(), more.end());
        return run_in_process(all);
    };
    ASSERT_EQ(play("whole", {}).code, 0);
    play("1", {"--shard", "1/2", "--time", "0.0001"});
    play("2", {"--shard", "2/2"});
    const Ran early = run_in_process({"merge", path("1"), path("2"), "--out", path("early")});
    EXPECT_EQ(early.code, 2);
    EXPECT_EQ(early.err, "croupier merge: " + path("1") +
                             ": is not complete; play the rest with: croupier resume " + path("1") +
                             "\n");
    EXPECT_FALSE(fs::exists(path("early")));
    for (int times = 0; !fs::exists(path("1/checksums")) && times < 50; ++times)
        run_in_process({"resume", path("1")});
    const Ran ran = run_in_process({"merge", path("1"), path("2"), "--out", path("merged")});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(text("merged/games.csv"), text("whole/games.csv"));
    EXPECT_EQ(text("merged/summary.json"), text("whole/summary.json"));
    EXPECT_EQ(json::parse(text("merged/run.json"))["specification"],
              json::parse(text("whole/run.json"))["specification"]);
    const std::string rows = text("2/games.csv");
    std::string altered = rows;
    write("2/games.csv", altered.replace(altered.find(",over,"), 6, ",unfinished,"));
    EXPECT_EQ(run_in_process({"merge", path("1"), path("2"), "--out", path("other")}).code, 2);
    EXPECT_FALSE(fs::exists(path("other")));
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
                           "by chance (12 times)\n"
                           "all tables: croupier report " +
                           path("a") + ", as a page: --html PAGE\n");
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
    EXPECT_NE(text("b/games.csv").find("\n0,0,,0,B,c,"), std::string::npos);
    EXPECT_NE(text("b/games.csv").find("3,unfinished,"), std::string::npos);
}

TEST_F(RunCommands, the_first_word_is_a_game_or_a_specification) {
    const std::vector<std::string> few{"--games", "4", "--set", "max_plies=6", "-j", "2", "-o"};
    const auto games = [&](std::vector<std::string> words, const char* folder) {
        words.insert(words.begin(), "run");
        words.insert(words.end(), few.begin(), few.end());
        words.push_back(path(folder));
        const Ran ran = run_in_process(words);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return ran.code == 0 ? text(std::string(folder) + "/games.csv") : ran.err;
    };
    const std::string by_option = games({"--game", "life:torus"}, "a");
    EXPECT_EQ(games({"life:torus"}, "b"), by_option);
    const std::string rules = std::filesystem::absolute("games/life/torus.json").string();
    EXPECT_EQ(games({rules}, "c"), by_option) << "a file of rules";
    EXPECT_EQ(games({write("run.json", R"({"game": "life:torus"})")}, "d"), by_option);
    EXPECT_EQ(games({write("less.json", R"({"seed": 1})"), "--game", "life:torus"}, "e"),
              by_option);

    const auto mistake = [](const std::vector<std::string>& words) {
        const Ran ran = run_in_process(words);
        EXPECT_EQ(ran.code, 2) << ran.out;
        return ran.err;
    };
    EXPECT_TRUE(contains(mistake({"run", "lief"}),
                         "GAME:1:1: error[E0803]: there is no game 'lief' (did you mean 'life'?)"));
    EXPECT_TRUE(contains(mistake({"run", "life", "--game", "belote"}),
                         "life is a game, and so is --game belote: name one of them"));
    EXPECT_TRUE(contains(mistake({"run", path("rnu.json")}), "run.json"));
}

TEST_F(RunCommands, quiet_leaves_warnings_alone) {
    const std::string rules =
        write("idle.json", R"({"game": "life", "choose": [{"action": {"prefer": {"pass": 1}}}]})");
    const Ran ran =
        run_in_process({"run", "life", "-q", "--progress", "plain", "--set", "max_plies=2",
                        "--agents", "random", "--games", "2", "-o", path("a")});
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.err, "");
    const Ran warned = run_in_process({"-q", "run", "life", "--set", "max_plies=2", "--agents",
                                       "rules:" + rules, "--games", "2", "-o", path("b")});
    EXPECT_TRUE(warned.err.starts_with("croupier run: warning: ")) << warned.err;
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
              "croupier resume: " + path("none") +
                  ": is not the folder of a run: there is no run.json in it\n");
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
                                              "--keep",
                                              "none",
                                              "--out"};
    const auto with = [&](const std::string& folder, const std::string& threads) {
        std::vector<std::string> all = command;
        all.insert(all.end(), {path(folder), "--threads", threads});
        return run_in_process(all).code;
    };
    ASSERT_EQ(with("one", "1"), 0);
    ASSERT_EQ(with("four", "4"), 0);
    EXPECT_EQ(text("one/games.csv"), text("four/games.csv"));
    // A run that was killed in the middle of the second round.
    write("cut/run.json", text("one/run.json"));
    keep_blocks("one", "cut", 25, results::Journal());
    EXPECT_EQ(run_in_process({"report", path("cut"), "--format", "autoplay"}).code, 0);
    const Ran ran = run_in_process({"resume", path("cut")});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(ran.err.starts_with("resuming after 50 games\n")) << ran.err;
    EXPECT_EQ(text("cut/games.csv"), text("one/games.csv"));
    EXPECT_EQ(text("cut/summary.json"), text("one/summary.json"));
    EXPECT_EQ(run_in_process({"run", "--game", "belote", "--agents", "random,random,random",
                              "--schedule", "knockout", "--shard", "1/2"})
                  .err,
              "croupier run: --shard: who plays later depends on who wins earlier in this "
              "schedule\n");
}

// Two minutes pass from one look at shards to the next.
class LookClock : public agents::Clock {
  public:
    [[nodiscard]] std::chrono::nanoseconds now() const override {
        return std::chrono::minutes(2 * looks);
    }
    int looks = 0;
};

class Shards : public RunCommands {
  protected:
    void play(const std::string& folder, std::vector<std::string> more) const {
        more.insert(more.begin(), {"run", "belote", "--agents", "rules:naive,random", "--keep",
                                   "none", "--profile", "off", "--out", path(folder)});
        ASSERT_EQ(run_in_process(more).code, 0);
    }
    // What is told while waiting for folders that come one look after the other.
    std::vector<std::string> await(const std::vector<std::vector<std::string>>& looks) const {
        std::ostringstream out;
        std::istringstream in;
        Terminal terminal(out, out, {});
        Context context(terminal, in);
        std::vector<std::string> told;
        std::atomic<bool> stop = false;
        context.stop = &stop;
        const auto clock = std::make_shared<LookClock>();
        context.clock = clock;
        context.progress = [&](const std::function<results::Progress()>& facts) {
            const results::Progress progress = facts();
            told.push_back(
                fmt::format("{} games, {}", progress.games, fmt::join(progress.told, ", ")));
        };
        std::size_t look = 0;
        const auto find = [&] {
            std::vector<std::string> folders;
            stop = look + 1 == looks.size();
            ++clock->looks;
            for (const std::string& name : looks.at(look++))
                folders.push_back(path(name));
            return folders;
        };
        there_ = tournaments::await_shards(find, context);
        return told;
    }
    mutable bool there_ = false;
};

TEST_F(Shards, are_awaited_and_what_is_missing_is_told) {
    play("one", {"--blocks", "30"});
    for (const std::string shard : {"1", "2", "3"})
        play("part-" + shard, {"--blocks", "30", "--shard", shard + "/3"});
    write("begun/run.json", text("part-3/run.json"));
    keep_blocks("part-3", "begun", 4, results::Journal(), 2, 3);
    EXPECT_EQ(
        await({{},
               {"part-2"},
               {"part-2", "begun"},
               {"part-2", "begun", "part-1"},
               {"part-2", "begun", "part-1"}}),
        (std::vector<std::string>{"0 games, no shard has begun",
                                  "20 games, 1 of 3 shards complete, missing 1/3, 3/3",
                                  "28 games, 1 of 3 shards complete, missing 1/3",
                                  "48 games, 2 of 3 shards complete, 3/3 silent for 2 min 00 s",
                                  "48 games, 2 of 3 shards complete, 3/3 silent for 4 min 00 s"}));
    EXPECT_FALSE(there_);
    await({{"part-1", "part-2", "part-3"}, {}});
    EXPECT_TRUE(there_);
    EXPECT_THROW(await({{"part-1", "part-2", "part-3", "begun"}}), UserError)
        << "two of them are one shard";
    EXPECT_THROW(await({{"one"}}), UserError);
    // Folders may hold folders of shards.
    fs::remove_all(path("begun"));
    fs::remove_all(path("one"));
    const Ran ran = run_in_process({"merge", path(""), "--watch", "--out", path("whole")});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(lines(text("whole/games.csv")).size(), 1 + 30 * 8);
}

// A stop rule may end the run before every shard is complete.
TEST_F(Shards, of_a_run_that_a_stop_rule_ends_are_awaited_until_then) {
    const std::vector<std::string> rule = {"--sprt", "0,100", "--blocks", "600"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.end(), rule.begin(), rule.end());
        return more;
    };
    play("one", with({}));
    for (const std::string shard : {"1", "2"})
        play("parts/" + shard, with({"--shard", shard + "/2"}));
    const auto blocks = static_cast<int>(lines(text("one/games.csv")).size() / 8);
    ASSERT_LT(blocks, 400) << "the rule has ended it";
    fs::rename(path("parts/2"), path("whole"));
    write("parts/2/run.json", text("whole/run.json"));
    keep_blocks("whole", "parts/2", blocks / 2 + 1, results::Journal(false, false), 1, 2);
    await({{"parts/1", "parts/2"}, {}});
    EXPECT_TRUE(there_);
    const Ran ran = run_in_process({"merge", path("parts"), "--watch", "--out", path("merged")});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(text("merged/games.csv"), text("one/games.csv"));
    EXPECT_EQ(text("merged/summary.json"), text("one/summary.json"));
}

} // namespace
} // namespace croupier::cli
