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

// Colours are of the style sheet. More or fewer draws, moves, or wins of a seat are neither good
// nor bad; games that come to no end are bad, and where agents are compared it is theirs to win.
enum class Aim { None, More, Fewer };

Aim aim_of(const ChangeRow& row, const RevisionSummary& summary) {
    switch (row.kind) {
    case MetricKind::Win:
    case MetricKind::Score:
        return summary.of_agents && row.of == kComparedAgent ? Aim::More : Aim::None;
    case MetricKind::Aborted:
    case MetricKind::Unfinished:
    case MetricKind::Fault:
        return Aim::Fewer;
    case MetricKind::Draws:
    case MetricKind::Length:
    case MetricKind::Forced:
    case MetricKind::Branching:
        break;
    }
    return Aim::None;
}

std::string kind_of(Change change, Aim aim) {
    switch (change) {
    case Change::Higher:
    case Change::Lower:
        if (aim == Aim::None) return "";
        return (change == Change::Higher) == (aim == Aim::More) ? "good" : "bad";
    case Change::Equivalent:
        return "even";
    case Change::TooFew:
    case Change::Constant:
    case Change::Undecided:
        break;
    }
    return "open";
}

IntervalRow row_of(const ChangeRow& row, const RevisionSummary& summary) {
    const bool share = is_share(row.kind);
    const double scale = share ? 100 : 1;
    auto value = row.difference.value;
    if (value) *value *= scale;
    return {row.of.empty() ? "All" : row.of,
            row.difference,
            fmt::format("{}{}", signed_fixed(value, share ? 1 : 2), share ? " %" : ""),
            std::string(to_string(row.judgement.change)),
            kind_of(row.judgement.change, aim_of(row, summary)),
            row.margin};
}

// One chart for each metric, as each has a unit of its own.
void add_differences(Outline& outline, const RevisionSummary& summary) {
    std::map<MetricKind, IntervalChart> charts;
    for (const ChangeRow& row : summary.rows) {
        if (row.differing == 0) continue; // named below the table
        IntervalChart& chart = charts[row.kind];
        chart.name = {std::string(name_of(row.kind)),
                      fmt::format("{}: B - A", headline(std::string(name_of(row.kind))))};
        chart.reference = 0;
        chart.in_percent = is_share(row.kind);
        chart.rows.push_back(row_of(row, summary));
    }
    for (const auto& [kind, chart] : charts) {
        outline.heading(chart.name.title);
        outline.page().raw(interval_chart(chart));
    }
}

// A above B, for the rules whose time changed most.
std::string costs_chart(const RevisionSummary& summary) {
    std::vector<BarRow> rows;
    for (const CostChange& change : summary.costs) {
        if (change.group.empty() || rows.size() >= 2 * kCostsShown) continue;
        const double a = change.old.value_or(0);
        const double b = change.now.value_or(0);
        rows.push_back({cost_title(change), a, short_time(a), "A"});
        rows.push_back({"", b, short_time(b), "B", true});
    }
    return rows.empty() ? std::string()
                        : bar_chart({"rule-costs", "Own time of rules, a game"}, rows);
}

void add_worths(Outline& outline, const AblationSummary& summary) {
    IntervalChart chart;
    chart.name = {"worths", "Elo with the rule over without it, 95 %"};
    chart.reference = 0;
    std::vector<BarRow> costs;
    for (const WorthRow& row : summary.rows) {
        const std::string name = fmt::format("{} ({})", row.rule.name, row.rule.group);
        const bool bounded = row.elo.one_sided || row.elo.low || row.elo.high;
        chart.rows.push_back({name, row.elo, elo_text(row.elo, 1),
                              bounded ? elo_interval(row.elo, 1) : std::string(),
                              kind_of(row.judgement.change, Aim::More), 0});
        if (row.rule.cost_ns)
            costs.push_back(
                {name, *row.rule.cost_ns, short_time(*row.rule.cost_ns),
                 row.elo_per_us.value ? fmt::format("{:+.1f} Elo/us", *row.elo_per_us.value) : ""});
    }
    outline.heading(chart.name.title);
    outline.page().raw(interval_chart(chart));
    if (costs.empty()) return;
    outline.heading("What each takes of a decision");
    outline.page().raw(bar_chart({"rule-costs", "Nanoseconds a decision"}, costs));
}

// The answer: its pictures, then its table.
template <class Pictures>
void add_answer(Outline& outline, const Section& section, const Pictures& pictures) {
    outline.begin(section.id, headline(section.title), Weight::Answer);
    pictures();
    outline.add_table(section, false);
    outline.add_notes(section);
    outline.end();
}

} // namespace

std::string title_of(const CompareChapter& chapter) {
    return fmt::format("Comparison: {} against {}", chapter.summary.name_a, chapter.summary.name_b);
}

std::string title_of(const AblateChapter& chapter) {
    return fmt::format("{}: the rules of {}", chapter.summary.game, chapter.summary.agent);
}

std::vector<std::string> summary_of(const CompareChapter& chapter) {
    return sections_of(chapter.summary).front().notes;
}

std::vector<std::string> summary_of(const AblateChapter& chapter) {
    return sections_of(chapter.summary).front().notes;
}

void add_chapter(Outline& outline, const CompareChapter& chapter) {
    for (const Section& section : sections_of(chapter.summary)) {
        if (section.id == "changes")
            add_answer(outline, section, [&] { add_differences(outline, chapter.summary); });
        else if (section.id != "summary")
            outline.add(section, Weight::Figure,
                        section.id == "costs" ? costs_chart(chapter.summary) : "");
    }
    if (chapter.rules.empty()) return;
    outline.begin("difference", "What the rules say differently", Weight::Figure);
    outline.page().element("pre", {}, fmt::format("{}", fmt::join(chapter.rules, "\n")));
    outline.end();
}

void add_chapter(Outline& outline, const AblateChapter& chapter) {
    for (const Section& section : sections_of(chapter.summary)) {
        if (section.id == "worths")
            add_answer(outline, section, [&] { add_worths(outline, chapter.summary); });
        else if (section.id != "summary")
            outline.add(section, Weight::Figure);
    }
}

} // namespace croupier::results
