// The whole page: it has each number of its chapters, and loads nothing from elsewhere.
#include "results/html/page.h"

#include "results/costs/testing.h"
#include "results/report/testing.h"
#include "results/statistics/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace croupier::results {
namespace {

bool has(const std::string& page, const std::string& part) {
    return page.find(part) != std::string::npos;
}

std::size_t count(const std::string& page, const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = page.find(part); at != std::string::npos; at = page.find(part, at + 1))
        ++times;
    return times;
}

RunChapter run_of(std::vector<std::string> agents, std::uint64_t blocks) {
    GameStandings standings(facts_of(2, std::move(agents)));
    for (std::uint64_t block = 0; block < blocks; ++block) {
        standings.add(game_of(block, 0, {{0, 1}, {1, 2}}));
        const std::uint32_t place = block % 4 == 0 ? 1 : 2;
        standings.add(game_of(block, 1, {{1, 3 - place}, {0, place}}, 1));
    }
    return {{"runs/x", {}, {}, {}, {}}, make_report(standings)};
}

Replay two_moves() {
    Replay replay;
    replay.block = 3;
    replay.game = 1;
    replay.why = "the longest";
    replay.seats = {"A: random"};
    replay.plies = 2;
    replay.ending = "over: A 1";
    ReplayFrame begin;
    const std::string board = R"("boards":[{"name":"board","rows":2,"columns":["a","b"],)"
                              R"("look":"stones","pieces":)";
    begin.scene = "{" + board + R"([[0,"B",0]]}]})";
    ReplayFrame first;
    first.player = "W";
    first.move = "b1";
    first.legal = 3;
    const std::string hand = R"({"name":"A","hand":0,"cards":[{"name":"7S","rank":"7"}]})";
    first.scene = "{" + board + R"([[0,"B",0],[1,"W",1]]}],"piles":[)" + hand + "]}";
    first.log = {"rule </script> fired"};
    first.refused = {"a1: place </script> gives b1"};
    ReplayFrame second = first;
    second.scene = "{" + board + R"([[1,"W",1],[3,"B",0]]}],"piles":[)" + hand + "," + hand + "]}";
    ReplayFrame third = second;
    third.scene = "{" + board + R"([[1,"W",1],[3,"B",0]]}]})";
    replay.frames = {begin, first, second, third};
    return replay;
}

nlohmann::json data_of(const std::string& page) {
    const std::string begin = "<script type=\"application/json\">";
    const std::size_t at = page.find(begin) + begin.size();
    return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
}

TEST(html, a_run_has_its_numbers_and_nothing_from_elsewhere) {
    const Chapter chapters[] = {run_of({"a<&\"b", "two"}, 40)};
    const std::string page = html_page(chapters);
    EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
    EXPECT_TRUE(has(page, "a&lt;&amp;&quot;b"));
    EXPECT_FALSE(has(page, "a<&"));
    EXPECT_TRUE(has(page, "62.5 %")) << "40 + 10 of 80 games";
    EXPECT_TRUE(has(page, "prefers-color-scheme: dark"));
    for (const char* outside : {"http:", "https:", "src=", "@import", "url("})
        EXPECT_FALSE(has(page, outside)) << outside;
    EXPECT_EQ(count(page, "<svg"), count(page, "</svg>"));
    EXPECT_EQ(count(page, "<div"), count(page, "</div>"));
    EXPECT_FALSE(has(page, "data-section=\"ratings\"")) << "two have a duel, no joint fit";
    EXPECT_TRUE(has(page, ">Head to head: a&lt;&amp;&quot;b against two</h2>"));
    EXPECT_FALSE(has(page.substr(0, page.rfind("<script>")), "undefined"));
    EXPECT_EQ(html_page(chapters), page);
}

TEST(html, three_agents_have_ratings) {
    GameStandings standings(facts_of(2, {"x", "y", "z"}));
    for (std::uint64_t block = 0; block < 30; ++block) {
        const auto first = static_cast<std::uint32_t>(block % 3);
        const std::uint32_t second = (first + 1) % 3;
        const std::uint32_t place = block % 2 == 0 ? 1 : 2;
        standings.add(game_of(block, 0, {{first, place}, {second, 3 - place}}));
    }
    const Chapter chapters[] = {RunChapter{{"runs/y", {}, {}, {}, {}}, make_report(standings)}};
    const std::string page = html_page(chapters);
    EXPECT_TRUE(has(page, "data-section=\"ratings\""));
    EXPECT_TRUE(has(page, "data-chart=\"ratings\" aria-label=\"Ratings with 95 % intervals\""));
}

TEST(html, costs_are_bars_and_flames) {
    RunChapter run = run_of({"one", "two"}, 2);
    CostsByHand costs;
    costs.rule("dear", {4, 2, 2, 2, 700, 200, 900});
    costs.rule("cheap", {4, 2, 2, 2, 100, 0, 100});
    costs.costs.table.set_extent(4, 8, 8);
    costs.costs.table.set_time(1000, 1000);
    run.report.costs = CostReport{costs.costs, true, false, {}};
    const Chapter chapters[] = {run};
    const std::string page = html_page(chapters);
    EXPECT_TRUE(has(page, ">225 ns</span>")) << "900 ns in 4 games";
    EXPECT_TRUE(has(page, ">90.0 % [88.0, 91.7]</span>"));
    EXPECT_TRUE(has(page, "play.dear: 90.0 %, 225 ns a game"));
    EXPECT_TRUE(has(page, "play.cheap: 10.0 %, 25 ns a game"));
}

TEST(html, names_of_rules_lead_to_their_texts) {
    RunChapter run = run_of({"one", "a<b"}, 2);
    CostsByHand costs;
    const Cost dear{4, 2, 2, 2, 700, 200, 900};
    costs.rule("outer", {});
    costs.rule("inner", dear);
    costs.costs.facts.rules.back().group = "outer/action";
    costs.rule("lead", dear, 1);
    costs.rule("long", dear);
    costs.rule("lost", dear);
    costs.rule("never", {});
    costs.rule("quiet", {});
    costs.costs.facts.options.push_back({"never", "1", {}});
    costs.costs.table.set_extent(4, 8, 8);
    costs.costs.table.set_time(1000, 1000);
    run.report.costs = CostReport{costs.costs, true, true, {}};
    std::string lines;
    for (int line = 1; line <= 75; ++line)
        lines += "line " + std::to_string(line) + ".\n";
    run.rule_texts = {"{outer}", "{</pre>}", "{lead}", lines + "end", "", "{never}", "{quiet}"};
    const Chapter chapters[] = {run};
    const std::string page = html_page(chapters);
    EXPECT_EQ(count(page, "<a href=\"#rule.game.outer_2Faction.inner\">inner</a>"), 2U)
        << "the chart and its table";
    EXPECT_EQ(count(page, "id=\"rule.game.outer_2Faction.inner\""), 1U);
    EXPECT_TRUE(has(page, "inside <a href=\"#rule.game.play.outer\">outer</a>"));
    EXPECT_TRUE(has(page, "<pre>{outer}</pre>")) << "shown for the rule inside it";
    EXPECT_TRUE(has(page, "<pre>{&lt;/pre&gt;}</pre>"));
    EXPECT_TRUE(has(page, "<a href=\"#rule.agent.a_3Cb.play.lead\">a&lt;b: lead</a>"));
    EXPECT_TRUE(has(page, "<code>rules.json:1:1</code>"));
    EXPECT_TRUE(has(page, "line 60.\n</pre>"));
    EXPECT_FALSE(has(page, "line 61."));
    EXPECT_TRUE(has(page, "The rest is left out: the rule has 76 lines and "));
    EXPECT_TRUE(has(page, ">lost</th>")) << "a name without a text is no link";
    EXPECT_TRUE(has(page, ">Never tried: <a href=\"#rule.game.play.outer\">outer</a>, "
                          "<a href=\"#rule.game.play.never\">never</a>, "));
    EXPECT_TRUE(has(page, ">Options that no rule reads: never</p>"));
    const Chapter two[] = {run, run};
    EXPECT_TRUE(has(html_page(two), "<a href=\"#chapter2-rule.game.play.long\">long</a>"));
    run.report.costs->coverage = false;
    const Chapter uncovered[] = {run};
    EXPECT_FALSE(has(html_page(uncovered), "{quiet}")) << "only rules that are named";
}

TEST(html, a_page_has_no_more_than_60_rules) {
    RunChapter run = run_of({"one", "two"}, 2);
    CostsByHand costs;
    for (int rule = 0; rule < 70; ++rule) {
        costs.rule("r" + std::to_string(rule), {4, 1, 1, 1});
        costs.entry("\"a\": 1", 0, 0, 0);
    }
    costs.costs.table.set_extent(4, 8, 8);
    run.report.costs = CostReport{costs.costs, false, true, {}};
    run.rule_texts.assign(70, "{}");
    const Chapter chapters[] = {run};
    const std::string page = html_page(chapters);
    EXPECT_EQ(count(page, "<pre>{}</pre>"), 60U);
    EXPECT_TRUE(has(page, ">These are the first 60 rules that are named; "));
    EXPECT_TRUE(has(page, "Never reached in r69: "));
}

TEST(html, scores_are_told_by_agent) {
    RunChapter run = run_of({"one", "two"}, 2);
    Spread spread;
    spread.add(162);
    spread.add(162);
    run.scores.emplace_back("one", spread);
    const Chapter chapters[] = {run};
    EXPECT_TRUE(has(html_page(chapters), "<title>162: 2 scores</title>"));
}

TEST(html, games_are_told_by_what_changes) {
    RunChapter run = run_of({"one", "two"}, 2);
    run.replays = {two_moves()};
    const Chapter chapters[] = {run};
    const std::string page = html_page(chapters);
    const nlohmann::json frames = data_of(page)["frames"];
    ASSERT_EQ(frames.size(), 4U);
    EXPECT_EQ(frames[0]["cells"].dump(), "[[0,\"B\",0]]");
    EXPECT_EQ(frames[1]["cells"].dump(), "[[1,\"W\",1]]");
    EXPECT_EQ(frames[2]["cells"].dump(), "[[0,\"\",0],[3,\"B\",0]]");
    EXPECT_FALSE(frames[0].contains("piles"));
    EXPECT_EQ(frames[1]["piles"][0]["cards"][0]["rank"], "7");
    EXPECT_TRUE(frames[2]["piles"][0].is_null()) << "it is as it was";
    EXPECT_EQ(frames[2]["piles"][1], frames[1]["piles"][0]);
    EXPECT_TRUE(frames[3]["piles"].is_null()) << "there are none any more";
    EXPECT_EQ(frames[1]["legal"], 3);
    EXPECT_EQ(frames[1]["log"][0], "rule </script> fired");
    EXPECT_EQ(frames[1]["refused"][0], "a1: place </script> gives b1");
    EXPECT_FALSE(frames[0].contains("refused"));
    EXPECT_TRUE(has(page, ">Why other moves are not legal now</summary>"));
    EXPECT_TRUE(has(page, "3.1 (the longest): 2 moves"));
    EXPECT_EQ(count(page, "class=\"cell"), 4U);
    EXPECT_EQ(count(page, "class=\"coordinate\""), 4U) << "a, b, 1, 2";
    EXPECT_TRUE(has(page, "class=\"board stones\""));
}

TEST(html, what_cannot_be_shown_says_why) {
    RunChapter run = run_of({"one", "two"}, 0);
    Replay broken;
    broken.problem = "its agent <x> is a program";
    run.replays = {broken};
    const Chapter chapters[] = {run};
    const std::string page = html_page(chapters);
    EXPECT_TRUE(has(page, "This run is empty"));
    EXPECT_TRUE(has(page, "Cannot be shown: its agent &lt;x&gt; is a program"));
}

TEST(html, comparisons_and_ablations_have_a_row_for_each_question) {
    CompareChapter compare{{"compare.json", {}, {}, {}, {}}, {}, {"+ rule <new>"}};
    compare.summary.name_a = "old";
    compare.summary.name_b = "new";
    ChangeRow row;
    row.kind = MetricKind::Win;
    row.of = "A";
    row.under_a = {0.5, 0.01, 0.48, 0.52};
    row.under_b = {0.6, 0.01, 0.58, 0.62};
    row.difference = {0.1, 0.01, 0.08, 0.12};
    row.differing = 40;
    row.margin = 0.02;
    row.judgement.change = Change::Higher;
    compare.summary.rows = {row};
    AblateChapter ablate{{"ablate.json", {}, {}, {}, {}}, {}};
    ablate.summary.game = "nim";
    ablate.summary.agent = "rules:x";
    WorthRow worth;
    worth.rule = {"choose", "take", 120};
    worth.elo = {30, 5, 20, 40};
    worth.elo_per_us = {250, {}, 166.7, 333.3};
    worth.judgement.change = Change::Higher;
    ablate.summary.rows = {worth};
    const Chapter chapters[] = {compare, ablate};
    const std::string page = html_page(chapters);
    EXPECT_TRUE(has(page, ">Comparison: old against new</h2>"));
    EXPECT_TRUE(has(page, "+ rule &lt;new&gt;"));
    EXPECT_TRUE(has(page, ">+10.0 %</span>"));
    EXPECT_TRUE(has(page, ">higher</span>"));
    EXPECT_EQ(count(page, "line interval good"), 1U) << "a rule that helps, not a seat that wins";
    EXPECT_TRUE(has(page, ">120 ns</span>"));
    EXPECT_TRUE(has(page, ">+250.0 Elo/us</span>"));
    EXPECT_TRUE(has(page, ">+30.0</span>"));
    EXPECT_TRUE(has(page, ">[+20.0, +40.0]</span>"));
    EXPECT_TRUE(has(page, "href=\"#chapter2\""));
    EXPECT_TRUE(has(page, "id=\"chapter2-worths\""));
}

TEST(html, a_sweep_has_maps_of_two_factors_and_the_front_of_two_metrics) {
    SweepChapter chapter{{"sweep.json", {}, {}, {}, {}}, {}};
    SweepSummary& summary = chapter.summary;
    summary.game = "nim";
    summary.design = {{{"heaps", {"3", "<4>"}}, {"rule", {"normal", "misere"}}}, {}, true};
    summary.sought = {{"length", "", Sought::Goal::Least, 0},
                      {"draws", "", Sought::Goal::Least, 0}};
    summary.metrics = {*swept_named("length"), *swept_named("draws")};
    constexpr double kLengths[] = {10, 20, 30, 40};
    constexpr double kDraws[] = {0.4, 0.3, 0.2, 0.25};
    for (std::uint32_t i = 0; i < 4; ++i) {
        SweepPoint& point = summary.points.emplace_back();
        summary.design.points.push_back({i / 2, i % 2});
        point.on_front = i < 3;
        point.cells = {{{kLengths[i], 1, {}, {}}, {}, {}}, {{kDraws[i], 0.1, {}, {}}, {}, {}}};
    }
    const Chapter chapters[] = {chapter};
    const std::string page = html_page(chapters);
    EXPECT_TRUE(has(page, "data-chart=\"front\""));
    EXPECT_EQ(count(page, "class=\"dot front\""), 3U);
    EXPECT_EQ(count(page, "class=\"dot\""), 1U);
    EXPECT_TRUE(has(page, "data-chart=\"length-0-1\""));
    EXPECT_TRUE(has(page, "<th scope=\"row\">&lt;4&gt;</th>"));
    EXPECT_TRUE(has(page, "<td class=\"number heat0\">10.00</td>"));
    EXPECT_TRUE(has(page, "<td class=\"number heat3\">20.00</td>")) << "a third of the way";
    EXPECT_TRUE(has(page, "<td class=\"number heat9\">40.00</td>"));
    EXPECT_TRUE(has(page, "<td class=\"number heat9\">40.0 %</td>"));
}

ChangeRow surely(MetricKind kind, std::string of, Change change) {
    ChangeRow row;
    row.kind = kind;
    row.of = std::move(of);
    row.difference = {change == Change::Higher ? 3.0 : -3.0, 1, {}, {}};
    row.differing = 40;
    row.judgement.change = change;
    return row;
}

// The colours of all rows, in the order of metrics.
std::vector<std::string> colours(bool of_agents, std::vector<ChangeRow> rows) {
    CompareChapter compare{{}, {}, {}};
    compare.summary.of_agents = of_agents;
    compare.summary.rows = std::move(rows);
    const Chapter chapters[] = {compare};
    const std::string page = html_page(chapters);
    const std::string begin = "<div class=\"line interval";
    std::vector<std::string> found;
    for (std::size_t at = page.find(begin); at != std::string::npos;
         at = page.find(begin, at + 1)) {
        const std::size_t from = at + begin.size();
        found.push_back(page.substr(from, page.find('"', from) - from));
    }
    return found;
}

TEST(html, only_what_is_good_or_bad_has_a_colour) {
    using Colours = std::vector<std::string>;
    const std::vector<ChangeRow> rows = {
        surely(MetricKind::Win, "agent", Change::Higher),
        surely(MetricKind::Win, "agent#2", Change::Lower),
        surely(MetricKind::Score, "agent", Change::Lower),
        surely(MetricKind::Length, "", Change::Higher),
        surely(MetricKind::Length, "", Change::Undecided),
        surely(MetricKind::Aborted, "", Change::Higher),
        surely(MetricKind::Fault, "", Change::Lower),
    };
    EXPECT_EQ(colours(true, rows), (Colours{" good", "", " bad", "", " open", " bad", " good"}));
    EXPECT_EQ(colours(false, rows), (Colours{"", "", "", "", " open", " bad", " good"}))
        << "the seats of a game win more or less, which is neither";
}

TEST(html, a_page_says_when_and_how_it_was_played) {
    RunChapter run = run_of({"one", "two"}, 2);
    run.origin = {"runs/x", "croupier 1.2", "2026-11-23T03:11:25Z", "Linux, 2 cores",
                  "croupier run --set 'a=<b>'"};
    const Chapter one[] = {run};
    const std::string page = html_page(one);
    EXPECT_TRUE(has(page, "<time datetime=\"2026-11-23T03:11:25Z\">2026-11-23, 03:11 UTC</time>"));
    EXPECT_TRUE(has(page, ">croupier 1.2</span>"));
    EXPECT_TRUE(has(page, "<span>croupier</span> <span>run</span> <span>--set</span> "
                          "<span>&#39;a=&lt;b&gt;&#39;</span></code>"));
    run.origin = {"runs/x", {}, {}, {}, {}};
    const Chapter silent[] = {run};
    EXPECT_FALSE(has(html_page(silent), ">Command</dt>")) << "older runs do not say";
}

TEST(html, sections_are_found_by_ids_and_open_by_weight) {
    const RunChapter run = run_of({"one", "two"}, 20);
    const Chapter alone[] = {run};
    const std::string page = html_page(alone);
    EXPECT_TRUE(has(page, "id=\"standings\" data-section=\"standings\" open=\"\">"));
    EXPECT_TRUE(has(page, "id=\"lengths\" data-section=\"lengths\" open=\"\">"));
    EXPECT_TRUE(has(page, "id=\"endings\" data-section=\"endings\">")) << "a detail is closed";
    EXPECT_TRUE(has(page, "<a href=\"#endings\">Endings</a>"));
    EXPECT_TRUE(has(page, "<h2>Game length</h2>"));
    const Chapter two[] = {run, run};
    const std::string both = html_page(two);
    EXPECT_TRUE(has(both, "id=\"chapter2-standings\" data-section=\"standings\" open=\"\">"));
    EXPECT_TRUE(has(both, "id=\"chapter2-lengths\" data-section=\"lengths\">"));
    EXPECT_TRUE(has(both, "<h3>Game length</h3>"));
    EXPECT_EQ(count(both, "<details"), count(both, "</details>"));
}

TEST(html, tables_say_what_heads_a_row_and_leave_out_columns_without_words) {
    const Chapter chapters[] = {run_of({"one", "two"}, 20)};
    const std::string page = html_page(chapters);
    EXPECT_TRUE(has(page, "<th scope=\"col\" class=\"number\">Win rate</th>"));
    EXPECT_TRUE(has(page, "<th class=\"word\" scope=\"row\">one</th>"));
    EXPECT_EQ(count(page, "<th scope=\"col\" class=\"word\"></th>"), 0U);
    EXPECT_TRUE(has(page, "aria-label=\"Table: Standings\""));
}

TEST(html, a_sequential_test_has_its_course) {
    RunChapter run = run_of({"one", "two"}, 2);
    run.report.status.stop = StopStatus{"sprt", true, "H1 accepted", 2.5, -2, 2, 3};
    run.courses.resize(1);
    for (const std::uint64_t blocks : {1, 2, 3})
        run.courses[0].add(
            {"sprt", false, "undecided", 0.5 * static_cast<double>(blocks), -2, 2, blocks});
    const Chapter chapters[] = {run};
    const std::string page = html_page(chapters);
    EXPECT_TRUE(has(page, ">Sequential test</h2>"));
    EXPECT_TRUE(has(page, "data-chart=\"llr\""));
    EXPECT_TRUE(has(page, ">H1 accepted after 3 blocks, LLR 2.50 [-2.00, 2.00]</p>"));
}

} // namespace
} // namespace croupier::results
