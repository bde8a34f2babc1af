// Kept games of runs, names of their positions, and start positions, for their users.
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class NamedGames : public FolderTest {
  protected:
    // Plays a run with that name in the test's folder.
    Ran played(const std::string& name, std::vector<std::string> arguments, int code = 0) const {
        arguments.insert(arguments.begin(), "run");
        arguments.insert(arguments.end(), {"--out", path(name)});
        Ran ran = run_in_process(arguments);
        EXPECT_EQ(ran.code, code) << ran.err;
        return ran;
    }
    [[nodiscard]] std::vector<std::string> kept(const std::string& name) const {
        std::vector<std::string> ids;
        for (const std::string& line : lines(text(name + "/moves.jsonl"))) {
            const json entry = json::parse(line);
            if (entry.contains("id")) ids.push_back(entry["id"]);
        }
        return ids;
    }
    // A column of games.csv, from the rows of the first seat.
    [[nodiscard]] std::vector<std::string> column(const std::string& name,
                                                  std::size_t number) const {
        std::vector<std::string> cells;
        for (const std::string& line : lines(text(name + "/games.csv"))) {
            std::istringstream in(line);
            std::vector<std::string> row;
            for (std::string cell; std::getline(in, cell, ',');)
                row.push_back(cell);
            if (row[3] == "0") cells.push_back(row[number]);
        }
        return cells;
    }
    static void expect_mistake(const std::vector<std::string>& arguments, std::string_view part) {
        const Ran ran = run_in_process(arguments);
        EXPECT_EQ(ran.code, 2) << ran.out;
        EXPECT_EQ(ran.out, "");
        EXPECT_TRUE(contains(ran.err, part)) << ran.err;
    }
    const std::string quitter_ = "process:false";
};

TEST_F(NamedGames, which_games_are_kept) {
    const std::vector<std::string> game{"--game", "life", "--set", "max_plies=4", "--blocks", "2"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), game.begin(), game.end());
        return more;
    };
    const std::vector<std::string> all{"0.0", "0.1", "1.0", "1.1"};
    played("random", with({"--agents", "random"}));
    EXPECT_EQ(kept("random"), std::vector<std::string>{}) << "they can be played again";
    EXPECT_TRUE(fs::exists(path("random/moves.jsonl")));
    EXPECT_EQ(json::parse(text("random/run.json"))["keep"], "faults");
    played("timed", with({"--agents", "mcts:ms=1,random"}));
    EXPECT_EQ(kept("timed"), all);
    EXPECT_EQ(json::parse(text("timed/run.json"))["keep"], "all");
    played("asked", with({"--agents", "random", "--keep", "all"}));
    EXPECT_EQ(kept("asked"), all);
    played("none", with({"--agents", "mcts:ms=1,random", "--keep", "none"}));
    EXPECT_FALSE(fs::exists(path("none/moves.jsonl")));
    expect_mistake({"run", "--game", "life", "--agents", "random", "--keep", "some"}, "--keep");
    // It resigns whenever it must choose: as White once Black has moved.
    played("quits", with({"--agents", quitter_ + ",random", "--keep", "faults"}), 1);
    EXPECT_EQ(kept("quits"), all);
    const auto quits = lines(text("quits/moves.jsonl"));
    const json end = json::parse(quits.back());
    EXPECT_EQ(end["end"], "fault");
    EXPECT_EQ(end["plies"], 1);
    EXPECT_EQ(end["why"], "the program ended with exit code 1");
    for (const char* run : {"timed", "asked", "quits"}) {
        const Ran again = run_in_process({"replay", path(run) + "/moves.jsonl", "--check"});
        EXPECT_EQ(again.code, 0) << again.out << again.err;
        EXPECT_TRUE(contains(again.out, "1.1\n")) << again.out;
    }
}

TEST_F(NamedGames, only_games_that_went_wrong_are_kept_as_faults) {
    const std::string rules = write("mine/rules.json", R"({
      "game": {"name": "mine", "players": ["A", "B"]}, "state": {"turn": "A", "n": 3},
      "moves": [{"action": {"moves": {"go": true, "risk": true}}}],
      "play": [{"name": "fall", "condition": {"move": "risk"}, "action": {"n": "= 1 / 0"}},
               {"name": "down", "condition": {"move": "go"}, "action": {"n": "$this - 1"}},
               {"name": "end", "condition": {"n": 0}, "action": {"over": true}}],
      "score": []})");
    played("a", {"--game", rules, "--agents", "random", "--blocks", "20"});
    std::vector<std::string> aborted;
    const auto ends = column("a", 10);
    for (std::size_t game = 0; game < ends.size(); ++game)
        if (ends[game] == "aborted")
            aborted.push_back(std::to_string(game / 2) + "." + std::to_string(game % 2));
    EXPECT_GT(aborted.size(), 10U);
    EXPECT_LT(aborted.size(), 40U);
    EXPECT_EQ(kept("a"), aborted);
    EXPECT_EQ(run_in_process({"replay", path("a") + ":" + aborted[0], "--check"}).code, 0);
}

TEST_F(NamedGames, a_game_kept_or_not_is_the_same) {
    const std::vector<std::string> game{"--game",   "belote", "--agents", "rules:table,random",
                                        "--blocks", "4",      "--seed",   "5"};
    auto all = game;
    all.insert(all.end(), {"--keep", "all"});
    played("kept", all);
    played("again", game);
    ASSERT_EQ(text("kept/games.csv"), text("again/games.csv"));
    const Ran one = run_in_process({"replay", path("kept") + ":2.1", "--check"});
    const Ran two = run_in_process({"replay", path("again") + ":2.1", "--check"});
    EXPECT_EQ(one.code, 0) << one.err;
    EXPECT_EQ(one.out, two.out);
    EXPECT_TRUE(contains(one.out, "the record is what the rules and the seed give")) << one.out;

    // Every position by its name, with the legal moves of the record.
    std::vector<json> moves;
    bool mine = false;
    for (const std::string& line : lines(text("kept/moves.jsonl"))) {
        const json entry = json::parse(line);
        if (entry.contains("id")) mine = entry["id"] == "2.1";
        if (mine && entry.contains("move")) moves.push_back(entry);
    }
    ASSERT_GT(moves.size(), 20U);
    for (const std::size_t ply : {std::size_t{0}, std::size_t{7}, moves.size() - 1}) {
        const std::string place = path("again") + ":2.1:" + std::to_string(ply);
        EXPECT_EQ(json::parse(run_in_process({"moves", place, "--json"}).out), moves[ply]["legal"]);
        // With the game's own chance, the move leads to the same position.
        const std::string next = path("kept") + ":2.1:" + std::to_string(ply + 1);
        const Ran made = run_in_process(
            {"tick", place, "--moves", moves[ply]["move"].get<std::string>(), "--json"});
        ASSERT_EQ(made.code, 0) << made.err;
        if (ply + 1 < moves.size()) {
            // The drawing is the same as after that move.
            const Ran shown = run_in_process({"replay", next});
            const std::string drawn = shown.out.substr(0, shown.out.find("belote: after"));
            const Ran reached = run_in_process(
                {"tick", place, "--moves", moves[ply]["move"].get<std::string>(), "--show"});
            EXPECT_TRUE(reached.out.ends_with("\n" + drawn)) << drawn << reached.out;
        }
        const Ran stated = run_in_process({"moves", "belote", "--state", place, "--json"});
        EXPECT_EQ(json::parse(stated.out), moves[ply]["legal"]);
    }
    // Without PLY: the last position, in which no player is to move.
    EXPECT_EQ(run_in_process({"moves", path("kept") + ":2.1"}).out, "");
    const Ran stop = run_in_process({"replay", path("kept") + ":2.1:7"});
    EXPECT_TRUE(
        contains(stop.out, "belote: after 7 of " + std::to_string(moves.size()) + " moves\n"))
        << stop.out;
}

TEST_F(NamedGames, a_rule_is_asked_at_a_position_of_a_run) {
    played("a", {"--game", "life", "--agents", "random", "--set", "max_plies=3", "--blocks", "1"});
    const std::string rules = write("rules.json", R"({"state": {}, "rules": [
        {"name": "black", "condition": {"turn": "B"}, "action": {"x": 1}}]})");
    EXPECT_EQ(run_in_process({"why", rules, "black", path("a") + ":0.0:0"}).code, 0);
    EXPECT_EQ(run_in_process({"why", rules, "black", path("a") + ":0.0:1"}).code, 1);
    expect_mistake({"why", "black", path("a") + ":0.0:0"}, "there is no rule 'black'");
    expect_mistake({"why", rules, "black"}, "a state is missing");
    // Rules that play moves are explained with the move that was made.
    const std::string mine = write("mine/rules.json", R"({
      "game": {"name": "mine", "players": ["A", "B"]}, "state": {"turn": "A", "n": 2},
      "moves": [{"action": {"moves": {"go": true}}}],
      "play": [{"name": "down", "condition": {"move": "go"}, "action": {"n": "$this - 1"}},
               {"name": "end", "condition": {"n": 0}, "action": {"over": true}}],
      "score": [{"name": "sum", "condition": {"n": 1}, "action": {"x": 1}}]})");
    played("b", {"--game", mine, "--agents", "random", "--blocks", "1"});
    EXPECT_EQ(run_in_process({"why", "down", path("b") + ":0.1:1"}).code, 0);
    EXPECT_EQ(run_in_process({"why", "down", path("b") + ":0.1:2"}).code, 1) << "it has ended";
    EXPECT_EQ(run_in_process({"why", "sum", path("b") + ":0.1:1"}).code, 0);
    EXPECT_EQ(run_in_process({"why", "sum", path("b") + ":0.1:0"}).code, 1);
}

// A counts down from 2 to 0; its agent depends on what it has observed.
TEST_F(NamedGames, moves_and_rules_of_agents_are_asked_at_a_position_of_a_run) {
    const std::string mine = write("mine/rules.json", R"({
      "game": {"name": "mine", "players": ["A", "B"]}, "state": {"turn": "A", "n": 2},
      "moves": [{"name": "may-go", "condition": {"n": "> 0"}, "action": {"moves": {"go": true}}},
                {"name": "may-leap", "condition": {"n": "> 4"}, "action": {"moves": {"leap": true}}}],
      "play": [{"name": "down", "condition": {"move": "go"}, "action": {"n": "$this - 1"}},
               {"name": "end", "condition": {"n": 0}, "action": {"over": true}}],
      "score": []})");
    const std::string agent = "rules:" + write("agent.json", R"({
      "game": "mine", "memory": {"heard": 0},
      "observe": [{"name": "hear", "condition": {"seen": {"move": "go"}},
                   "action": {"memory": {"heard": "$this + 1"}}}],
      "choose": [{"name": "late", "condition": {"memory": {"heard": "> 0"}},
                  "action": {"prefer": {"go": 1}}}]})");
    played("b", {"--game", mine, "--agents", agent, "--blocks", "1"});
    const std::string at = path("b") + ":0.0";
    // The last rule of a group runs after the others: n is 0 only after the second move.
    EXPECT_EQ(run_in_process({"why", "end", at + ":0"}).code, 1);
    EXPECT_EQ(run_in_process({"why", "end", at + ":1"}).code, 0);
    const Ran leap = run_in_process({"why", "--move", "leap", at + ":0"});
    EXPECT_EQ(leap.code, 1);
    EXPECT_TRUE(contains(leap.out, "leap is not legal\n")) << leap.out;
    EXPECT_TRUE(contains(leap.out, "n is 2, not > 4")) << leap.out;
    EXPECT_EQ(run_in_process({"why", "--move", "go", "--at", at + ":0"}).code, 0);
    const json moves = json::parse(run_in_process({"why", "--move", "leap", at, "--json"}).out);
    EXPECT_EQ(moves["legal"], false);
    // By its own name, and as an agent in another one's place.
    for (const std::vector<std::string>& asked :
         {std::vector<std::string>{"why"}, {"why", "--agent", agent, "--game", mine}}) {
        const auto ask = [&](const std::string& rule, const std::string& ply) {
            std::vector<std::string> words = asked;
            words.insert(words.end(), {rule, at + ply});
            return run_in_process(words);
        };
        const Ran first = ask("late", ":0");
        EXPECT_EQ(first.code, 1) << first.err;
        EXPECT_TRUE(contains(first.out, "memory.heard is 0, not > 0")) << first.out;
        EXPECT_EQ(ask("late", ":1").code, 0) << "it has heard the first move";
        EXPECT_EQ(ask("hear", ":0").code, 0);
    }
    expect_mistake({"why", "layt", at + ":0"}, "there is no rule 'layt'");
    expect_mistake({"why", "--agent", "random", "late", at + ":0"}, "has no rules");
    expect_mistake({"why", "--agent", agent, "late", at}, "the game is over there");
    const std::string state = write("state.json", R"({"n": 1})");
    EXPECT_EQ(run_in_process({"why", "--agent", agent, "--game", mine, "--at", state, "late"}).code,
              1)
        << "who has just sat down has heard nothing";
    EXPECT_EQ(run_in_process({"why", mine, "--move", "go", state}).code, 0);
}

TEST_F(NamedGames, damaged_names_say_what_is_wrong) {
    played("a", {"--game", "life", "--agents", "random", "--set", "max_plies=3", "--blocks", "2"});
    const std::string run = path("a");
    for (const char* command : {"replay", "moves"}) {
        expect_mistake({command, run}, "which game of the run?");
        expect_mistake({command, run + ":1"}, "is named RUN:BLOCK.GAME, as games.csv numbers");
        expect_mistake({command, run + ":1.x:2"}, "as in runs/life-1:3.1:12");
        expect_mistake({command, run + ":1.2"}, "block 1 has games 0 to 1");
        expect_mistake({command, run + ":7.0"}, "has blocks up to 1");
        expect_mistake({command, run + ":1.0:4"}, "PLY is from 0 to 3 in this game");
        expect_mistake({command, run + ":1.0:x"}, "'x' is not a number of moves");
        expect_mistake({command, path("b") + ":1.0"}, "there is no run in '" + path("b") + "'");
    }
    expect_mistake({"moves", run + ":1.0:1", "--set", "max_plies=2"}, "leave --set");
    expect_mistake({"moves", run + ":1.0:1", "--state", "x.json"}, "leave --state out");
    expect_mistake({"replay", run + ":1.0:1", "--check"}, "--check looks at whole games");
    // A revision is not a game of a run, even beside a folder with the name of the game.
    const fs::path before = fs::current_path();
    fs::create_directory(path("here"));
    fs::copy(path("a"), path("here") + "/life", fs::copy_options::recursive);
    fs::current_path(path("here"));
    for (const char* game : {"life", "life:torus"})
        EXPECT_EQ(run_in_process({"moves", game}).code, 0) << game;
    EXPECT_EQ(run_in_process({"moves", "life:0.0:1"}).code, 0);
    fs::current_path(before);
    // An existing file takes precedence, whatever its name.
    const std::string odd = write("a:1.0:2", R"({"board": {"a1": "W"}, "turn": "B"})");
    EXPECT_EQ(run_in_process({"moves", "life", "--state", odd}).out, "b1\na2\nb2\n");
    // Decisions that depended on a clock cannot be replayed.
    played("timed", {"--game", "life", "--agents", "mcts:ms=1,random", "--set", "max_plies=3",
                     "--blocks", "1", "--keep", "none"});
    expect_mistake({"replay", path("timed") + ":0.0"},
                   "it was not kept, and mcts:ms=1 depends on time");
    // The moves differ from those of the run.
    auto all = std::vector<std::string>{"--game",      "life",     "--agents", "random", "--set",
                                        "max_plies=3", "--blocks", "1",        "--keep", "all"};
    played("kept", all);
    std::string moves = text("kept/moves.jsonl");
    const std::string first = json::parse(lines(moves)[1])["move"];
    const std::string other = first == "c2" ? "d2" : "c2";
    const std::size_t at = moves.find("\"move\":\"" + first);
    write("kept/moves.jsonl", moves.replace(at, 8 + first.size(), "\"move\":\"" + other));
    expect_mistake({"replay", path("kept") + ":0.0"}, "altered since it was written");
    // Removing the checksum does not help.
    std::string checksums;
    for (const std::string& line : lines(text("kept/checksums")))
        if (!line.starts_with("moves.jsonl")) checksums += line + "\n";
    write("kept/checksums", checksums);
    expect_mistake({"replay", path("kept") + ":0.0"}, "are not those recorded in games.csv");
}

TEST_F(NamedGames, a_page_shows_kept_games_of_programs) {
    for (const char* keep : {"all", "none"}) {
        const std::string name(keep);
        played(name, {"--game", "life", "--agents", "mcts:ms=1,random", "--set", "max_plies=3",
                      "--blocks", "1", "--keep", keep});
        const Ran ran = run_in_process(
            {"report", path(name), "--html", path(name + ".html"), "--replay", "0.1"});
        ASSERT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(contains(text(name + ".html"), "cannot be reproduced"), name == "none");
    }
}

// ---- start positions ----------------------------------------------------------------------------

class Starts : public NamedGames {
  protected:
    void SetUp() override {
        NamedGames::SetUp();
        starts_ = write("starts.jsonl", R"({"moves": ["l10", "k12"]}
{"board": {"a1": "W", "c3": "B", "d3": "B", "k10": "W"}, "turn": "B"}

{"state": {"board": {"a1": "W", "c3": "B", "d3": "B", "k10": "W"}, "turn": "W"}, "moves": ["b2"]}
)");
    }
    std::vector<std::string> game(std::vector<std::string> more) const {
        std::vector<std::string> all{"--game", "life", "--set", "max_plies=9", "--starts", starts_};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    std::string starts_;
};

TEST_F(Starts, a_block_is_a_start_from_all_sides_and_they_go_round) {
    const Ran ran =
        played("a", game({"--agents", "random,Other=random", "--blocks", "4", "--keep", "all"}));
    EXPECT_TRUE(contains(ran.out, "8 games in 4 blocks, seed 1, 3 start positions")) << ran.out;
    EXPECT_EQ(column("a", 2), (std::vector<std::string>{"0", "0", "1", "1", "2", "2", "0", "0"}));
    EXPECT_EQ(json::parse(text("a/summary.json"))["report"]["starts"], 3);
    // All games with the same start begin in the same position, with the given moves.
    const auto first = [&](const std::string& id) {
        return run_in_process({"replay", path("a") + ":" + id + ":2"}).out;
    };
    EXPECT_EQ(first("0.0"), first("3.1"));
    EXPECT_EQ(first("0.0"), run_in_process({"replay", path("a") + ":0.1:2"}).out);
    EXPECT_EQ(run_in_process({"moves", path("a") + ":1.0:0"}).out,
              run_in_process({"moves", "life", "--state", "-"},
                             R"({"board": {"a1": "W", "c3": "B", "d3": "B", "k10": "W"},
                                 "turn": "B"})")
                  .out);
    bool mine = false;
    std::vector<std::string> moves;
    for (const std::string& line : lines(text("a/moves.jsonl"))) {
        const json entry = json::parse(line);
        if (entry.contains("id")) {
            mine = entry["id"] == "3.1";
            if (mine) {
                EXPECT_EQ(entry["start"], (json{{"number", 0}, {"moves", {"l10", "k12"}}}));
            }
        }
        if (mine && entry.contains("move")) moves.push_back(entry["move"]);
    }
    ASSERT_EQ(moves.size(), 9U) << "those of a start count as moves of the game";
    EXPECT_EQ(moves[0], "l10");
    EXPECT_EQ(moves[1], "k12");
    const Ran check = run_in_process({"replay", path("a") + "/moves.jsonl", "--check"});
    EXPECT_EQ(check.code, 0) << check.out << check.err;
    // Later choices differ between blocks.
    EXPECT_NE(column("a", 13)[0], column("a", 13)[6]);
}

TEST_F(Starts, the_bytes_are_the_same_from_threads_parts_and_the_folder_alone) {
    const auto all =
        game({"--agents", "random,Other=random,Third=random", "--blocks", "12", "--keep", "all"});
    auto threads = all;
    threads.insert(threads.end(), {"--threads", "3"});
    played("a", all);
    played("b", threads);
    for (const char* part : {"1", "2"}) {
        auto some = all;
        some.insert(some.end(), {"--shard", std::string(part) + "/2"});
        played(std::string("part-") + part, some);
    }
    ASSERT_EQ(run_in_process({"merge", path("part-1"), path("part-2"), "--out", path("m")}).code,
              0);
    for (const char* other : {"b", "m"}) {
        for (const char* file : {"games.csv", "moves.jsonl", "summary.json"})
            EXPECT_EQ(text(std::string(other) + "/" + file), text(std::string("a/") + file))
                << file;
    }
    // Three tables: each plays the first start before any plays the second.
    EXPECT_EQ(column("a", 2)[4], "0");
    EXPECT_EQ(column("a", 2)[6], "1");
    // The file may be deleted: the run has a copy.
    auto kept = all;
    kept.back() = "none";
    played("none", kept);
    fs::remove(starts_);
    EXPECT_EQ(run_in_process({"replay", path("none") + ":4.1", "--check"}).code, 0);
    const Ran page =
        run_in_process({"report", path("none"), "--html", path("p.html"), "--replay", "4.1,8.0"});
    EXPECT_EQ(page.code, 0) << page.err;
    EXPECT_FALSE(contains(text("p.html"), "another way"));
    expect_mistake({"resume", path("none")}, "starts.jsonl");
}

TEST_F(Starts, they_can_be_drawn) {
    const std::vector<std::string> words{"--agents", "random", "--blocks", "6"};
    auto drawn = game(words);
    std::vector<std::vector<std::string>> orders;
    for (const char* seed : {"1", "2", "3", "4", "5", "6"}) {
        auto each = drawn;
        each[5] = starts_ + ",order=random";
        each.insert(each.end(), {"--seed", seed});
        played(std::string("s") + seed, each);
        orders.push_back(column(std::string("s") + seed, 2));
        std::vector<std::string> once{orders.back()[0], orders.back()[2], orders.back()[4]};
        std::sort(once.begin(), once.end());
        EXPECT_EQ(once, (std::vector<std::string>{"0", "1", "2"})) << "none twice in a round";
    }
    std::sort(orders.begin(), orders.end());
    EXPECT_NE(orders.front(), orders.back());
}

TEST_F(Starts, a_start_is_the_same_position_whatever_is_dealt) {
    // With dealt cards: a start of moves has its own deal, shared by its blocks.
    const std::string pass = write("pass.json", R"([{"moves": ["pass", "pass"]}, {"moves": []}])");
    played("a", {"--game", "belote", "--agents", "rules:table,random", "--blocks", "4", "--starts",
                 pass, "--keep", "all"});
    const auto at = [&](const std::string& place) {
        return lines(run_in_process({"replay", path("a") + ":" + place}).out).at(0);
    };
    EXPECT_EQ(at("0.0:2"), at("2.1:2"));
    EXPECT_NE(at("0.0:0"), at("1.0:0"));
    EXPECT_EQ(run_in_process({"replay", path("a") + "/moves.jsonl", "--check"}).code, 0);
    // play begins at the same position as the run.
    const Ran ran = run_in_process(
        {"play", "belote", "--starts", pass, "--start", "1", "--record", path("r.jsonl")});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto legal = json::parse(lines(text("r.jsonl"))[1])["legal"];
    EXPECT_EQ(legal, json::parse(run_in_process({"moves", path("a") + ":1.0:0", "--json"}).out));
}

TEST_F(Starts, what_cannot_be_played_is_told_before_anything_is) {
    const std::string bad = write("bad.json", R"([{"moves": ["l10", "zz"]},
 {"board": {"a1": "X"}},
 {"bord": {}},
 {"moves": [3]}, 7,
 {"turn": "B", "over": true}])");
    const Ran ran = run_in_process(
        {"run", "--game", "life", "--agents", "random", "--starts", bad, "--out", path("a")});
    EXPECT_EQ(ran.code, 2);
    EXPECT_FALSE(fs::exists(path("a")));
    for (const char* part :
         {"bad.json:1:20: error[E0809]: 'zz', move 2, is not legal for W", "hint: legal are c2, d2",
          "bad.json:2:13: error[E0410]",
          "bad.json:3:3: error[E0608]: no state of this game has the node",
          "bad.json:4:13: error[E0809]: a move is a text",
          "bad.json:4:18: error[E0809]: a start is",
          "bad.json:5:2: error[E0809]: the game has ended at once (over)", "has 6 errors"})
        EXPECT_TRUE(contains(ran.err, part)) << part << "\n" << ran.err;
    // Positions in lines are those in the file.
    const std::string jsonl = write("bad.jsonl", "{\"moves\": []}\n\n {\"moves\": [\"zz\"]}\n{\n");
    const std::vector<std::string> run{"run", "--game", "life", "--agents", "random", "--starts"};
    const auto with = [&](const std::string& file) {
        auto all = run;
        all.push_back(file);
        return all;
    };
    expect_mistake(with(jsonl), "bad.jsonl:3:13: error[E0809]: 'zz', move 1, is not legal for B");
    expect_mistake(with(jsonl), "bad.jsonl:4:");
    expect_mistake(with(path("none.json")), "none.json: no such file");
    expect_mistake(with(write("empty.json", "[]")), "there is no start position in it");
    expect_mistake(with(starts_ + ",order=odd"), "'odd' is none of file, random");
    expect_mistake({"play", "life", "--starts", starts_, "--start", "3"}, "has 3 start positions");
    expect_mistake({"play", "life", "--starts", starts_, "--state", starts_}, "both say where");
    expect_mistake({"compare", "life", "life:torus", "--starts", bad}, "bad.json:1:20");
}

TEST_F(Starts, play_goes_on_from_a_position_and_its_record_says_where) {
    played("a", game({"--agents", "random", "--blocks", "1"}));
    const std::string place = path("a") + ":0.0:4";
    for (const std::vector<std::string>& from : {std::vector<std::string>{"--state", place},
                                                 {"--starts", starts_, "--start", "2"},
                                                 {"--starts", starts_}}) {
        std::vector<std::string> arguments{"play",        "life",          "--set",
                                           "max_plies=9", "--seed",        "3",
                                           "--record",    path("r.jsonl"), "--states"};
        arguments.insert(arguments.end(), from.begin(), from.end());
        const Ran ran = run_in_process(arguments);
        ASSERT_EQ(ran.code, 0) << ran.err;
        const Ran again = run_in_process({"replay", path("r.jsonl"), "--check"});
        EXPECT_EQ(again.code, 0) << again.out << again.err;
        std::string damaged = text("r.jsonl");
        const std::size_t at = damaged.find("\"number\":");
        ASSERT_NE(at, std::string::npos);
        damaged.replace(at, 9, "\"numbr\":");
        EXPECT_EQ(run_in_process({"replay", write("d.jsonl", damaged)}).code, 2);
    }
    run_in_process({"play", "life", "--state", place, "--record", path("r.jsonl"), "--states"});
    const json move = json::parse(lines(text("r.jsonl"))[1]);
    EXPECT_EQ(move["ply"], 0);
    const std::string shown = run_in_process({"replay", path("r.jsonl"), "--show"}).out;
    const std::string there = run_in_process({"replay", place}).out;
    EXPECT_EQ(shown.substr(0, 200), there.substr(0, 200)) << "the same board";
}

TEST_F(Starts, both_sides_of_a_comparison_begin_alike) {
    const Ran ran = run_in_process({"compare", "life", "--set-b", "max_plies=1999", "--starts",
                                    starts_, "--games", "6", "--no-costs", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json answer = json::parse(ran.out);
    EXPECT_EQ(answer["starts"], 3);
    EXPECT_EQ(answer["alike"], answer["blocks"]) << "no game is as long";
    const Ran without = run_in_process(
        {"compare", "life", "--set-b", "max_plies=1999", "--games", "6", "--no-costs", "--json"});
    EXPECT_NE(json::parse(without.out)["metrics"], answer["metrics"]);
    const Ran table = run_in_process({"compare", "life", "--set-b", "max_plies=1999", "--starts",
                                      starts_, "--games", "6", "--no-costs"});
    EXPECT_TRUE(contains(table.out, "seed 1, 3\nstart positions\n")) << table.out;
}

} // namespace
} // namespace croupier::cli
