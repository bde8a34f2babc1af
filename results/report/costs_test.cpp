// Costs in every format of a report, and as `croupier profile` shows them.
#include "results/report/costs.h"

#include "results/costs/testing.h"
#include "results/report/profile_view.h"
#include "results/report/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace croupier::results {
namespace {

using nlohmann::json;

RunFacts facts_of_run() {
    RunFacts facts;
    facts.game = "cards";
    facts.players = {"A", "B"};
    facts.agents = {"random", "good"};
    return facts;
}

CostReport example_costs(ProfileMode mode = ProfileMode::Full) {
    CostsByHand made(mode);
    made.rule("lead", {.tried = 40,
                       .passed = 30,
                       .matches = 60,
                       .firings = 60,
                       .match_ns = 100,
                       .act_ns = 50,
                       .total_ns = 200});
    made.entry("\"turn\": \"$P\"", 0, 40, 40, 10);
    made.entry("\"hand\": {\"$C\": true}", 0, 40, 60, 20);
    made.entry("\"$C\": true", 1, 40, 60, 70);
    made.rule("idle", {});
    made.rule(
        "weigh",
        {.tried = 5, .passed = 5, .matches = 5, .firings = 5, .match_ns = 350, .total_ns = 350}, 1);
    made.costs.table.add_game(9);
    made.costs.table.add_game(9);
    made.costs.table.add(
        {{}, {.tried = mode == ProfileMode::Full ? 20u : 5u, .matches = 1000, .match_ns = 2000}});
    made.costs.table.add({{kNothing, {}, kNothing, 3}, {.match_ns = 500}}); // the harness
    return {made.costs, true, false, {}};
}

Report report_with(CostReport costs) {
    Report report;
    report.summary.facts = facts_of_run();
    report.costs = std::move(costs);
    return report;
}

TEST(cost_report, a_table_has_the_dearest_first_and_adds_up_to_all_of_the_games) {
    const std::string text = render(report_with(example_costs()), Format::Table);
    EXPECT_TRUE(contains(
        text, "rule costs\n"
              "  rule           tried  matches  firings  ns a game    share          95 %  rank\n"
              "  good: weigh        5        5        5        350   35.0 %  [32.1, 38.0]     1\n"
              "  lead              40       60       60        150   15.0 %  [12.9, 17.3]     2\n"
              "  (schedules,                                   500   50.0 %  [46.9, 53.1]\n"
              "  else around\n"
              "  games)\n"
              "  (all)                                        1000  100.0 %\n"
              "  All 20 steps of 2 games were watched, so counts are exact.\n"))
        << text;
    EXPECT_TRUE(contains(text, "Shares of the CPU time of the games, 1.0 us each, by what 1000"))
        << text;
    EXPECT_TRUE(contains(text, "  phase  player  tried  matches  firings\n"
                               "  play   A          45       65       65\n"))
        << text;
    const std::string sampled =
        render(report_with(example_costs(ProfileMode::Sample)), Format::Table);
    EXPECT_TRUE(contains(sampled, "Counts are of a sample: 5 of 20 steps"));
}

TEST(cost_report, what_ticks_cannot_tell_apart_has_one_rank) {
    CostsByHand made;
    const auto rule = [&](const char* name, std::uint64_t ns) {
        made.rule(name, {.tried = 1, .match_ns = ns, .total_ns = ns});
    };
    rule("first", 400);
    rule("second", 105);
    rule("third", 100);
    rule("last", 10);
    made.costs.table.add({{}, {.tried = 4, .matches = 615, .match_ns = 615}});
    made.costs.table.add_game(3);
    std::vector<std::pair<std::size_t, bool>> ranks;
    for (const RankedRule& each : ranked_rules(made.costs, true))
        ranks.emplace_back(each.rank, each.tied);
    EXPECT_EQ(ranks, (std::vector<std::pair<std::size_t, bool>>{
                         {1, false}, {2, true}, {2, true}, {4, false}}));
}

TEST(cost_report, a_run_that_is_too_short_has_no_table_of_noise) {
    CostsByHand made;
    made.rule("lead", {.tried = 7, .match_ns = 900, .total_ns = 900});
    made.costs.table.add_game(3);
    made.costs.table.add({{}, {.tried = 4, .matches = 96, .match_ns = 900}});
    const CostReport report{made.costs, true, false, {}};
    const std::string text = render(report_with(report), Format::Table);
    EXPECT_TRUE(contains(text, "Too few ticks of CPU time for times: 96 ticks, 385 needed"))
        << text;
    EXPECT_FALSE(contains(text, "share")) << text;
    const json times = json::parse(render(report_with(report), Format::Json))["costs"]["times"];
    EXPECT_EQ(times["ticks"], 96);
    EXPECT_EQ(times["needed"], 385);
    EXPECT_FALSE(times.contains("rules"));
}

TEST(cost_report, a_run_that_is_too_short_says_how_many_games_are_not) {
    CostsByHand made(ProfileMode::Sample);
    made.rule("lead", {.tried = 7});
    made.costs.table.add({{}, {.tried = 4, .matches = 17, .match_ns = 900}});
    for (int game = 0; game < 10'000; ++game)
        made.costs.table.add_game(3);
    const std::string notes = cost_notes({made.costs, true, false, {}}).back();
    EXPECT_EQ(notes, "Too few ticks of CPU time for times: 17 ticks, 385 needed for 5 %; about "
                     "300000 games give enough, or use croupier profile GAME --seconds 10.");
}

TEST(cost_report, without_times_rules_that_never_matched_are_last) {
    CostsByHand made;
    made.rule("vain", {.tried = 90});
    made.rule("rare", {.tried = 40, .passed = 1, .matches = 1});
    made.rule("often", {.tried = 40, .passed = 9, .matches = 9});
    EXPECT_EQ(dearest_first(made.costs, false), (std::vector<std::uint32_t>{2, 1, 0}));
}

TEST(cost_report, what_no_rule_does_is_told_by_its_parts_the_dearest_first) {
    CostsByHand made;
    const auto add = [&](Outside where, std::uint64_t ns) {
        made.costs.table.add(
            {{kNothing, {}, kNothing, static_cast<std::uint32_t>(where)}, {.match_ns = ns}});
    };
    add(Outside::Game, 5);
    add(Outside::Moves, 300);
    add(Outside::View, 690);
    add(Outside::Rows, 5);
    made.costs.table.add({{}, {.matches = 1000}});
    using Parts = std::vector<std::pair<std::string, std::uint64_t>>;
    EXPECT_EQ(outside_parts(made.costs.table),
              (Parts{{"(views made)", 690}, {"(legal moves read)", 300}, {"(else)", 10}}));
}

TEST(cost_report, shared_work_is_marked) {
    CostsByHand made;
    made.rule("lead", {.tried = 7, .match_ns = 500, .total_ns = 500, .shared_ns = 100});
    made.rule("follow", {.tried = 7, .match_ns = 500, .total_ns = 500, .shared_ns = 10});
    made.costs.table.add_game(3);
    made.costs.table.add({{}, {.tried = 4, .matches = 1000, .match_ns = 900}});
    const std::string text = render(report_with({made.costs, true, false, {}}), Format::Table);
    EXPECT_TRUE(contains(text, "50.0 % *")) << text;
    EXPECT_TRUE(contains(text, "50.0 %  ")) << text;
    EXPECT_TRUE(contains(text, "* Part of it is work that several rules share")) << text;
}

TEST(cost_report, why_there_are_no_costs_is_said_plainly) {
    CostReport report = example_costs();
    report.costs.facts.mode = ProfileMode::Off;
    EXPECT_TRUE(contains(render(report_with(report), Format::Table), "--profile off"));
    report = example_costs();
    report.costs.facts.rules.clear();
    EXPECT_TRUE(contains(render(report_with(report), Format::Markdown), "No rules ran"));
    report = example_costs(ProfileMode::Sample);
    report.costs.table.set_extent(1, 3, 0);
    report.costs.table.set_time(0, 0);
    EXPECT_TRUE(contains(render(report_with(report), Format::Table),
                         "No step was watched: a sample of 3 steps has none of them"));
    report = example_costs();
    report.missing = "Not known: lost.";
    EXPECT_TRUE(contains(render(report_with(report), Format::Table), "Not known: lost."));
    EXPECT_EQ(json::parse(render(report_with(report), Format::Json))["costs"]["missing"],
              "Not known: lost.");
}

TEST(cost_report, json_without_times_is_counts_alone) {
    CostReport report = example_costs();
    json costs = json::parse(render(report_with(report), Format::Json))["costs"];
    EXPECT_EQ(costs["profile"], "full");
    EXPECT_EQ(costs["watched"], 20);
    ASSERT_EQ(costs["rows"].size(), 2u);
    EXPECT_EQ(costs["rows"][0]["name"], "lead");
    EXPECT_EQ(costs["rows"][0]["player"], "A");
    EXPECT_EQ(costs["rows"][1]["owner"], "good");
    ASSERT_EQ(costs["times"]["rules"].size(), 2u);
    EXPECT_EQ(costs["times"]["rules"][0]["owner"], "good");
    EXPECT_DOUBLE_EQ(costs["times"]["rules"][0]["share"], 0.35);
    EXPECT_EQ(costs["times"]["rules"][1]["match_ns"], 100);
    EXPECT_EQ(costs["times"]["outside"][3]["name"], "harness");
    EXPECT_DOUBLE_EQ(costs["times"]["outside"][3]["ns_per_game"], 500);
    report.has_times = false;
    costs = json::parse(render(report_with(report), Format::Json))["costs"];
    EXPECT_FALSE(contains(costs.dump(), "_ns"));
    EXPECT_EQ(costs["rows"][0]["firings"], 60);
}

TEST(cost_report, csv_has_a_row_for_each_number) {
    const std::string text = render(report_with(example_costs()), Format::Csv);
    EXPECT_TRUE(contains(text, "profile,full,,watched,20,,,\n"));
    EXPECT_TRUE(contains(text, "rule,play.lead,cards,self_ns_per_game,150,,,\n"));
    EXPECT_TRUE(contains(text, "rule,play.weigh,good,matches,5,,,\n"));
    EXPECT_TRUE(contains(text, "rule,play.idle,cards,tried,0,,,\n"));
}

TEST(cost_report, coverage_names_what_never_happened) {
    CostReport report = example_costs();
    report.coverage = true;
    report.costs.facts.options = {{"target", "3", {{1, kNothing}}}, {"deck", "\"\"", {}}};
    const std::string text = render(report_with(report), Format::Table);
    EXPECT_TRUE(contains(text, "  never tried: idle\n  options never looked at: target\n"
                               "  options that no rule reads: deck\n"))
        << text;
    const json coverage =
        json::parse(render(report_with(report), Format::Json))["costs"]["coverage"];
    EXPECT_EQ(coverage["never_tried"], json{"idle"});
    EXPECT_EQ(coverage["options_never_looked_at"], json{"target"});
}

TEST(cost_report, a_name_that_comes_twice_is_told_with_its_group) {
    CostsByHand made;
    made.rule("end", {.tried = 1});
    made.rule("end", {.tried = 1});
    made.rule("end", {.tried = 1}, 0);
    made.costs.facts.rules[1].group = "score";
    const auto title = [&](std::uint32_t rule) {
        return rule_title(made.costs.facts, rule, facts_of_run());
    };
    EXPECT_EQ(title(0), "play.end");
    EXPECT_EQ(title(1), "score.end");
    EXPECT_EQ(title(2), "random: end");
}

// ---- croupier profile ---------------------------------------------------------------------------

TEST(profile_view, counts_alone_are_the_same_every_time) {
    CostReport report = example_costs();
    report.has_times = false;
    EXPECT_EQ(profile_text(report, facts_of_run(), {.times = false}),
              "All 20 steps of 2 games were watched, so counts are exact.\n"
              "\n"
              "rule         tried  passed  matches  firings\n"
              "lead            40      30       60       60\n"
              "good: weigh      5       5        5        5\n"
              "\n"
              "lead (rules.json:1:1)\n"
              "     tried    passed  condition\n"
              "        40        40  \"turn\": \"$P\"\n"
              "        40        60  \"hand\": {\"$C\": true}\n"
              "        40        60    \"$C\": true\n"
              "\n"
              "never tried\n"
              "  idle\n");
}

// Without times, nothing may depend on them, not even the order.
TEST(profile_view, counts_alone_are_in_an_order_that_times_do_not_change) {
    CostsByHand made;
    made.rule("first", {.tried = 7, .match_ns = 1});
    made.rule("second", {.tried = 7, .match_ns = 900});
    made.costs.table.add({{}, {.tried = 1}});
    const std::string text =
        profile_text({made.costs, false, false, {}}, facts_of_run(), {.times = false});
    EXPECT_LT(text.find("first"), text.find("second")) << text;
}

TEST(profile_view, one_rule_is_shown_alone_with_shares_of_its_entries) {
    const std::string text = profile_text(example_costs(), facts_of_run(), {.rule = 0});
    EXPECT_TRUE(contains(text, "lead (rules.json:1:1): match 10.0 %, act 5.0 %\n"
                               "     tried    passed   share  condition\n"
                               "        40        40  10.0 %  \"turn\": \"$P\"\n"))
        << text;
    EXPECT_FALSE(contains(text, "weigh"));
    EXPECT_FALSE(contains(text, "never tried"));
}

TEST(profile_view, few_ticks_of_a_rule_are_explained) {
    const char* const note =
        "\"-\": fewer than 97 ticks have found the rule's search, or the code;";
    EXPECT_FALSE(contains(profile_text(example_costs(), facts_of_run(), {.rule = 0}), note));
    CostReport report = example_costs();
    report.costs.table.add({{kNothing, {}, kNothing, 3}, {.match_ns = 1000}});
    const std::string text = profile_text(report, facts_of_run(), {.rule = 0});
    EXPECT_TRUE(contains(text, "        40        40       -  \"turn\": \"$P\"\n")) << text;
    EXPECT_TRUE(contains(text, note)) << text;
}

HotCode example_code() {
    HotCode code;
    code.rules = {0};
    const auto add = [&](const char* text, std::uint64_t ns = 0, std::uint32_t entry = kNothing) {
        code.lines.push_back({text, text[0] == ' ', ns, entry});
        code.ns += ns;
    };
    add("; rule lead {");
    add("    mov eax, 1");
    add("    mov eax, 2");
    add("; test turn");
    add("    cmp eax, ebx", 120, 0);
    add("    jne L1", 0, 0);
    add("L2:");
    add("    mov eax, 3");
    add("    mov eax, 4");
    add("    mov eax, 5");
    add("    call rcx", 30, 1);
    return code;
}

TEST(profile_view, code_has_ticks_and_entries_beside_its_instructions) {
    ProfileView view;
    view.code = {example_code()};
    const std::string text = profile_text(example_costs(), facts_of_run(), view);
    const auto line = [&](const std::string& margin, const std::string& code,
                          const std::string& entry = "") {
        std::string made = margin + std::string(20 - margin.size(), ' ') + code;
        if (!entry.empty()) made += std::string(70 - made.size(), ' ') + entry;
        return made + "\n";
    };
    EXPECT_TRUE(
        contains(text, "\nmachine code of lead: 150 ticks, 15.0 %\n" +
                           line("     ticks   share", "instruction", "condition") +
                           line("", "(1 instruction without ticks)") + line("", "    mov eax, 2") +
                           line("", "; test turn") +
                           line("       120  80.0 %", "    cmp eax, ebx", "\"turn\": \"$P\"") +
                           line("", "    jne L1") + line("", "L2:") +
                           line("", "(1 instruction without ticks)") + line("", "    mov eax, 4") +
                           line("", "    mov eax, 5") +
                           line("        30  20.0 %", "    call rcx", "\"hand\": {\"$C\": true}")))
        << text;
    view.code[0].ns = 96; // of 1000 ticks
    view.code[0].agent = 1;
    view.code[0].rules.clear();
    for (HotCode::Line& each : view.code[0].lines)
        each.entry = kNothing;
    const std::string few = profile_text(example_costs(), facts_of_run(), view);
    EXPECT_TRUE(contains(few, "\nmachine code of good: between rules: 96 ticks, 9.6 %\n")) << few;
    EXPECT_TRUE(contains(few, line("       120       -", "    cmp eax, ebx"))) << few;
    EXPECT_TRUE(contains(few, "\"-\": fewer than 97 ticks")) << few;
}

TEST(profile_view, says_what_the_processor_counts_or_that_it_cannot) {
    ProfileView view;
    EXPECT_TRUE(
        contains(profile_text(example_costs(), facts_of_run(), view),
                 "The processor's counters of instructions and cycles cannot be read here.\n"));
    EXPECT_TRUE(json::parse(profile_json(example_costs(), facts_of_run()))["hardware"].is_null());
    view.hardware = {4000, 3000, 12.5, 0.25};
    view.width = 200;
    EXPECT_TRUE(contains(profile_text(example_costs(), facts_of_run(), view),
                         "The processor counts 4000 instructions a game and 3000 cycles, 0.75 for "
                         "an instruction; 12.5 branch misses and 0.2 cache misses.\n"));
    EXPECT_EQ(json::parse(profile_json(example_costs(), facts_of_run(), view))["hardware"],
              json({{"instructions", 4000.0},
                    {"cycles", 3000.0},
                    {"branch_misses", 12.5},
                    {"cache_misses", 0.25}}));
    view.times = false;
    EXPECT_FALSE(contains(profile_text(example_costs(), facts_of_run(), view), "processor"));
}

TEST(profile_view, json_has_every_line_of_code) {
    ProfileView view;
    view.code = {example_code()};
    const json all = json::parse(profile_json(example_costs(), facts_of_run(), view));
    const json& code = all["code"][0];
    EXPECT_EQ(code["name"], "lead");
    EXPECT_EQ(code["rules"], json::array({0}));
    EXPECT_EQ(code["self_ns"], 150);
    ASSERT_EQ(code["lines"].size(), 11u);
    EXPECT_EQ(code["lines"][4],
              json({{"text", "    cmp eax, ebx"}, {"self_ns", 120}, {"entry", 0}}));
    EXPECT_FALSE(code["lines"][1].contains("entry"));
}

TEST(profile_view, json_lists_entries_and_hints) {
    CostReport report = example_costs();
    report.costs.table.add({{1, Phase::Play, 0, kNothing}, {.tried = 50}});
    const json profile = json::parse(profile_json(report, facts_of_run()));
    ASSERT_EQ(profile["entries"].size(), 3u);
    EXPECT_EQ(profile["entries"][2]["text"], "\"$C\": true");
    EXPECT_EQ(profile["entries"][2]["self_ns"], 70);
    ASSERT_EQ(profile["hints"].size(), 1u);
    EXPECT_EQ(profile["hints"][0]["text"], "tried 50 times, never matched");
}

TEST(profile_stacks, folded_stacks_go_from_owner_to_entry) {
    EXPECT_EQ(folded_stacks(example_costs().costs, facts_of_run()),
              "cards;play;play.lead;\"turn\": \"$P\" 10\n"
              "cards;play;play.lead;\"hand\": {\"$C\": true} 20\n"
              "cards;play;play.lead;\"hand\": {\"$C\": true};\"$C\": true 70\n"
              "cards;play;play.lead;(acts) 50\n"
              "good;play;play.weigh 350\n"
              "(schedules, else around games) 500\n");
}

TEST(profile_stacks, speedscope_weights_add_up_to_the_end) {
    const json profile = json::parse(speedscope_json(example_costs().costs, facts_of_run()));
    const json& only = profile["profiles"][0];
    EXPECT_EQ(only["type"], "sampled");
    EXPECT_EQ(only["endValue"], 1000);
    ASSERT_EQ(only["samples"].size(), only["weights"].size());
    std::uint64_t sum = 0;
    for (const json& weight : only["weights"])
        sum += weight.get<std::uint64_t>();
    EXPECT_EQ(sum, 1000u);
    for (const json& sample : only["samples"])
        for (const json& frame : sample)
            EXPECT_LT(frame.get<std::size_t>(), profile["shared"]["frames"].size());
}

TEST(profile_stacks, a_chrome_trace_nests) {
    const json trace = json::parse(chrome_trace_json(example_costs().costs, facts_of_run()));
    double game = 0;
    double agent = 0;
    for (const json& event : trace["traceEvents"]) {
        EXPECT_EQ(event["ph"], "X");
        if (event["name"] == "cards") game = event["dur"];
        if (event["name"] == "good") agent = event["ts"];
    }
    EXPECT_DOUBLE_EQ(game, 0.15) << "microseconds";
    EXPECT_DOUBLE_EQ(agent, 0.15) << "the agent comes after the game";
}

} // namespace
} // namespace croupier::results
