// The exact texts of comparisons and ablations.
#include "results/report/compared.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace croupier::results {
namespace {

RevisionSummary example() {
    RevisionSummary summary;
    summary.name_a = "old";
    summary.name_b = "new";
    summary.seed = 3;
    summary.blocks = 50;
    summary.games = 100;
    summary.alike = 1;
    ChangeRow win;
    win.kind = MetricKind::Win;
    win.of = "A";
    win.under_a = {0.5, 0.05, 0.4, 0.6};
    win.under_b = {0.625, 0.05, 0.52, 0.72};
    win.difference = {0.125, 0.025, 0.076, 0.174};
    win.games_saved = 0.5;
    win.margin = 0.02;
    win.judgement = {Change::Higher, 0.0004, 1.0, {}};
    win.differing = 30;
    ChangeRow length;
    length.differing = 50;
    length.kind = MetricKind::Length;
    length.under_a = {20.0, 1.0, 18.0, 22.0};
    length.under_b = {20.5, 1.0, 18.5, 22.5};
    length.difference = {0.5, 0.5, -0.48, 1.48};
    length.judgement = {Change::Undecided, 0.64, {}, 392.0};
    length.games_to_decide = 784;
    ChangeRow draws;
    draws.kind = MetricKind::Draws;
    draws.under_a = draws.under_b = draws.difference = {0.0, {}, {}, {}};
    summary.rows = {win, length, draws};
    summary.corrected_for = 2;
    return summary;
}

AblationSummary ablation() {
    AblationSummary summary;
    summary.game = "belote";
    summary.agent = "rules:x";
    summary.against = {"random"};
    summary.seed = 1;
    summary.blocks = 10;
    summary.games = 20;
    summary.win_rate = {0.75, 0.05, 0.65, 0.83};
    summary.score = {0.75, 0.05, 0.652, 0.848};
    summary.margin = 0.02;
    summary.corrected_for = 1;
    WorthRow row;
    row.rule = {"choose", "cash", 250.0};
    row.win_rate = {0.1, 0.02, 0.061, 0.139};
    row.points = {12.0, 2.0, 8.1, 15.9};
    row.score = row.win_rate;
    row.elo = {75.0, 16.0, 43.6, 106.4};
    row.elo_per_us = {300, {}, 174.4, 425.6};
    row.judgement = {Change::Higher, 0.001, 1.0, {}};
    row.alike = 2;
    WorthRow idle;
    idle.rule = {"observe", "count", {}};
    idle.win_rate = idle.points = idle.score = idle.elo = {0.0, {}, {}, {}};
    idle.judgement.equivalence_p_value = 0.6;
    idle.games_to_decide = 298;
    idle.alike = 10;
    summary.rows = {row, idle};
    return summary;
}

TEST(report_compared, a_comparison_for_people) {
    EXPECT_EQ(table_text(sections_of(example()), 80),
              "A is old, B is new: 100 games of each in 50 deals, seed 3\n"
              "1 of 50 deals went the same way under both, move for move.\n"
              "\n"
              "what changes\n"
              "  metric       A       B  B - A            95 %       p  verdict\n"
              "  win A   50.0 %  62.5 %  +12.5   [+7.6, +17.4]  <0.001  higher\n"
              "  length   20.00   20.50  +0.50  [-0.48, +1.48]   0.640  undecided (790)\n"
              "  Not different in any deal, so at most 5.8 % of deals are (95 %, one-sided):\n"
              "  draws 0.0 %.\n"
              "  Intervals are uncorrected; verdicts and p are corrected for 2 metrics together\n"
              "  (Holm).\n"
              "  Undecided: in brackets the games of each that would give 80 % power at the\n"
              "  observed difference.\n"
              "  Equivalent: shown to differ by less than the margin (win 2 %).\n");
}

TEST(report_compared, text_and_programs_count_the_same_family) {
    RevisionSummary summary = example();
    ChangeRow other = summary.rows[0];
    other.of = "B";
    summary.rows.insert(summary.rows.begin() + 1, other);
    const std::string text = table_text(sections_of(summary), 200);
    EXPECT_NE(text.find("corrected for 2 metrics together (Holm); the wins of two sides, or of two "
                        "agents, are one metric."),
              std::string::npos)
        << text;
    EXPECT_EQ(json_of(summary)["corrected_for"], 2);
    EXPECT_NE(csv_of(summary).find("\ncompare,old,new,corrected_for,2,,,\n"), std::string::npos);
    summary.corrected_for = 0; // too few deals for any statement
    EXPECT_EQ(table_text(sections_of(summary), 200).find("Holm"), std::string::npos);
    EXPECT_EQ(json_of(ablation())["corrected_for"], 1);
}

TEST(report_compared, costs_are_told_only_if_they_were_measured) {
    RevisionSummary summary = example();
    EXPECT_EQ(json_of(summary).count("seconds_a_game"), 0U);
    summary.seconds_a = 2e-5;
    summary.seconds_b = 3e-5;
    const std::string text = table_text(sections_of(summary), 80);
    EXPECT_NE(text.find("A 20.0 us a game, B 30.0 us by the clock"), std::string::npos) << text;
    EXPECT_EQ(json_of(summary)["seconds_a_game"]["b"], 3e-5);
}

TEST(report_compared, a_comparison_for_programs) {
    const auto json = json_of(example());
    EXPECT_EQ(json["metrics"][0]["metric"], "win");
    EXPECT_EQ(json["metrics"][0]["verdict"], "higher");
    EXPECT_EQ(json["metrics"][1]["games_to_decide"], 784);
    EXPECT_TRUE(json["metrics"][1]["equivalence_p"].is_null());
    EXPECT_TRUE(json["metrics"][2]["of"].is_null());
    EXPECT_EQ(json["metrics"][2]["verdict"], "undecided") << "never the same";
    EXPECT_EQ(json["metrics"][2]["differing"], 0);
    const std::string csv = csv_of(example());
    EXPECT_NE(csv.find("\nwin,A,b-a,value,0.125,0.025,0.076,0.174\n"), std::string::npos) << csv;
    EXPECT_NE(csv.find("\nlength,,undecided,games_to_decide,784,,,\n"), std::string::npos) << csv;
}

TEST(report_compared, an_ablation_for_people_with_times_and_without) {
    const std::string timed = table_text(sections_of(ablation()), 100);
    EXPECT_NE(timed.find("cash"), std::string::npos);
    EXPECT_NE(timed.find("Elo/us"), std::string::npos) << timed;
    EXPECT_NE(timed.find("+300.0  [+174.4, +425.6]              helps"), std::string::npos)
        << timed;
    AblationSummary summary = ablation();
    summary.rows[0].rule.cost_ns.reset();
    EXPECT_EQ(table_text(sections_of(summary), 100),
              "belote: rules:x against random, 20 games with all rules and as many without each, "
              "in 10 deals, seed\n"
              "1\n"
              "With all rules: win rate 75.0 % [65.0, 83.0], block score 0.750 [0.652, 0.848].\n"
              "\n"
              "what each rule is worth\n"
              "  rule   in        wins           95 %  points    Elo             95 %          p  "
              "          verdict\n"
              "  cash   choose   +10.0  [+6.1, +13.9]  +12.00  +75.0  [+43.6, +106.4]      0.001   "
              "           helps\n"
              "  count  observe   +0.0      undefined   +0.00   +0.0        undefined  undefined  "
              "idle so far (300)\n"
              "  The agent with the rule over the agent without it, on the same deals: above 0, it "
              "helps. Wins in\n"
              "  percent of games; an idle rule has changed no move.\n"
              "  Undecided: in brackets the games of each that would give 80 % power at the "
              "observed difference.\n"
              "  Intervals are uncorrected; verdicts are on the block score, corrected for 1 rule "
              "together (Holm);\n"
              "  no matter: shown to be less than 0.02 of it.\n");
}

TEST(report_compared, an_ablation_for_programs) {
    const auto json = json_of(ablation());
    EXPECT_EQ(json["rules"][0]["rule"], "cash");
    EXPECT_EQ(json["rules"][0]["ns_a_decision"], 250);
    EXPECT_EQ(json["rules"][0]["elo"]["low"], 43.6);
    EXPECT_EQ(json["rules"][1].count("ns_a_decision"), 0U);
    const std::string csv = csv_of(ablation());
    EXPECT_NE(csv.find("\nrule,cash,choose,elo,75,16,43.6,106.4\n"), std::string::npos) << csv;
    EXPECT_NE(csv.find("\nrule,count,observe,p,,,,\n"), std::string::npos) << csv;
}

TEST(report_compared, rules_are_told_by_what_they_take_under_both) {
    RevisionSummary summary = example();
    summary.seconds_a = 2e-5;
    summary.seconds_b = 3e-5;
    summary.costs = {
        {"", "", "all rules", {}, 900.0, 1800.0, 2.0, CostChange::Verdict::Slower, 1.8, 2.2},
        {"nim", "play", "take", {}, 300.0, {}, {}, CostChange::Verdict::Gone, {}, {}}};
    const std::string text = table_text(sections_of(summary), 80);
    EXPECT_NE(text.find("  rule       A ns  B ns  ratio          95 %  in B\n"
                        "  all rules   900  1800   2.00  [1.80, 2.20]  slower\n"
                        "  play.take   300     -      -             -  gone\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(json_of(summary)["rule_costs"][1]["a_ns"], 300);
    EXPECT_TRUE(json_of(summary)["rule_costs"][1]["b_ns"].is_null());
    EXPECT_NE(csv_of(summary).find("\nrule,all rules,,ratio,2,,,\n"), std::string::npos);
}

TEST(report_compared, what_was_written_reads_back_the_same) {
    RevisionSummary summary = example();
    summary.seconds_a = 2e-5;
    summary.seconds_b = 3e-5;
    summary.costs = {{"nim", "play", "take", {}, 300.0, {}, {}, CostChange::Verdict::Gone, {}, {}}};
    const auto json = json_of(summary);
    RevisionSummary read;
    EXPECT_EQ(read_compared("x", json, read), std::nullopt);
    EXPECT_EQ(json_of(read), json);
    EXPECT_EQ(table_text(sections_of(read), 80), table_text(sections_of(summary), 80));
    EXPECT_EQ(kind_of_compared(json), "compare");
    const auto worths = json_of(ablation());
    AblationSummary again;
    EXPECT_EQ(read_compared("x", worths, again), std::nullopt);
    EXPECT_EQ(json_of(again), worths);
    EXPECT_EQ(kind_of_compared(worths), "ablate");
}

TEST(report_compared, what_cannot_be_read_back_says_why) {
    auto json = json_of(example());
    RevisionSummary read;
    json["format"] = 7;
    EXPECT_EQ(read_compared("c.json", json, read),
              "c.json: has format 7, and this program reads format 1");
    json["format"] = 1;
    json.erase("seed");
    EXPECT_EQ(read_compared("c.json", json, read), "c.json: is damaged: seed: is missing");
    json["seed"] = 1;
    json["metrics"][0]["a"]["low"] = "x";
    EXPECT_EQ(read_compared("c.json", json, read),
              "c.json: is damaged: metrics.0.a.low: expected a number, found \"x\"");
    EXPECT_FALSE(kind_of_compared(nlohmann::ordered_json::parse("{\"metrics\": []}")));
    EXPECT_FALSE(kind_of_compared(nlohmann::ordered_json::parse("3")));
}

} // namespace
} // namespace croupier::results
