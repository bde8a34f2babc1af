// croupier db, asked by SQLite as its users ask it.
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace croupier::cli {
namespace {

namespace fs = std::filesystem;

class DatabaseCommand : public FolderTest {
  protected:
    void play(const std::string& folder, std::vector<std::string> words) const {
        words.insert(words.end(), {"--out", path(folder)});
        if (words[0] == "run") words.insert(words.end(), {"--progress", "none"});
        const Ran ran = run_in_process(words);
        ASSERT_EQ(ran.code, 0) << ran.err;
    }
    void run_belote(const std::string& folder, const std::string& blocks,
                    std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"run", "belote", "--agents", "rules:naive,random", "--blocks",
                                   blocks, "--keep", "none"});
        play(folder, more);
    }
    // The first line that it notes, or warns.
    [[nodiscard]] std::string import(std::vector<std::string> words, int code = 0) const {
        words.insert(words.begin(), {"db", path("all.db")});
        const Ran ran = run_in_process(words);
        EXPECT_EQ(ran.code, code) << ran.out << ran.err;
        return ran.err.empty() ? "" : lines(ran.err)[0];
    }
    // Rows joined by " ", cells by "|".
    [[nodiscard]] std::string ask(const std::string& sql) const {
        sqlite3* database = nullptr;
        EXPECT_EQ(sqlite3_open(path("all.db").c_str(), &database), SQLITE_OK);
        std::string rows;
        const auto add = [](void* into, int count, char** cells, char**) {
            auto& text = *static_cast<std::string*>(into);
            if (!text.empty()) text += " ";
            for (int i = 0; i < count; ++i)
                text += (i > 0 ? "|" : "") + std::string(cells[i] != nullptr ? cells[i] : "");
            return 0;
        };
        EXPECT_EQ(sqlite3_exec(database, sql.c_str(), add, &rows, nullptr), SQLITE_OK)
            << sqlite3_errmsg(database) << sql;
        sqlite3_close(database);
        return rows;
    }
};

TEST_F(DatabaseCommand, what_a_run_tells_is_found_by_questions) {
    run_belote("runs/one", "20", {"--profile", "full"});
    EXPECT_EQ(import({path("runs")}), "1 new, 0 changed, 0 as before");
    const auto report = nlohmann::json::parse(text("runs/one/summary.json"))["report"];
    EXPECT_EQ(ask("SELECT kind, game, seed, blocks, games, complete FROM results"),
              "run|belote|1|20|40|1");
    EXPECT_EQ(ask("SELECT ruleset FROM sides"),
              nlohmann::json::parse(text("runs/one/run.json"))["ruleset"].get<std::string>());
    const double wins = report["contestants"][0]["win_rate"]["value"];
    const auto row = "SELECT agent, win_rate FROM win_rates WHERE name = 'rules:naive'";
    const std::string found = ask(row);
    EXPECT_TRUE(found.starts_with("rules:naive|")) << found;
    EXPECT_EQ(std::strtod(found.c_str() + found.find('|') + 1, nullptr), wins);
    EXPECT_EQ(std::strtod(ask("SELECT plies FROM lengths").c_str(), nullptr),
              report["plies"]["mean"].get<double>());
    // The games, whose mean is the same.
    EXPECT_EQ(ask("SELECT count(*), count(DISTINCT block || '.' || game) FROM games"), "160|40");
    const std::string shares =
        ask("SELECT avg(1.0 / winners) FROM games JOIN (SELECT block b, game g, count(*) / 2 "
            "winners FROM games WHERE place = 1 GROUP BY 1, 2) ON b = block AND g = game "
            "WHERE agent = 'rules:naive' AND place = 1");
    EXPECT_NE(shares, "");
    const std::string best = ask("SELECT sum(place = 1) FROM games WHERE agent = 'rules:naive'");
    EXPECT_EQ(std::stoi(best) / 2, report["contestants"][0]["wins"].get<int>() +
                                       report["contestants"][0]["draws"].get<int>());
    // Rules of the game and of the agent, and entries of their conditions.
    EXPECT_EQ(ask("SELECT count(DISTINCT owner) FROM rule_costs"), "2");
    EXPECT_EQ(ask("SELECT sum(firings) > 0, count(DISTINCT entry) > 1 FROM rules"), "1|1");
    EXPECT_EQ(ask("SELECT sum(decisions) = (SELECT sum(plies) / 4 FROM games) FROM times"), "1");
}

TEST_F(DatabaseCommand, importing_again_changes_only_what_has_grown) {
    run_belote("off", "30", {"--profile", "off"});
    write("runs/b/run.json", text("off/run.json"));
    keep_blocks("off", "runs/b", 12, results::Journal());
    EXPECT_EQ(import({path("runs")}), "1 new, 0 changed, 0 as before");
    EXPECT_EQ(ask("SELECT blocks, complete FROM results"), "12|0");
    EXPECT_EQ(import({path("runs")}), "0 new, 0 changed, 1 as before");
    ASSERT_EQ(run_in_process({"resume", path("runs/b")}).code, 0);
    EXPECT_EQ(import({path("runs")}), "0 new, 1 changed, 0 as before");
    EXPECT_EQ(ask("SELECT blocks, complete FROM results"), "30|1");
    EXPECT_EQ(ask("SELECT count(*) FROM games"), "240");
    // Another copy, and an older one, are the same result.
    fs::copy(path("runs/b"), path("moved"), fs::copy_options::recursive);
    EXPECT_EQ(import({path("moved"), path("runs")}), "0 new, 0 changed, 2 as before");
    write("old/run.json", text("off/run.json"));
    keep_blocks("off", "old", 12, results::Journal());
    EXPECT_EQ(import({path("old")}), "0 new, 0 changed, 1 as before");
    EXPECT_EQ(ask("SELECT count(*), blocks FROM results"), "1|30");
    // A database that was lost is made again, with the same content.
    const std::string before = ask("SELECT * FROM results JOIN measures USING(result)");
    fs::remove(path("all.db"));
    EXPECT_EQ(import({path("runs")}), "1 new, 0 changed, 0 as before");
    EXPECT_EQ(ask("SELECT * FROM results JOIN measures USING(result)"), before);
}

TEST_F(DatabaseCommand, games_that_were_played_twice_count_once) {
    run_belote("runs/short", "10");
    run_belote("runs/long", "20");
    run_belote("runs/again", "20");
    run_belote("runs/seed", "10", {"--seed", "2"});
    run_belote("runs/set", "10", {"--set", "annonces=off"});
    EXPECT_EQ(import({path("runs"), "--no-games"}), "5 new, 0 changed, 0 as before");
    EXPECT_EQ(ask("SELECT seed, blocks FROM counted ORDER BY 1, 2"), "1|10 1|20 2|10");
    EXPECT_EQ(ask("SELECT DISTINCT coalesce(settings, 'none') FROM win_rates ORDER BY 1"),
              R"(none {"annonces":"off"})");
    EXPECT_EQ(ask("SELECT count(*) FROM games"), "0");
    EXPECT_EQ(import({path("runs")}), "0 new, 5 changed, 0 as before");
    EXPECT_EQ(ask("SELECT count(*) FROM games"), "560");
    EXPECT_EQ(import({path("runs"), "--no-games"}), "0 new, 0 changed, 5 as before");
    EXPECT_EQ(ask("SELECT count(*) FROM games"), "560") << "what is there stays";
}

TEST_F(DatabaseCommand, comparisons_sweeps_and_tunings_are_there) {
    const auto with = [&](std::vector<std::string> words) {
        words.insert(words.end(),
                     {"--agents", "rules:naive,random", "--games", "40", "--no-costs"});
        return words;
    };
    play("runs/compare", with({"compare", "belote", "--set-b", "annonces=off"}));
    play("runs/sweep",
         with({"sweep", "belote", "--vary", "annonces=on,off", "--vary", "capot_points=162,252"}));
    play("runs/ablate", {"ablate", "belote", "--agent", "rules:naive", "--games", "8"});
    play("runs/deep/tune",
         {"tune", "life", "--agent", "mcts:playouts=4", "--vary", "explore=10..300,start=100",
          "--games", "8", "--step", "1", "--proof", "0"});
    EXPECT_EQ(import({path("runs")}), "4 new, 0 changed, 0 as before");
    EXPECT_EQ(ask("SELECT kind, game FROM results ORDER BY kind"),
              "ablate|belote compare|belote sweep|belote tune|life");
    const auto compared = nlohmann::json::parse(text("runs/compare/compare.json"));
    const double wins = compared["metrics"][0]["b"]["value"];
    EXPECT_EQ(std::strtod(ask("SELECT value FROM measures JOIN results USING(result) WHERE kind = "
                              "'compare' AND section = 'win' AND other = 'b' AND name = '" +
                              compared["metrics"][0]["of"].get<std::string>() + "' LIMIT 1")
                              .c_str(),
                          nullptr),
              wins);
    EXPECT_EQ(ask("SELECT count(DISTINCT json_extract(specification, '$.set')) FROM sides JOIN "
                  "results USING(result) WHERE kind = 'compare'"),
              "1");
    EXPECT_EQ(ask("SELECT point, group_concat(value, ' ') FROM settings GROUP BY 1"),
              "1|on 162 2|on 252 3|off 162 4|off 252");
    EXPECT_EQ(ask("SELECT count(DISTINCT point) FROM points JOIN settings USING(result, point)"),
              "4");
    EXPECT_EQ(ask("SELECT count(*) FROM games JOIN results USING(result) WHERE kind = 'sweep'"),
              "640");
    // A tuning is complete once its proof is, too.
    EXPECT_EQ(ask("SELECT complete FROM results WHERE kind = 'tune'"), "1");
    play("runs/proved", {"tune", "life", "--agent", "mcts:playouts=8", "--vary",
                         "explore=10..300,start=100", "--games", "64", "--step", "4"});
    fs::create_directories(path("half"));
    for (const std::string file : {"tune.json", "steps.csv"})
        fs::copy(path("runs/proved/" + file), path("half/" + file));
    EXPECT_EQ(import({path("half")}), "1 new, 0 changed, 0 as before");
    EXPECT_EQ(ask("SELECT complete FROM results ORDER BY result DESC LIMIT 1"), "0");
    EXPECT_EQ(import({path("runs/proved")}), "0 new, 1 changed, 0 as before");
    EXPECT_NE(ask("SELECT count(*) FROM measures WHERE section = 'proof'"), "0");
}

TEST_F(DatabaseCommand, what_cannot_be_imported_is_told_and_left_out) {
    run_belote("runs/good", "4");
    run_belote("runs/shard", "4", {"--shard", "1/2"});
    run_belote("runs/hurt", "5");
    std::string rows = text("runs/hurt/games.csv");
    rows.replace(rows.find("over"), 4, "odd!");
    write("runs/hurt/games.csv", rows);
    write("runs/empty/run.json", "{");
    const Ran ran = run_in_process({"db", path("all.db"), path("runs"), path("none")});
    EXPECT_EQ(ran.code, 2) << "a folder that is not there";
    const Ran some = run_in_process({"db", path("all.db"), path("runs")});
    EXPECT_EQ(some.code, 1);
    EXPECT_TRUE(contains(some.err, "is shard 1 of 2; import what croupier merge makes of all"));
    EXPECT_TRUE(contains(some.err, "runs/hurt/games.csv:2: ")) << some.err;
    EXPECT_TRUE(contains(some.err, "runs/empty/run.json")) << some.err;
    EXPECT_EQ(ask("SELECT count(*) FROM results"), "1");
    EXPECT_EQ(ask("SELECT count(DISTINCT result) FROM measures"), "1");
    // What has vanished is forgotten when it is asked for.
    fs::remove_all(path("runs/good"));
    EXPECT_EQ(import({"--prune"}), "1 result forgotten");
    EXPECT_EQ(ask("SELECT (SELECT count(*) FROM results) + (SELECT count(*) FROM games) + "
                  "(SELECT count(*) FROM measures) + (SELECT count(*) FROM rules)"),
              "0");
}

TEST_F(DatabaseCommand, other_databases_are_refused_and_stay_as_they_are) {
    EXPECT_EQ(import({}), "");
    static_cast<void>(ask("PRAGMA user_version = 7"));
    EXPECT_TRUE(contains(import({}, 2), "all.db: has format 7, and this program writes format 1; "
                                        "remove it, and import the folders again"));
    fs::remove(path("all.db"));
    static_cast<void>(ask("CREATE TABLE mine(x)"));
    EXPECT_TRUE(contains(import({}, 2), "all.db: is a database of another program"));
    EXPECT_EQ(ask("SELECT name FROM sqlite_schema"), "mine");
    write("all.db",
          "This is a text, and long enough not to be taken for an empty file by anybody.");
    EXPECT_TRUE(contains(import({}, 2), "all.db: file is not a database"));
    EXPECT_TRUE(contains(run_in_process({"db", path("no/such/all.db")}).err, "unable to open"));
}

} // namespace
} // namespace croupier::cli
