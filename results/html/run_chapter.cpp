// A run: the report's own sections, with charts where a picture says more.
#include "results/html/chapters.h"

#include "results/html/charts.h"
#include "results/html/flame.h"
#include "results/report/costs.h"
#include "results/report/numbers.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::results {
namespace {

constexpr std::size_t kBins = 24;
constexpr std::size_t kBars = 16;

std::string rate_told(const Estimate& rate) {
    return percent(rate.value) + " " + interval(rate, 1, 100);
}

IntervalChart rates(const std::string& title) {
    IntervalChart chart;
    chart.title = title;
    chart.in_percent = true;
    return chart;
}

std::string standings_chart(const Summary& summary) {
    IntervalChart chart = rates("win rates with 95 % intervals");
    const std::size_t sides =
        summary.facts.teams.empty() ? summary.facts.players.size() : summary.facts.teams.size();
    if (sides > 0) chart.reference = 1 / static_cast<double>(sides);
    std::vector<const ContestantRow*> rows;
    for (const ContestantRow& row : summary.contestants)
        rows.push_back(&row);
    std::stable_sort(rows.begin(), rows.end(), [](const auto* one, const auto* other) {
        return one->win_rate.value.value_or(-1) > other->win_rate.value.value_or(-1);
    });
    for (const ContestantRow* row : rows)
        chart.rows.push_back({row->name, row->win_rate, rate_told(row->win_rate), "", 0});
    return interval_chart(chart);
}

std::string ratings_chart(const Summary& summary) {
    IntervalChart chart;
    chart.title = "ratings with 95 % intervals";
    chart.reference = 0;
    for (const ContestantRow& row : summary.contestants) {
        const Rating& rating = row.rating;
        const Estimate elo{rating.elo, rating.error, rating.low, rating.high};
        const std::string told =
            rating.with_prior
                ? fmt::format("({}), with a prior", signed_fixed(rating.with_prior, 1))
                : signed_fixed(elo.value, 1) + " " + interval(elo, 1, 1, true);
        chart.rows.push_back({row.name, elo, told, "", 0});
    }
    std::stable_sort(chart.rows.begin(), chart.rows.end(), [](const auto& one, const auto& other) {
        return one.estimate.value.value_or(-1e9) > other.estimate.value.value_or(-1e9);
    });
    return interval_chart(chart);
}

std::string places_chart(const std::string& title, const std::vector<PlaceRow>& places) {
    IntervalChart chart = rates(title);
    for (const PlaceRow& row : places) {
        if (row.agent) continue; // the table has them
        chart.rows.push_back({row.name, row.win_rate, rate_told(row.win_rate), "", 0});
    }
    return interval_chart(chart);
}

std::string costs_chart(const CostReport& report, const RunFacts& facts) {
    const auto& [rules, table] = report.costs;
    std::vector<BarRow> bars;
    const auto all = static_cast<double>(table.self_ns());
    for (const std::uint32_t rule : dearest_first(report.costs, true)) {
        const std::uint64_t ns = table.rule(rule).self_ns();
        const auto per_game = table.per_game(ns);
        if (ns == 0 || !per_game || bars.size() == kBars) break;
        bars.push_back({rule_title(rules, rule, facts), *per_game,
                        fmt::format("{}, {:.1f} %", short_time(*per_game),
                                    100 * static_cast<double>(ns) / all)});
    }
    return bars.empty() ? std::string() : bar_chart("own time of rules, a game", bars);
}

std::string chart_of(const Section& section, const RunChapter& chapter) {
    const Summary& summary = chapter.report.summary;
    if (section.title == "standings") return standings_chart(summary);
    if (section.title == "seats") return places_chart("win rates by seat", summary.seats);
    if (section.title == "roles") return places_chart("win rates by role", summary.roles);
    if (section.title == "game length")
        return histogram_chart("lengths of games", summary.plies.bins(kBins), "games");
    if (section.title == "rule costs" && chapter.report.costs)
        return costs_chart(*chapter.report.costs, summary.facts);
    return {};
}

void add_flames(Markup& page, const RunChapter& chapter) {
    const auto& costs = chapter.report.costs;
    if (!costs || !costs->missing.empty() || !costs->costs.facts.watches()) return;
    const auto stacks = cost_stacks(costs->costs, chapter.report.summary.facts);
    // Of a sample as if all had been watched.
    const auto one = costs->costs.table.per_game(1);
    const std::string graph = flame_graph(stacks, one ? 1 / *one : 0);
    if (graph.empty()) return;
    page.element("h3", {}, "where the time goes");
    page.element("p", {},
                 "Whose rule, for what, for whom, which rule; below it the lines of its "
                 "condition, where the run has watched them (--profile full).");
    page.raw(graph);
}

void add_scores(Markup& page, const RunChapter& chapter) {
    const bool any = std::any_of(chapter.scores.begin(), chapter.scores.end(),
                                 [](const auto& each) { return each.second.count() > 0; });
    if (!any) return;
    page.element("h3", {}, "scores");
    page.element("p", {}, "The game's own points, by agent.");
    Spread all;
    for (const auto& [agent, spread] : chapter.scores)
        all.add(spread);
    for (const auto& [agent, spread] : chapter.scores) {
        page.element("h4", {}, agent);
        page.raw(spread_chart("scores of " + agent, spread.bins_of(all, kBins), "scores"));
    }
}

} // namespace

std::string title_of(const RunChapter& chapter) {
    return chapter.report.summary.facts.game;
}

void add_chapter(Markup& page, const RunChapter& chapter) {
    const Summary& summary = chapter.report.summary;
    for (const Section& section : sections_of(chapter.report, 0)) {
        add_section(page, section, chart_of(section, chapter));
        if (section.title == "standings" && summary.contestants.size() > 2) {
            page.element("h3", {}, "ratings");
            page.raw(ratings_chart(summary));
        }
        if (section.title == "game length") add_scores(page, chapter);
        if (section.title == "rule costs") add_flames(page, chapter);
    }
    if (summary.games == 0)
        page.element("p", {{"class", "empty"}}, "This run is empty: no game has been played yet.");
    if (!chapter.replays.empty()) add_viewer(page, chapter.replays);
}

} // namespace croupier::results
