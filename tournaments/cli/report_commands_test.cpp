// croupier report --html, and the answers stored by compare and ablate, for their users.
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace croupier::cli {
namespace {

class ReportCommands : public FolderTest {
  protected:
    void make_run(const std::string& name, std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "run");
        arguments.insert(arguments.end(), {"--out", path(name), "--progress", "none"});
        const Ran ran = run_in_process(arguments);
        ASSERT_EQ(ran.code, 0) << ran.err;
    }
    std::string page(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "report");
        arguments.insert(arguments.end(), {"--html", path("page.html")});
        const Ran ran = run_in_process(arguments);
        EXPECT_EQ(ran.code, 0) << ran.err;
        EXPECT_TRUE(ran.out.starts_with(path("page.html") + ": ")) << ran.out;
        return text("page.html");
    }
    static void refuses(const std::vector<std::string>& arguments, const std::string& words) {
        const Ran ran = run_in_process(arguments);
        EXPECT_EQ(ran.code, 2) << ran.out;
        EXPECT_NE(ran.err.find(words), std::string::npos) << ran.err;
    }
    static bool has(const std::string& page, const std::string& words) {
        return page.find(words) != std::string::npos;
    }
};

TEST_F(ReportCommands, a_page_has_the_runs_numbers_and_the_games_asked_for) {
    make_run("run", {"--game", "belote", "--agents", "rules:naive,random", "--games", "20"});
    const auto summary = nlohmann::json::parse(text("run/summary.json"))["report"];
    const std::string all = page({path("run"), "--replay", "3.1,0.0"});
    const auto wins = summary["contestants"][0]["wins"].get<int>();
    EXPECT_TRUE(has(all, "<td class=\"number\">" + std::to_string(wins) + "</td>"));
    EXPECT_TRUE(has(all, "<option>0.0: "));
    EXPECT_TRUE(has(all, "<option>3.1: "));
    EXPECT_FALSE(has(all, "<option>0.0 (the first"));
    EXPECT_TRUE(has(all, "chooses: ")) << "rules say which of them fired";
    EXPECT_EQ(page({path("run"), "--replay", "3.1,0.0"}), all) << "the same bytes";
    const std::string typical = page({path("run")});
    EXPECT_TRUE(has(typical, "<option>0.0 (the first"));
    EXPECT_TRUE(has(typical, "the longest"));
    EXPECT_FALSE(has(page({path("run"), "--replay", "none"}), "<option>"));
}

TEST_F(ReportCommands, a_page_has_the_text_of_rules_that_it_names) {
    make_run("run", {"--game", "belote", "--agents", "rules:naive,random", "--games", "4",
                     "--profile", "full"});
    const std::vector<std::string> arguments{path("run"), "--replay", "none", "--coverage"};
    const std::string all = page(arguments);
    EXPECT_TRUE(has(all, "<a href=\"#rule.game.moves.exempt\">exempt</a>"));
    const std::size_t at = all.find("id=\"rule.game.moves.exempt\"");
    ASSERT_NE(at, std::string::npos);
    const std::string rule = all.substr(at, all.find("</div>", at) - at);
    EXPECT_TRUE(has(rule, "games/belote/parts/play.json:")) << rule;
    EXPECT_TRUE(has(rule, "<pre>{\n    &quot;name&quot;: &quot;exempt&quot;,\n")) << rule;
    EXPECT_TRUE(rule.ends_with("}</pre>\n")) << rule;
    // A nested rule links to the rule around it.
    EXPECT_TRUE(has(all, "inside <a href=\"#rule.game.play.declare\">declare</a>"));
    for (const auto& copy : std::filesystem::directory_iterator(path("run") + "/inputs"))
        std::filesystem::remove(copy.path());
    const std::string without = page(arguments);
    EXPECT_TRUE(has(without, "exempt")) << "the name stays";
    EXPECT_FALSE(has(without, "#rule."));
}

TEST_F(ReportCommands, a_game_tells_why_moves_are_not_legal_and_why_rules_chose) {
    make_run("run", {"--game", "belote", "--agents", "rules:naive,random", "--games", "2"});
    const std::string belote = page({path("run"), "--replay", "0.0"});
    // In the first trick C has to follow spades.
    EXPECT_TRUE(has(belote, "\"7H 9H: follow gives 9S AS, but suit.7H is \\\"H\\\", not \\\"S\\\" "
                            "(Who has the suit led plays a card of it.)\""));
    EXPECT_TRUE(
        has(belote, "\"fired: win with B = JS, C = AS, S = S, K = plain, LOW = 4, H = 8\""));
    EXPECT_FALSE(has(belote, "C = 9S, S = S, K = plain, V = 0, LOW")) << "AS was chosen";
    // Without hands: a number that is too large.
    make_run("few", {"--game", "subtraction", "--agents", "random", "--games", "2"});
    EXPECT_TRUE(has(page({path("few"), "--replay", "0.0"}), "\"refused\":[\"3: "));
    // A board with many cells has no reasons.
    make_run("many", {"--game", "life", "--agents", "random", "--games", "2"});
    EXPECT_FALSE(has(page({path("many"), "--replay", "0.0"}), "\"refused\":"));
}

TEST_F(ReportCommands, one_page_holds_different_games_and_comparisons) {
    make_run("nim", {"--game", "nim", "--games-folder", "games/testing", "--agents", "random",
                     "--games", "10"});
    make_run("life", {"--game", "life", "--agents", "random", "--games", "2"});
    const Ran compared = run_in_process({"compare", "oldmaid", "oldmaid:previous", "--games", "20",
                                         "--out", path("compared"), "--metric", "length"});
    ASSERT_EQ(compared.code, 0) << compared.err;
    EXPECT_TRUE(has(compared.out, "all rules")) << compared.out;
    const Ran ablated = run_in_process({"ablate", "belote", "--agent", "rules:naive", "--games",
                                        "4", "--no-costs", "--json", "--out", path("ablated")});
    ASSERT_EQ(ablated.code, 0) << ablated.err;
    auto kept = nlohmann::ordered_json::parse(text("ablated/ablate.json"));
    const std::string command = "croupier ablate belote --agent rules:naive --games 4 --no-costs "
                                "--json --out " +
                                path("ablated");
    EXPECT_EQ(kept["made"]["command"], command);
    EXPECT_TRUE(kept["made"]["program"].get<std::string>().starts_with("croupier ")) << kept;
    kept.erase("made"); // the printed text is a function of the seed
    kept.erase("checksum");
    EXPECT_EQ(kept.dump(2) + "\n", ablated.out);
    const std::string all =
        page({path("nim"), path("life"), path("compared"), path("ablated/ablate.json")});
    for (const char* title :
         {">Nim</h2>", ">Life</h2>", ">Comparison: oldmaid against oldmaid:previous</h2>",
          ">Belote: the rules of rules:naive</h2>"})
        EXPECT_TRUE(has(all, title)) << title;
    EXPECT_TRUE(has(all, "<span>croupier</span> <span>ablate</span> <span>belote</span>"));
    EXPECT_TRUE(has(all, "+ game.revision: &quot;previous&quot;"));

    // Stored answers read as they were printed.
    EXPECT_EQ(run_in_process({"report", path("compared")}).out, compared.out);
    EXPECT_EQ(run_in_process({"report", path("ablated"), "--json"}).out, ablated.out);
    refuses({"report", path("ablated"), "--format", "autoplay"}, "only a run has a report");
    refuses({"compare", "oldmaid", "oldmaid:previous", "--out", path("compared")},
            "holds compare.json already");
    refuses({"ablate", "belote", "--agent", "rules:naive", "--out", path("life")},
            "holds run.json already");
}

TEST_F(ReportCommands, a_page_says_when_by_what_and_by_which_command_it_was_played) {
    make_run("run", {"--game", "oldmaid", "--agents", "it's=random", "--games", "4"});
    const auto run = nlohmann::json::parse(text("run/run.json"));
    EXPECT_EQ(run["command"], "croupier run --game oldmaid --agents 'it'\\''s=random' --games 4 "
                              "--out " +
                                  path("run") + " --progress none");
    const std::string all = page({path("run")});
    EXPECT_TRUE(
        has(all, "<span>--agents</span> <span>&#39;it&#39;\\&#39;&#39;s=random&#39;</span>"));
    EXPECT_TRUE(has(all, "datetime=\"" + run["started"].get<std::string>() + "\""));
    EXPECT_TRUE(has(all, ">" + run["program"].get<std::string>() + "</span>"));
}

TEST_F(ReportCommands, schedules_that_learn_from_results_have_pages) {
    for (const char* schedule : {"knockout", "swiss"}) {
        std::vector<std::string> run{
            "--game",     "belote", "--agents", "rules:naive,random,random,random",
            "--schedule", schedule, "--blocks", "2"};
        if (std::string(schedule) == "swiss") run.insert(run.end(), {"--rounds", "2"});
        make_run(schedule, run);
        const std::string all = page({path(schedule)});
        EXPECT_TRUE(has(all, "data-section=\"ratings\"")) << schedule;
        EXPECT_TRUE(has(all, "data-section=\"meetings\"")) << schedule;
        EXPECT_TRUE(has(all, "<option>0.0 (the first")) << schedule;
        EXPECT_FALSE(has(all, "Cannot be shown")) << schedule;
        EXPECT_FALSE(has(all.substr(0, all.rfind("<script>")), "undefined"))
            << schedule << ": few blocks have no intervals";
    }
}

TEST_F(ReportCommands, a_game_is_played_again_with_the_agents_that_played_it) {
    make_run("run", {"--game", "life", "--agents", "eval,eval:depth=2", "--games", "2"});
    const std::string all = page({path("run"), "--replay", "0.1"});
    EXPECT_FALSE(has(all, "Cannot be shown"));
    const std::string rows = text("run/games.csv");
    const auto data = all.find("<script type=\"application/json\">");
    ASSERT_NE(data, std::string::npos);
    const auto begin = all.find('{', data);
    const auto frames =
        nlohmann::json::parse(all.substr(begin, all.find("</script>", begin) - begin))["frames"];
    EXPECT_GT(frames.size(), 2U);
    EXPECT_EQ(frames[1]["player"], "B");
    EXPECT_FALSE(frames[1]["cells"].empty()) << "the stone that was put";
}

TEST_F(ReportCommands, a_sequential_test_has_its_course) {
    make_run("run", {"--game", "life", "--agents", "rules:greedy,random", "--sprt", "0,20",
                     "--games", "400"});
    const auto stop = nlohmann::json::parse(text("run/summary.json"))["report"]["stop"];
    const std::string all = page({path("run"), "--replay", "none"});
    ASSERT_TRUE(has(all, "data-chart=\"llr\""));
    const std::string begin = "class=\"way\" points=\"";
    const auto at = all.find(begin) + begin.size();
    const std::string places = all.substr(at, all.find('"', at) - at);
    // One point per block; the last is at the right edge.
    EXPECT_EQ(static_cast<std::size_t>(std::count(places.begin(), places.end(), ',')),
              stop["blocks"].get<std::size_t>());
    EXPECT_TRUE(places.substr(places.rfind(' ') + 1).starts_with("1000,")) << places;
    EXPECT_EQ(page({path("run"), "--replay", "none"}), all) << "the same bytes";
}

TEST_F(ReportCommands, several_are_one_document_for_programs) {
    make_run("one", {"--game", "oldmaid", "--agents", "random", "--games", "8"});
    make_run("b,c", {"--game", "life", "--agents", "random", "--games", "2"});
    const Ran compared = run_in_process({"compare", "oldmaid", "oldmaid:previous", "--games", "20",
                                         "--out", path("compared"), "--no-costs"});
    ASSERT_EQ(compared.code, 0) << compared.err;
    const std::vector<std::string> paths{path("one"), path("b,c"), path("compared")};
    const auto report = [&](const std::vector<std::string>& which,
                            const std::vector<std::string>& form) {
        std::vector<std::string> arguments{"report"};
        arguments.insert(arguments.end(), which.begin(), which.end());
        arguments.insert(arguments.end(), form.begin(), form.end());
        return run_in_process(arguments).out;
    };
    const auto all = nlohmann::ordered_json::parse(report(paths, {"--json"}));
    ASSERT_EQ(all["runs"].size(), 3U);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        auto alone = nlohmann::ordered_json::parse(report({paths[i]}, {"--json"}));
        EXPECT_FALSE(alone.contains("run")) << "one is as it always was";
        nlohmann::ordered_json named{{"run", paths[i]}};
        named.update(alone);
        EXPECT_EQ(all["runs"][i], named);
    }
    EXPECT_EQ(all["runs"][2]["kind"], "compare");

    std::string rows = "run,section,name,other,metric,value,error,low,high\n";
    for (const std::string& each : paths) {
        std::istringstream lines(report({each}, {"--format", "csv"}));
        std::string line;
        std::getline(lines, line);
        EXPECT_EQ("run," + line + "\n", rows.substr(0, rows.find('\n') + 1));
        const bool quoted = each.find(',') != std::string::npos;
        while (std::getline(lines, line))
            rows += (quoted ? "\"" + each + "\"" : each) + "," + line + "\n";
    }
    EXPECT_EQ(report(paths, {"--format", "csv"}), rows);
    EXPECT_TRUE(has(report(paths, {"--format", "markdown"}), "## " + path("b,c") + "\n"));
}

TEST_F(ReportCommands, what_cannot_be_shown_says_so) {
    refuses({"report", path("nowhere"), "--html", path("x.html")}, "there is no such folder");
    write("other/notes.txt", "hello");
    refuses({"report", path("other"), "--html", path("x.html")},
            "holds no run (run.json), no comparison, ablation or sweep (compare.json, ablate.json, "
            "sweep.json) and no tuning (tune.json)");
    refuses({"report", write("old.json", R"({"metrics": []})")}, "or one of an older format");
    refuses({"report", write("torn.json", "{\"kind\": \"com")}, "is damaged: not valid JSON");
    refuses({"report", write("same.json", R"({"identical": true})")},
            "compares two that are identical");
    make_run("run", {"--game", "life", "--agents", "random", "--games", "2"});
    refuses({"report", path("run"), "--html", path("x.html"), "--replay", "7.0"},
            "has no game 7.0");
    refuses({"report", path("run"), "--html", path("x.html"), "--replay", "7"},
            "--replay takes BLOCK.GAME as games.csv numbers them, as in 0.1, or none; found '7'");
    refuses({"report", path("run"), "--replay", "0.0"}, "--replay is for the page of --html");
    std::string file = text("run/run.json");
    file.replace(file.find("\"format\": 2"), 11, "\"format\": 0");
    write("run/run.json", file);
    refuses({"report", path("run"), "--html", path("x.html")},
            "run.json:2:13: format: this program reads format 2, found 0");
    EXPECT_FALSE(std::filesystem::exists(path("x.html")));
}

TEST_F(ReportCommands, an_empty_run_and_changed_rules_are_said) {
    make_run("run", {"--game", "oldmaid", "--agents", "random", "--games", "4"});
    const std::string rows = text("run/games.csv");
    // Without the copies of the run's files, its numbers are still shown.
    std::filesystem::remove_all(path("run/inputs"));
    const std::string without = page({path("run")});
    EXPECT_TRUE(has(without, "Cannot be shown: " + path("run")));
    EXPECT_TRUE(has(without, "cannot be put together again"));
    EXPECT_TRUE(has(without, "data-section=\"standings\""));
    write("run/games.csv", rows.substr(0, rows.find('\n') + 1));
    std::filesystem::remove(path("run/summary.json")); // otherwise it counts as altered
    EXPECT_TRUE(has(page({path("run")}), "This run is empty: no game has been played yet."));
}

// ---- the history of a game ----

// Runs are begun in the order of their names, as their times may be the same.
class HistoryReport : public ReportCommands {
  protected:
    void belote(const std::string& name, const std::string& agents, const std::string& games,
                std::vector<std::string> more = {}) {
        more.insert(more.begin(), {"belote", "--agents", agents, "--games", games});
        make_run("runs/" + name, more);
    }
    nlohmann::ordered_json history(std::vector<std::string> more = {},
                                   const std::string& game = "belote") {
        more.insert(more.begin(), {"report", path("runs"), "--history", game, "--json"});
        const Ran ran = run_in_process(more);
        EXPECT_EQ(ran.code, 0) << ran.err;
        warned_ = ran.err;
        return nlohmann::ordered_json::parse(ran.out);
    }
    std::string warned_;
};

TEST_F(HistoryReport, of_two_revisions_on_the_same_deals_tells_what_compare_tells) {
    belote("a", "rules:naive,random", "100");
    belote("b", "rules:naive,random", "100", {"--set", "annonces=off"});
    const auto told = history()["series"];
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0]["blocks_shared"], 50);
    EXPECT_EQ(told[0]["change"]["a"], "belote");
    EXPECT_EQ(told[0]["change"]["b"], "belote annonces=off");
    const Ran compared =
        run_in_process({"compare", "belote", "--set-b", "annonces=off", "--agents",
                        "rules:naive,random", "--games", "100", "--no-costs", "--json", "--metric",
                        "win,score,draws,length,aborted,unfinished,fault"});
    ASSERT_EQ(compared.code, 0) << compared.err;
    EXPECT_EQ(told[0]["change"]["metrics"], nlohmann::ordered_json::parse(compared.out)["metrics"]);
    // Each run has its own numbers.
    const auto summary = nlohmann::ordered_json::parse(text("runs/b/summary.json"))["report"];
    const auto& run = told[0]["runs"][1];
    const auto win = std::ranges::find_if(run["metrics"], [](const auto& each) {
        return each["metric"] == "win" && each["of"] == "rules:naive";
    });
    ASSERT_NE(win, run["metrics"].end());
    EXPECT_EQ((*win)["value"], summary["contestants"][0]["win_rate"]);
}

TEST_F(HistoryReport, of_other_deals_counts_each_revision_by_itself) {
    for (const std::string seed : {"1", "2"})
        belote("a" + seed, "rules:naive,random", "60", {"--seed", seed});
    for (const std::string seed : {"2", "3"})
        belote("b" + seed, "rules:naive,random", "60", {"--set", "annonces=off", "--seed", seed});
    const auto line = history()["series"][0];
    EXPECT_EQ(line["blocks_a"], 60);
    EXPECT_EQ(line["blocks_b"], 60);
    EXPECT_EQ(line["blocks_shared"], 30);
    double sum = 0;
    for (const std::string run : {"runs/a1", "runs/a2"})
        sum += nlohmann::json::parse(text(run + "/summary.json"))["report"]["plies"]["mean"]
                   .get<double>();
    const auto& metrics = line["change"]["metrics"];
    const auto length =
        std::ranges::find_if(metrics, [](const auto& each) { return each["metric"] == "length"; });
    ASSERT_NE(length, metrics.end());
    EXPECT_NEAR((*length)["a"]["value"].get<double>(), sum / 2, 1e-9);
    // Fifteen deals of the newest revision and no shared ones are too few to be sure of anything.
    std::filesystem::remove_all(path("runs/b2"));
    std::filesystem::remove_all(path("runs/b3"));
    belote("c", "rules:naive,random", "30", {"--set", "annonces=off", "--seed", "9"});
    const auto judged = history()["series"][0]["change"]["metrics"];
    EXPECT_FALSE(judged.empty());
    for (const auto& metric : judged)
        EXPECT_EQ(metric["verdict"], "too few");
}

TEST_F(HistoryReport, has_one_list_of_ratings_of_all_runs) {
    belote("a", "rules:naive,random,rules:table", "120");
    // Those of a single run are the ratings of its report.
    const auto report = nlohmann::ordered_json::parse(text("runs/a/summary.json"))["report"];
    const auto elo_of = [](const nlohmann::ordered_json& list, const std::string& agent) {
        const auto found =
            std::ranges::find_if(list, [&](const auto& each) { return each["agent"] == agent; });
        EXPECT_NE(found, list.end()) << agent;
        return (*found)["elo"];
    };
    const auto alone = history()["ratings"];
    ASSERT_EQ(alone.size(), 3U);
    for (const auto& each : report["contestants"])
        EXPECT_EQ(elo_of(alone, each["name"])["value"], each["rating"]["elo"]) << each;
    // A beginning of it, and a copy, change nothing; games of other deals do.
    belote("b", "rules:naive,random,rules:table", "60");
    std::filesystem::create_directories(path("runs/deep"));
    std::filesystem::copy(path("runs/a"), path("runs/deep/c"),
                          std::filesystem::copy_options::recursive);
    EXPECT_EQ(history()["ratings"], alone);
    belote("d", "rules:naive,rules:counting", "100", {"--seed", "5"});
    const auto more = history({"--anchor", "random=1200"})["ratings"];
    ASSERT_EQ(more.size(), 4U);
    EXPECT_EQ(elo_of(more, "random")["value"], 1200);
    EXPECT_EQ(elo_of(more, "random")["error"], nullptr);
    const double apart = elo_of(alone, "rules:naive")["value"].get<double>() -
                         elo_of(alone, "random")["value"].get<double>();
    EXPECT_NEAR(elo_of(more, "rules:naive")["value"].get<double>(), 1200 + apart, 1e-6)
        << "the newcomer met one of them only, and so tells nothing of the others";
    EXPECT_EQ(more[0]["games"].get<int>() + more[1]["games"].get<int>() +
                  more[2]["games"].get<int>() + more[3]["games"].get<int>(),
              2 * 120 + 2 * 100);
    refuses({"report", path("runs"), "--history", "belote", "--anchor", "nobody"},
            "--anchor takes AGENT or AGENT=ELO, found 'nobody'; there are ");
    refuses({"report", path("runs"), "--history", "belote", "--anchor", "random=high"},
            "found 'random=high'");
}

TEST_F(HistoryReport, tells_agents_apart_by_their_files_and_revisions_by_their_rules) {
    // The player who names the higher number wins, but from the limit on loses.
    const auto rules = [](int limit) {
        return R"({"game": {"name": "dare", "players": ["A", "B"]},
            "types": {"Seat": ["A", "B"], "Number": 4},
            "shape": {"turn": "Seat", "moves": {"$:Number": true}, "move": "Number",
                      "over": "bool", "named": {"$:Seat": "0..3"}, "score": {"$:Seat": "int"}},
            "state": {"turn": "A"},
            "moves": [{"action": {"moves": {"0": true, "1": true, "2": true, "3": true}}}],
            "play": [
                {"name": "end", "condition": {"turn": "B"}, "action": {"over": true}},
                {"name": "name", "condition": {"turn": "$P", "move": "$N"},
                 "action": {"named": {"$P": "$N"}, "turn": "B"}}],
            "score": [
                {"name": "none", "action": {"score": {"A": 0, "B": 0}}},
                {"name": "good", "condition": {"named": {"$P": "$N"}, "_": "$N < )" +
               std::to_string(limit) + R"("}, "action": {"score": {"$P": "$N + 1"}}}]})";
    };
    const auto agent = [](int number) {
        return R"({"game": "dare", "choose": [{"condition": {"moves": {"$M": true}},
            "action": {"prefer": {"$M": 0}}}, {"condition": {"moves": {")" +
               std::to_string(number) + R"(": true}}, "action": {"prefer": {")" +
               std::to_string(number) + R"(": 5}}}]})";
    };
    const auto play = [&](const std::string& name, int limit, int number) {
        write("dare.json", rules(limit));
        const std::string mine = write("mine.json", agent(number));
        make_run("runs/" + name, {path("dare.json"), "--agents", "rules:" + mine + ",random",
                                  "--games", "40", "--seed", name.substr(1)});
    };
    play("a1", 3, 2);
    play("b1", 3, 1);
    play("c1", 2, 1);
    const auto told = history({}, "dare");
    ASSERT_EQ(told["series"].size(), 2U) << "the agent of the first run was another one";
    const auto& line =
        told["series"][0]["runs"].size() == 2 ? told["series"][0] : told["series"][1];
    const std::string agents = line["agents"][0];
    EXPECT_TRUE(agents.starts_with("rules:" + path("mine.json") + " @")) << agents;
    EXPECT_TRUE(line["runs"][0]["revision"].get<std::string>().starts_with("dare @"));
    EXPECT_NE(line["runs"][0]["revision"], line["runs"][1]["revision"]);
    EXPECT_EQ(told["ratings"].size(), 3U) << "one agent at random, and two of the same name";
    // By the beginning of its hash, and by a day, it can be said what to compare with.
    const std::string before = line["runs"][0]["ruleset"];
    EXPECT_EQ(history({"--since", before.substr(0, 5)}, "dare")["series"], told["series"]);
    refuses({"report", path("runs"), "--history", "dare", "--since", "2000-01-01"},
            "--since takes a revision, the beginning of its hash or a day");
    EXPECT_EQ(history({"--since", "2999-01-01"}, "dare")["series"].size(), 2U);
}

TEST_F(HistoryReport, tells_which_rules_became_slower_by_the_times_of_runs) {
    for (const std::string run : {"a1", "a2", "a3", "a4", "a5", "b1", "b2", "b3", "b4", "b5"}) {
        belote(run, "random", "4",
               {"--set", run[0] == 'a' ? "annonces=off" : "annonces=on", "--seed", run.substr(1)});
        // Times that differ by a tenth between runs, and by half between revisions; of one rule
        // by nothing but luck.
        std::istringstream rows(text("runs/" + run + "/rules.csv"));
        std::string edited;
        std::string row;
        std::getline(rows, row);
        edited = row + "\n";
        const int luck = (run[1] - '0') * 20'000;
        while (std::getline(rows, row)) {
            std::vector<std::string> cells;
            std::istringstream all(row);
            for (std::string cell; std::getline(all, cell, ',');)
                cells.push_back(cell);
            const bool times = cells[4].empty() && cells[0] != "" && cells.size() == 27;
            cells[16] = "1000";                                                         // ticks
            cells[17] = std::to_string((run[0] == 'a' ? 4'000'000 : 6'000'000) + luck); // cpu_ns
            const int own = cells[3] == "led" ? 100 * 250'000 + luck * 10 : 0;
            cells[18] = times ? std::to_string(own) : "0";
            cells[19] = cells[21] = "0";
            cells[20] = cells[18];
            for (std::size_t i = 0; i < cells.size(); ++i)
                edited += (i > 0 ? "," : "") + cells[i];
            edited += "\n";
        }
        write("runs/" + run + "/rules.csv", edited);
        write("runs/" + run + "/checksums", "");
    }
    const auto line = history()["series"][0];
    EXPECT_EQ(warned_, "");
    const auto& all = line["costs"][0];
    EXPECT_EQ(all["rule"], nullptr);
    EXPECT_EQ(all["runs_a"], 5);
    EXPECT_EQ(all["verdict"], "slower");
    EXPECT_NEAR(all["a_ns"]["value"].get<double>(), 1'015'000, 1);
    EXPECT_NEAR(all["difference"]["value"].get<double>(), 500'000, 1);
    EXPECT_EQ(line["runs"][0]["ns_a_game"], 1'005'000);
    const std::string page = this->page({path("runs"), "--history", "belote"});
    EXPECT_TRUE(has(page, "data-chart=\"time\""));
    EXPECT_TRUE(has(page, "belote annonces=off"));
}

TEST_F(HistoryReport, leaves_out_and_names_what_it_cannot_read) {
    belote("a", "random", "4");
    belote("b", "random", "8", {"--shard", "1/2"});
    belote("c", "random", "8");
    std::string rows = text("runs/c/games.csv");
    write("runs/c/games.csv", rows.replace(rows.find("over"), 4, "odd!"));
    make_run("runs/d", {"life", "--agents", "random", "--games", "2"});
    const auto told = history();
    EXPECT_EQ(told["series"][0]["runs"].size(), 1U);
    EXPECT_TRUE(has(warned_, "runs/b: is a shard; merge all first")) << warned_;
    EXPECT_TRUE(has(warned_, "runs/c/games.csv:2: ")) << warned_;
    EXPECT_FALSE(has(warned_, "runs/d"));
    EXPECT_EQ(told["ratings"].size(), 0U) << "nobody met another";
    refuses({"report", path("runs"), "--history", "tarot"},
            "there is no run of tarot in " + path("runs") + "; there are runs of belote, life");
    refuses({"report", path("runs/a"), "--since", "x"}, "--since and --anchor are for --history");
    refuses({"report", path("runs"), "--history", "belote", "--coverage"}, "are for single runs");
    // A row for each number.
    const std::string csv =
        run_in_process({"report", path("runs"), "--history", "belote", "--format", "csv"}).out;
    EXPECT_EQ(lines(csv).size(), 1 + told["series"][0]["runs"][0]["metrics"].size());
}

} // namespace
} // namespace croupier::cli
