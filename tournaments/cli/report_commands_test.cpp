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

} // namespace
} // namespace croupier::cli
