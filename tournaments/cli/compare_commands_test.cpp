// compare and ablate for their users.
#include "tournaments/cli/testing.h"

#include <fmt/format.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {
namespace {

using nlohmann::json;

class CompareCommands : public FolderTest {
  protected:
    static json metric(const json& answer, const std::string& kind, const json& of = nullptr) {
        for (const json& each : answer["metrics"])
            if (each["metric"] == kind && each["of"] == of) return each;
        ADD_FAILURE() << "no " << kind;
        return {};
    }
    static void refuses(const std::vector<std::string>& arguments, const std::string& words) {
        const Ran ran = run_in_process(arguments);
        EXPECT_EQ(ran.code, 2) << ran.out;
        EXPECT_NE(ran.err.find(words), std::string::npos) << ran.err;
    }
};

// The losers are known exactly (games/oldmaid/oldmaid_test.cpp), counted from the first player, B.
TEST_F(CompareCommands, two_revisions_differ_as_theory_says) {
    const std::vector<std::string> command = {"compare", "oldmaid", "oldmaid:previous", "--games",
                                              "2000",    "--json",  "--no-costs"};
    const Ran ran = run_in_process(command);
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json answer = json::parse(ran.out);
    EXPECT_EQ(answer["rules"]["rules"].size(), 0U);
    EXPECT_EQ(answer["rules"]["parts"][0]["part"], "game");
    EXPECT_EQ(answer["a"], "oldmaid");
    EXPECT_EQ(answer["games"], 2000);
    const auto loses = [&](const char* seat, const char* under) {
        return 1 - metric(answer, "score", seat)[under]["value"].get<double>();
    };
    EXPECT_NEAR(loses("B", "a"), 0.26081, 0.03);
    EXPECT_NEAR(loses("B", "b"), 0.1624, 0.03);
    EXPECT_NEAR(loses("D", "a"), 0.24675, 0.03);
    EXPECT_NEAR(loses("D", "b"), 0.3892, 0.03);
    EXPECT_EQ(metric(answer, "score", "D")["verdict"], "lower");
    EXPECT_EQ(metric(answer, "aborted")["differing"], 0);
    EXPECT_EQ(metric(answer, "aborted")["verdict"], "equivalent") << "shown by 500 deals";
    // Byte-identical for any number of threads.
    for (const char* threads : {"1", "4"}) {
        std::vector<std::string> again = command;
        again.insert(again.end(), {"--threads", threads});
        EXPECT_EQ(run_in_process(again).out, ran.out);
    }
}

TEST_F(CompareCommands, the_difference_of_the_rules_comes_first) {
    const Ran ran = run_in_process({"compare", "life", "life:torus", "--games", "20", "--metric",
                                    "length,branching", "--margin", "length=1000", "--no-costs"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(ran.out.find("types.Cell.wrap") < ran.out.find("A is life, B is life:torus"))
        << ran.out;
    EXPECT_NE(ran.out.find("corrected for 2 metrics"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("the margin (length 1000)"), std::string::npos) << ran.out;
    EXPECT_EQ(ran.out.find("win rate"), std::string::npos) << "it was not asked for";
    const Ran timed = run_in_process(
        {"compare", "oldmaid", "oldmaid:previous", "--games", "8", "--metric", "length"});
    EXPECT_NE(timed.out.find("us a game"), std::string::npos) << timed.out;
    EXPECT_NE(timed.out.find("\n  all rules "), std::string::npos) << timed.out;
    // There are rows of rules; the machine decides which ones differ most.
    EXPECT_TRUE(
        std::regex_search(timed.out, std::regex("\n  (setup|moves|play|hold-out|score)[./]")))
        << timed.out;
    const Ran markdown =
        run_in_process({"compare", "life", "life:torus", "--games", "4", "--metric", "length",
                        "--format", "markdown", "--no-costs"});
    EXPECT_TRUE(markdown.out.starts_with("```\n")) << markdown.out;
    EXPECT_NE(markdown.out.find("| metric | A | B |"), std::string::npos) << markdown.out;
}

TEST_F(CompareCommands, an_option_is_a_revision_too) {
    const Ran ran = run_in_process({"compare", "oldmaid", "--set-b", "draw_from=previous",
                                    "--games", "200", "--json", "--no-costs"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json answer = json::parse(ran.out);
    EXPECT_EQ(answer["b"], "oldmaid with draw_from=previous");
    EXPECT_EQ(answer["rules"]["parts"][0]["after"], "\"previous\"");
}

TEST_F(CompareCommands, agents_are_compared_against_the_same_opponents) {
    const Ran ran = run_in_process({"compare", "belote", "--agent-a", "rules:naive", "--agent-b",
                                    "rules:table", "--games", "60", "--json", "--no-costs"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json answer = json::parse(ran.out);
    EXPECT_EQ(answer["a"], "rules:naive");
    EXPECT_GT(answer["rules"]["rules"].size(), 5U);
    const json win = metric(answer, "win", "agent");
    EXPECT_GT(win["a"]["value"], 0.5) << "even a beginner beats chance";
    EXPECT_GT(win["b"]["value"], 0.5);
    EXPECT_EQ(win["difference"]["value"].get<double>(),
              win["b"]["value"].get<double>() - win["a"]["value"].get<double>());
}

TEST_F(CompareCommands, the_same_twice_is_said_to_be_identical) {
    const Ran ran = run_in_process({"compare", "life", "life:rules"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "life and life:rules are identical: nothing to play\n");
    const Ran agents = run_in_process(
        {"compare", "belote", "--agent-a", "random", "--agent-b", "random", "--json"});
    EXPECT_EQ(json::parse(agents.out)["identical"], true);
}

TEST_F(CompareCommands, what_decisions_took_is_kept_with_the_answer) {
    const std::vector<std::string> agents = {"compare",   "belote",      "--agent-a", "rules:naive",
                                             "--agent-b", "rules:table", "--games",   "8",
                                             "--out",     path("agents")};
    ASSERT_EQ(run_in_process(agents).code, 0);
    std::vector<std::string> rows = lines(text("agents/times.csv"));
    ASSERT_EQ(rows.size(), 1U + 2 * 2 * 4) << text("agents/times.csv");
    EXPECT_TRUE(rows[0].starts_with("variant,agent,seat,player,decisions,measured,mean_ns,"));
    EXPECT_TRUE(rows[1].starts_with("rules:naive,agent,0,A,")) << rows[1];
    EXPECT_TRUE(rows[5].starts_with("rules:naive,random,0,A,")) << rows[5];
    EXPECT_TRUE(rows[9].starts_with("rules:table,agent,0,A,")) << rows[9];
    ASSERT_EQ(run_in_process({"ablate", "belote", "--agent", "rules:naive", "--games", "8", "--out",
                              path("rules")})
                  .code,
              0);
    const std::string rules = text("rules/times.csv");
    EXPECT_TRUE(contains(rules, "\nall rules,rules:naive,0,A,")) << rules;
    EXPECT_TRUE(contains(rules, "\nwithout choose.take,rules:naive,0,A,")) << rules;
    ASSERT_EQ(run_in_process({"report", path("agents"), path("rules")}).code, 0);
    std::vector<std::string> without = agents;
    without.back() = path("without");
    without.emplace_back("--no-costs");
    ASSERT_EQ(run_in_process(without).code, 0);
    EXPECT_FALSE(std::filesystem::exists(path("without/times.csv")));
    std::string altered = text("without/compare.json");
    altered.replace(altered.find("\"games\": "), 10, "\"games\": 1");
    write("without/compare.json", altered);
    refuses({"report", path("without")}, "checksum: the file was altered since it was written");
}

TEST_F(CompareCommands, what_cannot_be_compared_is_named) {
    refuses({"compare", "oldmaid", "oldmaid:two"},
            "oldmaid seats A, B, C, D, and oldmaid:two A, B: only games of the same seats");
    refuses({"compare", "life", "life:tours"}, "did you mean 'torus'?");
    refuses({"compare", "life", "life:torus", "--metric", "lenght"}, "did you mean 'length'?");
    refuses({"compare", "life", "life:torus", "--margin", "lenght=2"}, "did you mean 'length'?");
    refuses({"compare", "life", "life:torus", "--margin", "-1"}, "is not a number from 0 up");
    refuses({"compare", "life"}, "one game cannot be compared with itself");
    refuses({"compare", "life", "life:torus", "life:axiom"}, "two games are compared, and 3");
    refuses({"compare", "life", "life:torus", "--against", "random"}, "--agents plays both");
    refuses({"compare", "life", "--agent-a", "random"}, "--agent-a and --agent-b go together");
    refuses({"compare", "life", "life:torus", "--agent-a", "random", "--agent-b", "rules:greedy"},
            "two agents are compared in one game");
    refuses({"compare", "life", "life:torus", "--games", "0"}, "--games:1:1: error[E0806]");
}

constexpr const char* kNimAgent = R"({"game": "nim", "choose": [
    {"name": "good",
     "condition": {"moves": {"$K": true}, "view": {"pile": "$N"}, "_": "($N - $K) % 3 == 0"},
     "action": {"prefer": {"$K": 1}}},
    {"name": "never", "condition": {"view": {"pile": "> 1000"}, "moves": {"$K": true}},
     "action": {"prefer": {"$K": 2}}},
    {"condition": {"moves": {"1": true}}, "action": {"prefer": {"1": 0}}}]})";

// The winning strategy of nim is one rule; another never fires, the last is weaker than chance.
TEST_F(CompareCommands, ablation_finds_the_rule_that_wins) {
    const std::string agent = "rules:" + write("nim.json", kNimAgent);
    const std::vector<std::string> command = {"ablate",  "nim", "--games-folder", "games/testing",
                                              "--agent", agent, "--against",      "random",
                                              "--games", "400", "--json"};
    std::vector<std::string> without = command;
    without.emplace_back("--no-costs");
    const Ran ran = run_in_process(without);
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json answer = json::parse(ran.out);
    ASSERT_EQ(answer["rules"].size(), 3U);
    EXPECT_EQ(answer["corrected_for"], 2);
    EXPECT_EQ(answer["rules"][0]["rule"], "good");
    EXPECT_EQ(answer["rules"][0]["verdict"], "higher");
    EXPECT_GT(answer["rules"][0]["score"]["low"], 0.1);
    for (const json& rule : answer["rules"]) {
        EXPECT_EQ(rule.count("ns_a_decision"), 0U);
        if (rule["rule"] != "never") continue;
        // 200 deals without a difference are enough, however many rules there are.
        EXPECT_EQ(rule["verdict"], "equivalent");
        EXPECT_NEAR(rule["equivalence_p"], std::pow(0.98, 200), 1e-9);
        EXPECT_EQ(rule["alike"], answer["blocks"]);
    }
    for (const char* threads : {"1", "3"}) {
        std::vector<std::string> again = without;
        again.insert(again.end(), {"--threads", threads});
        EXPECT_EQ(run_in_process(again).out, ran.out);
    }
    const json timed = json::parse(run_in_process(command).out);
    for (const json& rule : timed["rules"])
        EXPECT_GE(rule["ns_a_decision"], 0) << rule;
}

TEST_F(CompareCommands, ablation_against_itself_begins_at_one_half) {
    const Ran ran = run_in_process({"ablate", "belote", "--agent", "rules:naive", "--games", "20",
                                    "--no-costs", "--format", "csv"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.out.find("\nablate,rules:naive,,games,20,,,\n"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("\nrule,take,choose,elo,"), std::string::npos) << ran.out;
}

TEST_F(CompareCommands, agents_without_rules_have_none_to_switch_off) {
    refuses({"ablate", "belote", "--agent", "random"},
            "--agent random: random has no rules that could be switched off");
    refuses({"ablate", "belote", "--agent", "rulse:x"}, "did you mean 'rules'?");
    refuses({"ablate", "belote", "--agent", "rules:tabel"},
            "there is no agent rules:tabel for belote (did you mean 'table'?); known: counting");
    refuses({"ablate", "life", "--agent",
             "rules:" + write("none.json", R"({"game": "life", "choose": []})")},
            "it has no rules to switch off");
    refuses({"ablate", "belote", "--agent", "rules:naive", "--margin", "2"}, "--margin 2");
}

// A sweep of two points is a comparison: it tells the same differences.
TEST_F(CompareCommands, a_sweep_tells_what_compare_tells) {
    const std::vector<std::string> play = {"--agents",   "rules:naive,rules:counting",
                                           "--games",    "400",
                                           "--no-costs", "--json",
                                           "--playouts", "8",
                                           "--coverage", "16"};
    const auto answer_of = [&](std::vector<std::string> command) {
        command.insert(command.end(), play.begin(), play.end());
        const Ran ran = run_in_process(command);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return json::parse(ran.out);
    };
    const json compared = answer_of({"compare", "belote", "--set-b", "annonces=off"});
    const json swept = answer_of({"sweep", "belote", "--vary", "annonces=on,off"});
    ASSERT_EQ(swept["points"].size(), 2U);
    EXPECT_EQ(swept["points"][1]["values"]["annonces"], "off");
    EXPECT_EQ(swept["games"], 800);
    std::size_t alike = 0;
    for (const json& row : swept["points"][1]["metrics"]) {
        if (row["metric"] == "seats" || row["metric"] == "roles" || row["metric"] == "skill")
            continue;
        const json same = metric(compared, row["metric"], row["of"]);
        EXPECT_EQ(row["difference"], same["difference"]) << row;
        EXPECT_EQ(row["value"], same["b"]) << row;
        ++alike;
    }
    EXPECT_EQ(alike, compared["metrics"].size());
    EXPECT_NE(metric(compared, "settled")["a"]["value"], nullptr);
    EXPECT_GT(metric(compared, "leads")["a"]["value"], 0);
}

// The rules that fired are those that a run of the same deals tells.
TEST_F(CompareCommands, a_sweep_tells_how_many_rules_have_fired) {
    const std::vector<std::string> sweep = {
        "sweep", "belote",     "--vary", "annonces=on,off", "--agents", "random", "--games",
        "60",    "--coverage", "10",     "--no-costs",      "--out",    path("a")};
    const Ran ran = run_in_process(sweep);
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(contains(ran.out, "rules fired")) << ran.out;
    const json answer = json::parse(text("a/sweep.json"));
    std::vector<std::uint64_t> fired;
    for (const char* annonces : {"annonces=on", "annonces=off"}) {
        const Ran run = run_in_process({"run", "--game", "belote", "--set", annonces, "--agents",
                                        "random", "--blocks", "10", "--coverage", "--json"});
        const json coverage = json::parse(run.out)["costs"]["coverage"];
        const json& point = answer["points"][fired.size()];
        fired.push_back(point["rules"].get<std::uint64_t>() - coverage["never_tried"].size() -
                        coverage["never_matched"].size());
        EXPECT_EQ(point["rules_fired"], fired.back()) << coverage;
        EXPECT_GT(metric(point, "coverage")["value"]["value"], 0);
        EXPECT_LT(metric(point, "coverage")["value"]["value"].get<double>() *
                      point["rules"].get<double>(),
                  static_cast<double>(fired.back()))
            << "no game has them all";
    }
    EXPECT_GT(fired[0], fired[1]) << "some rules are for announcements only";
    const Ran csv = run_in_process({"report", path("a"), "--format", "csv"});
    EXPECT_TRUE(contains(csv.out, fmt::format("1,on,rules_fired,,30,60,{},,,,,,,,,", fired[0])))
        << csv.out;
    EXPECT_EQ(run_in_process({"report", path("a")}).out, ran.out);
    refuses({"sweep", "belote", "--vary", "annonces", "--seek", "coverage=most"},
            "needs --coverage");
}

// One of nine targets that a match is played to is near the length that is sought.
TEST_F(CompareCommands, a_sweep_gives_up_points_and_resumes_to_the_same_bytes) {
    const auto command = [&](const std::string& folder) {
        return std::vector<std::string>{
            "sweep",    "belote", "--set",   "match=target", "--vary",    "target=100..900/100",
            "--agents", "random", "--games", "512",          "--seek",    "length=100",
            "--metric", "draws",  "--out",   path(folder),   "--no-costs"};
    };
    const Ran whole = run_in_process(command("a"));
    ASSERT_EQ(whole.code, 0) << whole.err;
    EXPECT_TRUE(contains(whole.out, "given up")) << whole.out;
    const json answer = json::parse(text("a/sweep.json"));
    std::set<std::uint64_t> blocks;
    for (const json& point : answer["points"])
        blocks.insert(point["blocks"].get<std::uint64_t>());
    EXPECT_GE(blocks.size(), 2U) << whole.out;
    EXPECT_EQ(*blocks.rbegin(), 256U);
    // Killed within a round, right after one, and in the last one.
    const std::string rows = text("a/games.csv");
    for (const int kept : {20, 32, 200}) {
        const std::string folder = fmt::format("cut{}", kept);
        write(folder + "/asked.json", text("a/asked.json"));
        keep_blocks("a", folder, kept, results::Journal::of_comparison());
        const Ran resumed = run_in_process({"resume", path(folder)});
        EXPECT_EQ(resumed.code, 0) << resumed.err;
        EXPECT_EQ(resumed.out, whole.out);
        EXPECT_EQ(text(folder + "/games.csv"), rows);
    }
    // All of it can be told again, as a page, too.
    const Ran told = run_in_process({"report", path("a")});
    EXPECT_EQ(told.out, whole.out);
    EXPECT_EQ(run_in_process({"report", path("a"), "--html", path("a.html")}).code, 0);
    EXPECT_TRUE(contains(text("a.html"), "a sweep of 9 points"));
    const Ran csv = run_in_process({"report", path("a"), "--format", "csv"});
    EXPECT_EQ(lines(csv.out).size(), 1 + 9 * answer["metrics"].size());
    EXPECT_TRUE(csv.out.starts_with("point,target,metric,of,blocks,games,value,error,low,high,"));
    refuses({"report", path("a"), path("a"), "--format", "csv"}, "report it alone");
    std::string damaged = text("a/sweep.json");
    damaged.replace(damaged.find("given_up"), 8, "given_in");
    write("b/sweep.json", damaged);
    refuses({"report", path("b")}, "damaged");
    refuses(command("a"), "holds sweep.json already");
}

TEST_F(CompareCommands, a_sweep_names_the_point_that_cannot_be_played) {
    refuses({"sweep", "belote", "--vary", "capot_points=252,300"}, "point 2 (capot_points=300)");
    refuses({"sweep", "belote", "coinche", "--vary", "fail_points=162,160"},
            "point 3 (game=coinche, fail_points=162)");
    refuses({"sweep", "belote", "life"}, "only games of the same seats");
    refuses(
        {"sweep", "belote", "--lineup", "random,random", "--lineup", "random,rules:naive,random"},
        "it has 3 agents");
    refuses({"sweep", "belote", "--vary", "anonces"}, "did you mean 'annonces'");
    refuses({"sweep", "belote", "--vary", "target"}, "which values?");
    refuses({"sweep", "belote", "--vary", "annonces", "--set", "annonces=on"},
            "annonces is varied");
    refuses({"sweep", "belote", "--vary", "annonces", "--seek", "settled=least"},
            "needs --playouts");
    refuses({"sweep", "belote", "--vary", "annonces", "--agents", "random", "--lineup", "random"},
            "name one of both");
    const Ran ran =
        run_in_process({"sweep", "belote", "--vary", "annonces", "--games", "20", "--lineup",
                        "random", "--lineup", "rules:naive,random", "--no-costs", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json answer = json::parse(ran.out);
    EXPECT_EQ(answer["agents"], (json{"agent1", "agent2"})) << "parts that others play elsewhere";
    EXPECT_EQ(answer["points"].size(), 4U);
    EXPECT_EQ(answer["effects"].size(), 2U);
    EXPECT_EQ(answer["interactions"].size(), 1U);
}

} // namespace
} // namespace croupier::cli
