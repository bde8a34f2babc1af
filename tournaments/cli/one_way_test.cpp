// Shared by all subcommands: naming a game, requesting JSON, reading the help.
#include "games/registry.h"
#include "games/testing/testing.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace croupier::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class OneWay : public FolderTest {
  protected:
    // A copy of the game in the test's folder.
    std::string copied(const std::string& game) const {
        fs::copy(fs::path(games::kGamesFolder) / game, path(game),
                 fs::copy_options::recursive | fs::copy_options::overwrite_existing);
        return path(game);
    }
    static json parsed(const std::vector<std::string>& arguments, int code = 0) {
        const Ran ran = run_in_process(arguments);
        EXPECT_EQ(ran.code, code) << ran.err;
        return json::parse(ran.out, nullptr, false);
    }
    static std::string good(const std::vector<std::string>& arguments) {
        const Ran ran = run_in_process(arguments);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return ran.out;
    }
    static std::string refused(const std::vector<std::string>& arguments) {
        const Ran ran = run_in_process(arguments);
        EXPECT_EQ(ran.code, 2) << ran.out;
        return ran.err;
    }
    static std::vector<std::string> names() {
        std::vector<std::string> all;
        for (const auto& command : make_commands())
            all.emplace_back(command->describe().name);
        return all;
    }
    static std::string help(const std::string& name) {
        return run_in_process({name, "--help"}, "", {.width = 1000}).out;
    }
};

TEST_F(OneWay, help_has_no_words_of_the_library) {
    for (const std::string& name : names()) {
        const std::string text = help(name);
        for (const char* noise : {"UINT", "INT:", "FLOAT", " in [", "....", "BOOLEAN", "REQUIRED"})
            EXPECT_FALSE(contains(text, noise)) << name << ": " << noise << "\n" << text;
    }
    EXPECT_TRUE(contains(help("run"), "--threads N ")) << help("run");
    EXPECT_TRUE(contains(help("run"), "Games to play at once (default: all cores)"));
    EXPECT_TRUE(contains(help("report"),
                         "Form of the answer (table, csv, markdown or autoplay; default: table)"))
        << help("report");
    EXPECT_TRUE(contains(help("play"), "Set an option of the game (may be repeated)"));
}

TEST_F(OneWay, help_of_a_name_is_help_of_the_subcommand) {
    for (const std::string& name : names())
        EXPECT_EQ(good({"help", name}), good({name, "--help"}));
    EXPECT_EQ(good({"help"}), good({"--help"}));
    EXPECT_TRUE(contains(refused({"help", "versoin"}), "did you mean 'version'?"));
}

TEST_F(OneWay, games_is_a_number_and_games_folder_a_folder) {
    for (const std::string& name : names()) {
        const std::string text = help(name);
        EXPECT_EQ(contains(text, "--games "), contains(text, "--games N")) << name;
        EXPECT_EQ(contains(text, "  --games-folder "), contains(text, "--games-folder DIR"))
            << name;
    }
}

TEST_F(OneWay, json_is_asked_for_by_json) {
    for (const std::string& name : names()) {
        const std::string text = help(name);
        const bool for_programs = contains(text, "--json ");
        const bool none = name == "help" || name == "completion" || name == "export";
        EXPECT_EQ(for_programs, !none) << name;
        EXPECT_FALSE(std::regex_search(text, std::regex("[( ]json(,|;| or)"))) << name;
    }
    EXPECT_TRUE(contains(refused({"report", path("x"), "--format", "json"}),
                         "'json' is none of table, csv, markdown, autoplay"));
    EXPECT_TRUE(contains(refused({"report", path("x"), "--json", "--format", "csv"}), "--format"));
}

TEST_F(OneWay, a_game_is_named_by_its_name_its_file_or_its_folder) {
    const std::string folder = copied("subtraction");
    const std::string file = folder + "/rules.json";
    for (const std::string& name : {file, folder, folder + "/"}) {
        for (const std::vector<std::string>& command :
             {std::vector<std::string>{"play", "", "--seed", "3"},
              {"moves", ""},
              {"tick", "", "--moves", "1"},
              {"games", "", "--json"},
              {"plan", ""},
              {"profile", "", "--games", "2", "--counts"},
              {"compare", "", "", "--set-b", "pile=9", "--games", "8", "--no-costs"},
              {"run", "", "--games", "4", "--progress", "none", "--out", "RUN"}}) {
            const auto with = [&](const std::string& game, const char* run) {
                std::vector<std::string> words = command;
                for (std::string& word : words) {
                    if (word.empty()) word = game;
                    if (word == "RUN") word = path(run);
                }
                fs::remove_all(path(run));
                return words;
            };
            std::string by_path = good(with(name, "by_path"));
            std::string by_name = good(with("subtraction", "by_name"));
            // Only places and rates differ.
            const std::regex places(
                R"((/[^(\n]*/)?subtraction/rules\.json|[0-9.]+ s, \d+ games/s)");
            // Times are not compared.
            by_path.resize(std::min(by_path.size(), by_path.find("\ntime per decision")));
            by_name.resize(std::min(by_name.size(), by_name.find("\ntime per decision")));
            by_path = std::regex_replace(by_path, places, "");
            by_name = std::regex_replace(by_name, places, "");
            EXPECT_EQ(by_path, by_name) << command.front() << " " << name;
        }
        EXPECT_EQ(good({"diff", "subtraction", name}), "no difference\n");
        EXPECT_EQ(good({"check", "--no-play", name}), good({"check", "--no-play", file}));
        const json state = parsed(
            {"apply", name, write("state.json", R"({"pile": 5})"), "--group", "moves", "--json"});
        EXPECT_EQ(state["moves"].size(), 3U) << state;
    }
    EXPECT_TRUE(contains(good({"diff", "oldmaid", "oldmaid:previous"}), "~ options.draw_from"));
    EXPECT_TRUE(contains(good({"diff", copied("oldmaid"), path("oldmaid") + ":previous"}),
                         "~ options.draw_from"));
    EXPECT_TRUE(
        contains(refused({"diff", "oldmaid", "oldmaid:previus"}), "did you mean 'previous'?"));
    EXPECT_TRUE(contains(refused({"play", path("")}), "there is no rules.json in the folder"));
}

TEST_F(OneWay, a_folder_here_is_a_game_unless_a_game_has_its_name) {
    copied("subtraction");
    fs::rename(path("subtraction"), path("mine"));
    const fs::path before = fs::current_path();
    fs::current_path(path(""));
    const std::string mine = good({"play", "mine", "--seed", "1"});
    fs::create_directories("life");
    write("life/rules.json", "{}");
    const std::string life = good({"play", "life", "--seed", "1"});
    fs::current_path(before);
    EXPECT_TRUE(mine.starts_with("subtraction: over after ") ||
                mine.starts_with("mine: over after "))
        << mine;
    EXPECT_TRUE(life.starts_with("life: over after ")) << life;
}

TEST_F(OneWay, a_games_folder_is_taken_wherever_a_game_is) {
    copied("subtraction");
    fs::rename(path("subtraction"), path("mine"));
    for (const std::vector<std::string>& command : {std::vector<std::string>{"check", "mine"},
                                                    {"plan", "mine"},
                                                    {"diff", "mine", "mine"},
                                                    {"play", "mine"},
                                                    {"games", "mine"},
                                                    {"moves", "mine"}}) {
        std::vector<std::string> words = command;
        words.insert(words.end(), {"--games-folder", path("")});
        good(words);
        EXPECT_TRUE(contains(refused(command), "there is no game 'mine'")) << command.front();
    }
}

TEST_F(OneWay, an_empty_name_is_no_game_anywhere) {
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"play", ""},
          {"moves", ""},
          {"tick", "", "--moves", "1"},
          {"score", ""},
          {"plan", ""},
          {"check", ""},
          {"test", ""},
          {"diff", "", ""},
          {"profile", ""},
          {"compare", "", ""},
          {"compare", "", "--agent-a", "random", "--agent-b", "random"},
          {"ablate", "", "--agent", "rules:table"},
          {"tune", "", "--agent", "mcts:games=5", "--values", "games=2..9"}})
        refused(command);
    const Ran ran = run_in_process({"run", "-"}, R"({"game": ""})");
    EXPECT_EQ(ran.code, 2) << ran.out;
    EXPECT_TRUE(contains(ran.err, "<stdin>:1:10: error[E0803]: no game is named")) << ran.err;
}

TEST_F(OneWay, agents_are_random_unless_they_are_named) {
    good(
        {"run", "--game", "belote", "--games", "4", "--out", path("silent"), "--progress", "none"});
    good({"run", "--game", "belote", "--agents", "random", "--games", "4", "--out", path("told"),
          "--progress", "none"});
    EXPECT_EQ(text("silent/games.csv"), text("told/games.csv"));
    EXPECT_FALSE(text("silent/games.csv").empty());
    const std::string spec = write("spec.json", R"({"game": "belote", "games": 4})");
    good({"run", spec, "--out", path("file"), "--progress", "none"});
    EXPECT_EQ(text("file/games.csv"), text("told/games.csv"));
    const std::string none = write("none.json", R"({"game": "belote", "agents": []})");
    EXPECT_TRUE(contains(refused({"run", none}), "no agent is named"));
    // Four seats in two teams: one agent per team.
    EXPECT_EQ(
        parsed({"play", "belote", "--agents", "A=random,B=random", "--json"})["seats"][2]["agent"],
        "A=random");
}

TEST_F(OneWay, metrics_have_the_names_that_tables_show) {
    const std::vector<std::string> compare = {"compare", "oldmaid", "oldmaid:previous",
                                              "--games", "40",      "--no-costs"};
    const std::string table = good(compare);
    std::vector<std::string> with_metric = compare;
    with_metric.insert(with_metric.end(), {"--metric", ""});
    std::vector<std::string> shown;
    for (const std::string& line : lines(table)) {
        const std::string word = line.substr(0, line.find(' ', 2));
        if (line.starts_with("  ") && word.size() > 2 && contains(line, "%") == false &&
            contains(line, ".") && contains(line, "["))
            shown.push_back(word.substr(2));
    }
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end()); // one score per seat
    ASSERT_FALSE(shown.empty()) << table;
    for (const std::string& metric : shown) {
        with_metric.back() = metric;
        EXPECT_TRUE(contains(good(with_metric), "  " + metric)) << metric;
    }
    for (const char* metric : {"win", "draws", "forced", "branching"}) {
        with_metric.back() = metric;
        EXPECT_TRUE(contains(good(with_metric), metric)) << "the table has the word as well";
    }
    with_metric.back() = "lenght";
    EXPECT_TRUE(contains(refused(with_metric),
                         "'lenght' is none of win, score, draws, length, forced, branching, "
                         "settled, leads, comebacks, coverage, aborted, unfinished, fault (did you "
                         "mean 'length'?)"));
}

TEST_F(OneWay, plan_as_json_has_what_the_text_has) {
    const std::string rules = write("r.json", R"({
        "types": {"Card": ["x", "y"]}, "shape": {"hand": {"$:Card": true}, "top": "Card"},
        "rules": [{"name": "same", "condition": {"top": "$T", "hand": {"$T": {}}},
                   "action": {"hit": true}}]})");
    const json plan = parsed({"plan", rules, "--json"});
    std::vector<std::string> paths;
    for (const json& node : plan["layout"]["nodes"])
        paths.push_back(node["path"]);
    EXPECT_NE(std::find(paths.begin(), paths.end(), "hand.$Card"), paths.end()) << plan;
    EXPECT_GT(plan["layout"]["bytes"], 0);
    ASSERT_EQ(plan["plan"].size(), 2U) << plan;
    EXPECT_EQ(plan["plan"][0]["group"], "rules");
    const json& same = plan["plan"][1];
    EXPECT_EQ(same["rule"], "same");
    EXPECT_EQ(same["variables"], json({"T"})) << same;
    // The same lines as in the text, in the same order.
    std::string lines;
    for (const json& line : same["form"])
        lines += line.get<std::string>() + '\n';
    EXPECT_EQ(lines, good({"plan", rules, "--rule", "same"}));
    EXPECT_TRUE(contains(lines, "test Present(hand[$T])")) << "whether the card is in the hand";
    const json alone = parsed({"plan", rules, "--rule", "same", "--json"});
    EXPECT_FALSE(alone.contains("layout"));
    EXPECT_EQ(alone["plan"][0], same);
}

TEST_F(OneWay, play_and_replay_tell_programs_how_it_ended) {
    const json played = parsed({"play", "life", "--seed", "4", "--record", path("game"), "--json"});
    EXPECT_EQ(played["game"], "life");
    EXPECT_EQ(played["end"], "over");
    EXPECT_EQ(played["moves"], 134);
    EXPECT_EQ(played["seed"], 4);
    EXPECT_EQ(played["seats"][0],
              (json{{"player", "B"}, {"agent", "random"}, {"score", 1.0}, {"place", 1}}));
    json again = parsed({"replay", path("game"), "--json"});
    EXPECT_TRUE(again.contains("record"));
    again.erase("record");
    EXPECT_EQ(again, played);

    json checked = parsed({"replay", path("game"), "--check", "--json"});
    EXPECT_EQ(checked["same"], true);
    std::string record = text("game");
    const std::size_t seed = record.find("\"seed\":4");
    ASSERT_NE(seed, std::string::npos);
    write("other", record.replace(record.rfind("\"over\""), 6, "\"Over\""));
    checked = parsed({"replay", path("other"), "--check", "--json"}, 1);
    EXPECT_EQ(checked["same"], false);
    EXPECT_TRUE(contains(checked["differs"]["recorded"].get<std::string>(), "\"Over\"")) << checked;
    EXPECT_TRUE(
        contains(refused({"play", "life", "--json", "--show"}), "--json is the only output"));
}

TEST_F(OneWay, replay_of_several_is_a_line_for_each) {
    good({"run", "--game", "life", "--games", "4", "--keep", "all", "--out", path("run"),
          "--progress", "none"});
    const std::vector<std::string> all = lines(good({"replay", path("run/moves.jsonl"), "--json"}));
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(json::parse(all[3])["record"], "1.1");
    const json at = parsed({"replay", path("run") + ":1.1:3", "--json"});
    EXPECT_EQ(at["after"], 3);
    EXPECT_EQ(at["moves"], json::parse(all[3])["moves"]);
    EXPECT_TRUE(at["state"].contains("board")) << at;
}

TEST_F(OneWay, a_file_includes_games_beside_its_folder_and_nothing_else_there) {
    copied("life");
    const std::string mine =
        write("examples/mine.json",
              R"({"@include": "../life/rules.json", "game": {"revision": "mine"}})");
    EXPECT_TRUE(contains(good({"play", mine, "--seed", "4"}), "life:mine: over after "));
    write("secrets/key.json", R"({"secret": 1)");
    const std::string curious =
        write("examples/curious.json", R"({"@include": "../secrets/key.json"})");
    const std::string told = refused({"check", curious});
    EXPECT_TRUE(contains(told, "is outside the folders")) << told;
    EXPECT_FALSE(contains(told, "\"secret\"")) << told;
    // Files of a game's folder are refused if they are not rule files, or in a subfolder.
    write("life/notes.txt", "secret");
    EXPECT_TRUE(contains(
        refused({"check", write("examples/a.json", R"({"@include": "../life/notes.txt"})")}),
        "is outside"));
    write("life/deeper/b.json", R"({"secret": 1)");
    EXPECT_TRUE(contains(
        refused({"check", write("examples/b.json", R"({"@include": "../life/deeper/b.json"})")}),
        "is outside"));
}

TEST_F(OneWay, mistakes_on_the_line_are_said_in_our_words) {
    EXPECT_TRUE(contains(refused({"--json", "version"}),
                         "the option '--json' goes after the subcommand: croupier version --json"));
    EXPECT_TRUE(contains(refused({"run", "--out"}), "--out needs a value: --out DIR\n"));
    EXPECT_TRUE(contains(refused({"stats", "--wdl", "1,2,3", "--elo0", "x"}),
                         "--elo0: 'x' is not a number\n"));
    EXPECT_TRUE(contains(refused({"version", "--json=x"}), "--json takes no value, found 'x'"));
    EXPECT_TRUE(contains(refused({"run", "-o"}), "--out needs a value: --out DIR\n"));
    EXPECT_TRUE(
        contains(refused({"-j", "2", "run"}), "goes after the subcommand: croupier run -j"));
    EXPECT_TRUE(contains(refused({"run", "life", "-j", "x"}), "--threads: 'x' is not a"));
    EXPECT_TRUE(contains(refused({"play", "life", "--agents", "rules:gredy"}),
                         "there is no agent rules:gredy for life (did you mean 'greedy'?)"));
    EXPECT_TRUE(
        contains(refused({"play", "life", "--agents", "eval:grow,random"}),
                 "there is no agent eval:grow for life (did you mean 'growth'?); known: growth"));
    EXPECT_TRUE(contains(refused({"play", "krk", "--agents", "advice:x,random"}),
                         "there is no agent advice:x for krk; known: fixed, published"));
    // Words after -- are not options.
    EXPECT_EQ(good({"check", "--no-play", "--", "life"}), good({"check", "--no-play", "life"}));
    EXPECT_TRUE(contains(refused({"version", "--", "--json"}), "unexpected argument '--json'"));
}

TEST_F(OneWay, a_match_of_tarot_has_a_deal_at_least) {
    EXPECT_TRUE(contains(refused({"play", "tarot", "--set", "match=target", "--set", "deals=0"}),
                         "error[E0219]"));
}

} // namespace
} // namespace croupier::cli
