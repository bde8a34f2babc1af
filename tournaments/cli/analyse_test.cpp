// croupier analyse for its users, and oracles in runs.
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace croupier::cli {
namespace {

using nlohmann::json;

class AnalyseCommand : public FolderTest {
  protected:
    Ran play(const std::string& folder, const std::string& agents,
             const std::vector<std::string>& more = {}) {
        std::vector<std::string> words{"run",      "--game", "belote", "--agents",  agents,
                                       "--blocks", "4",      "--out",  path(folder)};
        words.insert(words.end(), more.begin(), more.end());
        return run_in_process(words);
    }
    json analysed(const std::string& folder, std::vector<std::string> more = {}) {
        std::vector<std::string> words{"analyse", path(folder), "--dd", "12", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        const Ran ran = run_in_process(words);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return json::parse(ran.out);
    }
};

TEST_F(AnalyseCommand, an_oracle_loses_nothing_and_a_random_player_much) {
    ASSERT_EQ(play("a", "oracle:dd=12,random", {"--oracle"}).code, 0);
    const json told = analysed("a");
    EXPECT_EQ(told["games"], 8);
    EXPECT_EQ(told["missing"], 0);
    const json& oracle = told["agents"][0];
    EXPECT_EQ(oracle["name"], "oracle:dd=12*");
    EXPECT_GT(oracle["decisions"], 20);
    EXPECT_EQ(oracle["loss"]["value"], 0);
    EXPECT_EQ(oracle["mistakes"], 0);
    const json& random = told["agents"][1];
    EXPECT_GT(random["decisions"], 20);
    EXPECT_GT(random["loss"]["value"], 1);
    EXPECT_GT(random["unsolved"]["far"], 50);
    EXPECT_GT(random["unsolved"]["auction"], 0);
    EXPECT_EQ(random["blocks"], 4);
    EXPECT_TRUE(random["loss"]["low"].is_null()) << "four blocks are too few";
    const Ran table = run_in_process({"analyse", path("a"), "--dd", "12"});
    EXPECT_TRUE(contains(table.out, "too few")) << table.out;
}

TEST_F(AnalyseCommand, no_interval_goes_below_a_loss_of_nothing) {
    ASSERT_EQ(run_in_process({"run", "--game", "belote", "--agents", "rules:counting,rules:naive",
                              "--blocks", "7", "--out", path("a")})
                  .code,
              0);
    const json all = analysed("a");
    for (const json& agent : all["agents"]) {
        EXPECT_EQ(agent["blocks"], 7);
        EXPECT_EQ(agent["loss"]["low"], 0) << "the error is as large as the mean";
        EXPECT_GT(agent["loss"]["high"], agent["loss"]["value"]);
        EXPECT_EQ(agent["loss"]["doubtful"], true) << "seven blocks show no rare blunder";
    }
    const Ran table = run_in_process({"analyse", path("a"), "--dd", "12"});
    EXPECT_TRUE(contains(table.out, "]?")) << table.out;
    EXPECT_TRUE(contains(table.out, "may be too narrow")) << table.out;
}

TEST_F(AnalyseCommand, a_page_shows_what_was_kept_and_leads_to_the_worst_moves) {
    ASSERT_EQ(play("a", "random,rules:naive").code, 0);
    const auto page = [&](std::vector<std::string> more = {}) {
        std::vector<std::string> words{"report", path("a"), "--html", path("page.html")};
        words.insert(words.end(), more.begin(), more.end());
        const Ran ran = run_in_process(words);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return text("page.html");
    };
    EXPECT_FALSE(contains(page(), "data-section=\"regret\""));
    const json told = analysed("a", {"--keep", "--blunders", "6"});
    EXPECT_EQ(json::parse(text("a/analysis.json")), told);
    const std::string shown = page();
    EXPECT_TRUE(contains(shown, "data-section=\"regret\""));
    EXPECT_TRUE(contains(shown, "data-chart=\"losses\""));
    const json& worst = told["blunders"][0];
    const std::string game = worst["game"];
    EXPECT_TRUE(contains(shown, "<a href=\"#games\" data-game=\"" + game + "\" data-ply=\"" +
                                    std::to_string(worst["ply"].get<int>()) + "\">"));
    EXPECT_TRUE(contains(shown, "data-name=\"" + game + "\"")) << "and the game is there";
    // There are no links to games that are not shown.
    const std::string without = page({"--replay", "none"});
    EXPECT_FALSE(contains(without, "data-ply"));
    EXPECT_TRUE(contains(without, "croupier replay " + path("a") + ":" + game + ":" +
                                      std::to_string(worst["ply"].get<int>())));
    write("a/analysis.json", "{}");
    const Ran damaged = run_in_process({"report", path("a"), "--html", path("page.html")});
    EXPECT_EQ(damaged.code, 2);
    EXPECT_TRUE(contains(damaged.err, "analysis.json is damaged"));
}

TEST_F(AnalyseCommand, blunders_are_the_worst_of_all_decisions) {
    ASSERT_EQ(play("a", "random,rules:naive", {"--keep", "all"}).code, 0);
    const json told = analysed("a", {"--blunders", "5"});
    const Ran rows = run_in_process(
        {"analyse", path("a"), "--dd", "12", "--format", "csv", "--progress", "none"});
    ASSERT_EQ(rows.code, 0) << rows.err;
    std::vector<double> losses;
    double sum = 0;
    const std::vector<std::string> all = lines(rows.out);
    EXPECT_EQ(all[0], "block,game,ply,player,agent,move,best,loss,known_loss,unsolved");
    for (std::size_t i = 1; i < all.size(); ++i) {
        if (!all[i].ends_with(",,")) continue; // not judged
        const std::string cut = all[i].substr(0, all[i].size() - 2);
        losses.push_back(std::stod(cut.substr(cut.rfind(',') + 1)));
        if (contains(all[i], "\"random\"")) sum += losses.back();
    }
    const json& random = told["agents"][0];
    EXPECT_EQ(losses.size(), random["decisions"].get<std::size_t>() +
                                 told["agents"][1]["decisions"].get<std::size_t>());
    EXPECT_NEAR(sum / random["decisions"].get<double>(), random["loss"]["value"], 1e-9);
    std::sort(losses.rbegin(), losses.rend());
    ASSERT_EQ(told["blunders"].size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) {
        const json& blunder = told["blunders"][i];
        EXPECT_EQ(blunder["loss"], losses[i]);
        EXPECT_NE(blunder["move"], blunder["best"]);
    }
    // Each blunder can be shown.
    const json& worst = told["blunders"][0];
    const Ran there = run_in_process({"replay", path("a") + ":" + worst["game"].get<std::string>() +
                                                    ":" + std::to_string(worst["ply"].get<int>())});
    EXPECT_EQ(there.code, 0) << there.err;
}

TEST_F(AnalyseCommand, threads_and_kept_games_change_nothing) {
    ASSERT_EQ(play("a", "random,rules:naive").code, 0);
    ASSERT_EQ(play("b", "random,rules:naive", {"--keep", "all"}).code, 0);
    const auto told = [&](const std::string& folder, const std::string& threads) {
        auto all = analysed(folder, {"--threads", threads, "--worlds", "4"});
        EXPECT_EQ(all.erase("run"), 1U);
        return all.dump();
    };
    const std::string one = told("a", "1");
    EXPECT_EQ(told("a", "3"), one);
    EXPECT_EQ(told("b", "2"), one);
}

TEST_F(AnalyseCommand, what_could_be_known_is_told_beside_what_was_true) {
    ASSERT_EQ(play("a", "random,rules:counting").code, 0);
    const json told = analysed("a", {"--worlds", "12"});
    for (const json& agent : told["agents"]) {
        EXPECT_EQ(agent["known_decisions"], agent["decisions"]);
        EXPECT_GE(agent["known_loss"]["value"], 0);
    }
    EXPECT_GT(told["agents"][0]["known_loss"]["value"], told["agents"][1]["known_loss"]["value"]);
    const Ran table = run_in_process({"analyse", path("a"), "--dd", "12", "--worlds", "2"});
    EXPECT_TRUE(contains(table.out, "known")) << table.out;
    EXPECT_TRUE(contains(table.out, "to look at one: croupier replay")) << table.out;
}

TEST_F(AnalyseCommand, what_is_too_hard_is_counted) {
    ASSERT_EQ(play("a", "random,random").code, 0);
    const json told = analysed("a", {"--nodes", "20", "--blocks", "2"});
    EXPECT_EQ(told["games"], 4);
    EXPECT_GT(told["agents"][0]["unsolved"]["hard"], 0);
}

TEST_F(AnalyseCommand, bad_input_is_told) {
    const Ran none = run_in_process({"analyse", path("none")});
    EXPECT_EQ(none.code, 2);
    EXPECT_TRUE(contains(none.err, "none")) << none.err;
    ASSERT_EQ(play("a", "random,random").code, 0);
    write("a/games.csv", "");
    EXPECT_EQ(run_in_process({"analyse", path("a")}).code, 2);
    EXPECT_EQ(run_in_process({"analyse", path("a"), "--dd", "x"}).code, 2);
}

TEST_F(AnalyseCommand, oracles_play_only_if_asked_for_and_are_marked) {
    const Ran refused = play("a", "oracle,random");
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(contains(refused.err, "--oracle")) << refused.err;
    const Ran ran = play("b", "oracle:dd=8,random", {"--oracle"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(contains(ran.out, "oracle:dd=8*")) << ran.out;
    EXPECT_TRUE(contains(ran.out, "no honest opponent: oracle:dd=8*")) << ran.out;
    EXPECT_EQ(json::parse(text("b/run.json"))["facts"]["oracles"], json{"oracle:dd=8*"});
    const Ran again = run_in_process({"resume", path("b"), "--json"});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(json::parse(again.out)["oracles"], json{"oracle:dd=8*"});
    const Ran once = run_in_process(
        {"play", "belote", "--agents", "oracle:dd=8,random,oracle:dd=8,random", "--seed", "2"});
    EXPECT_EQ(once.code, 0) << once.err;
}

} // namespace
} // namespace croupier::cli
