// Comparisons and ablations: the report's sections, with a chart of the differences.
#include "results/html/chapters.h"

#include "results/html/charts.h"
#include "results/report/compared.h"
#include "results/report/numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace croupier::results {
namespace {

constexpr std::size_t kCostsShown = 6;

// Of the style sheet.
std::string kind_of(Change change) {
    switch (change) {
    case Change::Higher:
        return "good";
    case Change::Lower:
        return "bad";
    case Change::Equivalent:
        return "even";
    case Change::TooFew:
    case Change::Constant:
    case Change::Undecided:
        break;
    }
    return "";
}

IntervalRow row_of(const ChangeRow& row) {
    const bool share = is_share(row.kind);
    const double scale = share ? 100 : 1;
    auto value = row.difference.value;
    if (value) *value *= scale;
    return {row.of.empty() ? "all" : row.of, row.difference,
            fmt::format("{}{} {}", signed_fixed(value, share ? 1 : 2), share ? " %" : "",
                        to_string(row.judgement.change)),
            kind_of(row.judgement.change), row.margin};
}

// One chart for each metric, as each has a unit of its own.
void add_differences(Markup& page, const RevisionSummary& summary) {
    std::map<MetricKind, IntervalChart> charts;
    for (const ChangeRow& row : summary.rows) {
        if (row.differing == 0) continue; // named below the table
        IntervalChart& chart = charts[row.kind];
        chart.title = fmt::format("{}: B - A", name_of(row.kind));
        chart.reference = 0;
        chart.in_percent = is_share(row.kind);
        chart.rows.push_back(row_of(row));
    }
    for (const auto& [kind, chart] : charts) {
        page.element("h4", {}, chart.title);
        page.raw(interval_chart(chart));
    }
}

// A above B, for the rules whose time changed most.
std::string costs_chart(const RevisionSummary& summary) {
    std::vector<BarRow> rows;
    for (const CostChange& change : summary.costs) {
        if (change.group.empty() || rows.size() >= 2 * kCostsShown) continue;
        const double a = change.old.value_or(0);
        const double b = change.now.value_or(0);
        rows.push_back({cost_title(change) + ", A", a, short_time(a)});
        rows.push_back({"B", b, short_time(b)});
    }
    return rows.empty() ? std::string() : bar_chart("own time of rules, a game", rows);
}

void add_worths(Markup& page, const AblationSummary& summary) {
    IntervalChart chart;
    chart.title = "Elo with the rule over without it, 95 %";
    chart.reference = 0;
    std::vector<BarRow> costs;
    for (const WorthRow& row : summary.rows) {
        const std::string name = fmt::format("{} ({})", row.rule.name, row.rule.group);
        chart.rows.push_back({name, row.elo,
                              fmt::format("{} {}", elo_text(row.elo, 1), elo_interval(row.elo, 1)),
                              kind_of(row.judgement.change), 0});
        if (row.rule.cost_ns)
            costs.push_back(
                {name, *row.rule.cost_ns,
                 fmt::format("{}{}", short_time(*row.rule.cost_ns),
                             row.elo_per_us ? fmt::format(", {:+.1f} Elo/us", *row.elo_per_us)
                                            : "")});
    }
    page.element("h4", {}, chart.title);
    page.raw(interval_chart(chart));
    if (costs.empty()) return;
    page.element("h4", {}, "what each takes of a decision");
    page.raw(bar_chart("nanoseconds a decision", costs));
}

} // namespace

std::string title_of(const CompareChapter& chapter) {
    return chapter.summary.name_a + " against " + chapter.summary.name_b;
}

std::string title_of(const AblateChapter& chapter) {
    return fmt::format("{}: the rules of {}", chapter.summary.game, chapter.summary.agent);
}

void add_chapter(Markup& page, const CompareChapter& chapter) {
    if (!chapter.rules.empty()) {
        page.element("h3", {}, "what the rules say differently");
        page.element("pre", {}, fmt::format("{}", fmt::join(chapter.rules, "\n")));
    }
    bool first = true;
    for (const Section& section : sections_of(chapter.summary)) {
        add_section(page, section, section.title == "cost" ? costs_chart(chapter.summary) : "");
        if (first) add_differences(page, chapter.summary); // after the heading
        first = false;
    }
}

void add_chapter(Markup& page, const AblateChapter& chapter) {
    bool first = true;
    for (const Section& section : sections_of(chapter.summary)) {
        add_section(page, section);
        if (first) add_worths(page, chapter.summary);
        first = false;
    }
}

} // namespace croupier::results
