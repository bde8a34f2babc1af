// The chapters of runs, comparisons, ablations and tunings, and the section on the losses of moves.
#include "results/html/chapters.h"

#include "results/html/charts.h"
#include "results/html/markup.h"
#include "results/html/page.h"
#include "results/report/compared.h"
#include "results/report/costs.h"
#include "results/report/numbers.h"
#include "results/report/sections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace croupier::results {
namespace {

constexpr std::size_t kCostsShown = 6;

// Selects colours of the style sheet. More or fewer draws, moves or seat wins are neutral; games
// without an end are bad, and when agents are compared, more wins are good.
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
    case MetricKind::Settled:
    case MetricKind::Leads:
    case MetricKind::Comebacks:
    case MetricKind::Coverage:
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

// One chart per metric, since each has its own unit.
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

// A above B, for the rules whose times changed most.
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

// By the values of two factors, the mean over the points that have them.
std::vector<std::vector<std::optional<double>>>
mean_values(const SweepSummary& summary, std::size_t metric, std::size_t one, std::size_t two) {
    const std::vector<Factor>& factors = summary.design.factors;
    std::vector<std::vector<std::optional<double>>> means(
        factors[one].values.size(), std::vector<std::optional<double>>(factors[two].values.size()));
    const double each = static_cast<double>(means.size() * means.front().size()) /
                        static_cast<double>(summary.points.size());
    for (std::size_t i = 0; i < summary.points.size(); ++i) {
        const std::vector<std::uint32_t>& values = summary.design.points[i];
        std::optional<double>& mean = means[values[one]][values[two]];
        if (const auto value = summary.points[i].cells[metric].value.value)
            mean = mean.value_or(0) + *value * each;
    }
    return means;
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

// What is sought, or if nothing is, what differs: as maps of two factors, or as intervals.
void add_sweep(Outline& outline, const SweepSummary& summary) {
    constexpr std::size_t kMostCharts = 12;
    constexpr std::size_t kMostRows = 40; // of a chart of intervals
    const std::vector<Factor>& factors = summary.design.factors;
    std::size_t charts = 0;
    const auto add = [&](const std::string& title, const std::string& chart) {
        outline.heading(title);
        outline.page().raw(chart);
        ++charts;
    };
    if (known_sought(summary) > 1) {
        std::vector<PlanePoint> points;
        for (std::size_t i = 0; i < summary.points.size(); ++i) {
            const SweepPoint& point = summary.points[i];
            const auto x = point.cells[0].value.value;
            const auto y = point.cells[1].value.value;
            if (x && y) points.push_back({std::to_string(i + 1), *x, *y, point.on_front});
        }
        const std::string title = "The front: points that no other beats in all that is sought";
        add(title, plane_chart({"front", title}, points, title_of(summary.metrics[0]),
                               title_of(summary.metrics[1])));
    }
    for (const std::size_t metric : shown_metrics(summary)) {
        const SweptMetric& shown = summary.metrics[metric];
        const auto told = [&](double value) { return value_text(shown, value); };
        if (!summary.design.grid || factors.size() == 1) {
            if (summary.points.size() > kMostRows || charts == kMostCharts) return;
            IntervalChart chart{{std::string(name_of(shown)), title_of(shown)}, {}, {}, {}};
            chart.in_percent = is_share(shown);
            for (std::size_t i = 0; i < summary.points.size(); ++i) {
                const Estimate& value = summary.points[i].cells[metric].value;
                chart.rows.push_back(
                    {factors.size() == 1 ? summary.design.value(i, 0) : std::to_string(i + 1),
                     value, value_text(shown, value.value),
                     interval(value, chart.in_percent ? 1 : 2, chart.in_percent ? kPercent : 1),
                     summary.points[i].among_best ? "good" : "", 0});
            }
            add(chart.name.title, interval_chart(chart));
            continue;
        }
        for (std::size_t one = 0; one < factors.size(); ++one)
            for (std::size_t two = one + 1; two < factors.size() && charts < kMostCharts; ++two) {
                HeatMap map{{fmt::format("{}-{}-{}", name_of(shown), one, two), title_of(shown)},
                            factors[one].name,
                            factors[two].name,
                            factors[one].values,
                            factors[two].values,
                            mean_values(summary, metric, one, two),
                            told};
                const std::string over =
                    factors.size() > 2 ? fmt::format(": {} and {}", map.down, map.across) : "";
                add(headline(map.name.title) + over, heat_map(map));
            }
    }
}

// The answer: its charts, then its table.
template <class Pictures>
void add_answer(Outline& outline, const Section& section, const Pictures& pictures) {
    outline.begin(section.id, headline(section.title), Weight::Answer);
    pictures();
    outline.add_table(section, false);
    outline.add_notes(section);
    outline.end();
}

using Json = nlohmann::ordered_json;

std::optional<double> number_of(const Json& json, const char* key) {
    const Json& value = json.at(key);
    return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

Estimate estimate_of_json(const Json& json) {
    return {number_of(json, "value"),       number_of(json, "error"),
            number_of(json, "low"),         number_of(json, "high"),
            json.value("one_sided", false), json.value("doubtful", false)};
}

std::string loss_chart(const Regret& regret) {
    IntervalChart chart;
    chart.name = {"losses", "Points lost a decision, with 95 % intervals"};
    for (const RegretRow& row : regret.agents) {
        if (!row.loss.value) continue;
        const bool bounded = row.loss.low || row.loss.high;
        chart.rows.push_back({row.agent, row.loss, fixed(row.loss.value, 2),
                              bounded ? interval(row.loss, 2) : std::string(), "", 0});
    }
    std::ranges::stable_sort(chart.rows, [](const auto& one, const auto& other) {
        return *one.estimate.value < *other.estimate.value;
    });
    return chart.rows.empty() ? std::string() : interval_chart(chart);
}

Section losses_of(const Regret& regret) {
    Section section =
        begin_section("regret", "Points lost by moves", "agent|>decisions|>loss|95 %|>mistakes");
    if (regret.worlds > 0) add_columns(section, ">known|95 %");
    for (const RegretRow& row : regret.agents) {
        const double share = row.decisions == 0 ? 0
                                                : 100.0 * static_cast<double>(row.mistakes) /
                                                      static_cast<double>(row.decisions);
        std::vector<std::string> cells{row.agent, fmt::format("{}", row.decisions),
                                       fixed(row.loss.value, 3), interval(row.loss, 3),
                                       fmt::format("{:.1f} %", share)};
        if (regret.worlds > 0) {
            cells.push_back(fixed(row.known.value, 3));
            cells.push_back(interval(row.known, 3));
        }
        section.table.rows.push_back(std::move(cells));
    }
    section.notes.push_back(
        fmt::format("Points lost against perfect play with all cards seen: the mean over decisions "
                    "in {}, where at most {} moves were to come. "
                    "Decisions with one legal move, and bids, do not count.",
                    counted(regret.games, "game"), regret.plies));
    if (std::ranges::any_of(regret.agents, [](const RegretRow& row) {
            return row.loss.doubtful || row.known.doubtful;
        }))
        section.notes.emplace_back(kDoubtful);
    if (regret.worlds > 0)
        section.notes.push_back(fmt::format("Known: against the move that is best on average over "
                                            "{} deals that look the same to the player.",
                                            regret.worlds));
    return section;
}

bool is_shown(const BlunderRow& blunder, std::span<const Replay> replays) {
    return std::ranges::any_of(replays, [&](const Replay& replay) {
        return !replay.frames.empty() &&
               fmt::format("{}.{}", replay.block, replay.game) == blunder.game;
    });
}

// Limits that keep a page small, whatever its rules are.
constexpr std::size_t kMaxRules = 60;
constexpr std::size_t kMaxLines = 60;
constexpr std::size_t kMaxBytes = 8000;

std::string_view shortened(std::string_view text) {
    std::size_t end = 0;
    for (std::size_t line = 0; line < kMaxLines && end < text.size(); ++line)
        end = std::min(text.find('\n', end), text.size() - 1) + 1;
    if (end > kMaxBytes) {
        end = kMaxBytes;
        while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) // within a character
            --end;
    }
    return text.substr(0, end);
}

// Rule names on a page: links to the rules' texts, which are in a section of the chapter.
class RuleLinks {
  public:
    // Both must outlive this.
    RuleLinks(const RunChapter& chapter, Outline& outline) : chapter_(chapter), outline_(outline) {
        for (std::uint32_t rule = 0; rule < chapter.rule_texts.size(); ++rule)
            if (!chapter.rule_texts[rule].empty())
                titles_.emplace(rule_title(chapter.report.costs->costs.facts, rule,
                                           chapter.report.summary.facts),
                                rule);
    }

    // The link to the rule's text; empty if the page does not have it.
    std::string link(std::uint32_t rule) {
        if (rule >= chapter_.rule_texts.size() || chapter_.rule_texts[rule].empty()) return {};
        if (!named_.contains(rule)) {
            if (named_.size() >= kMaxRules) {
                full_ = true;
                return {};
            }
            named_.insert(rule);
            if (const auto outer = around(rule)) link(*outer);
        }
        return outline_.link(id(rule));
    }

    // Adds links to a cell or a note: to a title, and in notes of coverage ("Never tried: A, B",
    // "Never reached in A: ..").
    std::string linked(std::string_view text) {
        Markup markup;
        std::size_t plain = 0; // the text before it is written
        const bool coverage = text.starts_with("Never ");
        for (std::size_t at = 0; at < text.size(); ++at) {
            const std::string_view before = text.substr(0, at);
            if (at != 0 && !(coverage && (before.ends_with(", ") || before.ends_with(": ") ||
                                          before.ends_with(" in "))))
                continue;
            const std::string_view rest = text.substr(at);
            const std::pair<const std::string, std::uint32_t>* longest = nullptr;
            for (const auto& title : titles_) {
                if (!rest.starts_with(title.first)) continue;
                const std::string_view after = rest.substr(title.first.size());
                const bool whole = after.empty() || (coverage && (after.starts_with(", ") ||
                                                                  after.starts_with(": ") ||
                                                                  after.starts_with(" and ")));
                if (whole && (longest == nullptr || title.first.size() > longest->first.size()))
                    longest = &title;
            }
            const std::string href = longest == nullptr ? std::string() : link(longest->second);
            if (href.empty()) continue;
            markup.text(text.substr(plain, at - plain));
            markup.raw("<a href=\"" + html_text(href) + "\">").text(longest->first).raw("</a>");
            plain = at + longest->first.size();
            if (text.substr(plain).starts_with(": ")) break; // words of its condition follow
            at = plain - 1;
        }
        return markup.text(text.substr(plain)).str();
    }

    // Adds the texts of linked rules, and of the rules around these.
    void add_section() {
        if (named_.empty()) return;
        outline_.begin("rules", "Rules that are named above", Weight::Detail);
        for (const std::uint32_t rule : named_)
            add_text(rule);
        if (full_)
            outline_.page().element(
                "p", {{"class", "note"}},
                fmt::format(
                    "These are the first {} rules that are named; further names are not links.",
                    kMaxRules));
        outline_.end();
    }

  private:
    [[nodiscard]] const RuleFacts& facts(std::uint32_t rule) const {
        return chapter_.report.costs->costs.facts.rules[rule];
    }

    // Equal on every page with the rule, different between rules.
    [[nodiscard]] std::string id(std::uint32_t rule) const {
        std::string id = "rule";
        const auto add = [&](std::string_view part) {
            id += '.';
            for (const char c : part) {
                const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                   (c >= '0' && c <= '9') || c == '-';
                id += plain ? std::string(1, c)
                            : fmt::format("_{:02X}", static_cast<unsigned char>(c));
            }
        };
        const RuleFacts& known = facts(rule);
        add(known.agent ? "agent" : "game");
        if (known.agent) add(chapter_.report.summary.facts.agents[*known.agent]);
        add(known.group);
        add(known.name);
        return id;
    }

    // The group of a nested rule begins with the outer rule's name: "declare/action".
    [[nodiscard]] std::optional<std::uint32_t> around(std::uint32_t rule) const {
        const auto& rules = chapter_.report.costs->costs.facts.rules;
        std::string_view name = facts(rule).group;
        for (std::size_t end = name.rfind('/'); end != std::string_view::npos;
             end = name.rfind('/')) {
            name = name.substr(0, end);
            const auto found = std::ranges::find_if(rules, [&](const RuleFacts& each) {
                return each.agent == facts(rule).agent && each.name == name;
            });
            if (found != rules.end()) return static_cast<std::uint32_t>(found - rules.begin());
        }
        return std::nullopt;
    }

    void add_text(std::uint32_t rule) {
        const ProfileFacts& all = chapter_.report.costs->costs.facts;
        const RunFacts& run = chapter_.report.summary.facts;
        Markup& page = outline_.page();
        page.open("div", {{"class", "rule"}, {"id", outline_.link(id(rule)).substr(1)}});
        page.element("p", {{"class", "caption"}}, rule_title(all, rule, run));
        page.open("p", {{"class", "note"}}).element("code", {}, facts(rule).place);
        page.text(fmt::format("in {}", facts(rule).group));
        const auto outer = around(rule);
        if (outer && named_.contains(*outer)) {
            page.text(", inside ");
            page.element("a", {{"href", outline_.link(id(*outer))}}, rule_title(all, *outer, run));
        }
        page.close();
        const std::string& text = chapter_.rule_texts[rule];
        const std::string_view shown = shortened(text);
        page.element("pre", {}, shown);
        if (shown.size() < text.size())
            page.element(
                "p", {{"class", "note"}},
                fmt::format(
                    "The rest is left out: the rule has {} and {}.",
                    counted(static_cast<std::uint64_t>(std::ranges::count(text, '\n') + 1), "line"),
                    counted(text.size(), "byte")));
        page.close();
    }

    const RunChapter& chapter_;
    Outline& outline_;
    std::map<std::string, std::uint32_t, std::less<>> titles_; // of rules with texts
    std::set<std::uint32_t> named_;
    bool full_ = false; // a rule has no link, since the page has enough texts
};

constexpr std::size_t kBins = 24;
constexpr std::size_t kBars = 16;

// Empty if there is no interval.
std::string range_of(const Estimate& estimate, int decimals, double scale, bool sign = false) {
    return estimate.low || estimate.high ? interval(estimate, decimals, scale, sign)
                                         : std::string();
}

IntervalRow rate_row(const std::string& label, const Estimate& rate) {
    return {label, rate, percent(rate.value), range_of(rate, 1, 100), "", 0};
}

IntervalChart rates(ChartName name) {
    IntervalChart chart;
    chart.name = std::move(name);
    chart.in_percent = true;
    return chart;
}

std::string standings_chart(const Summary& summary) {
    IntervalChart chart = rates({"win-rates", "Win rates with 95 % intervals"});
    const std::size_t sides =
        summary.facts.teams.empty() ? summary.facts.players.size() : summary.facts.teams.size();
    if (sides > 0) chart.reference = 1 / static_cast<double>(sides);
    for (const std::uint32_t each : by_win_rate(summary))
        chart.rows.push_back(
            rate_row(summary.contestants[each].name, summary.contestants[each].win_rate));
    return interval_chart(chart);
}

std::string ratings_chart(const std::vector<std::pair<std::string, Rating>>& ratings) {
    IntervalChart chart;
    chart.name = {"ratings", "Ratings with 95 % intervals"};
    chart.reference = 0;
    for (const auto& [name, rating] : ratings) {
        const Estimate elo{rating.elo, rating.error, rating.low, rating.high};
        if (rating.with_prior)
            chart.rows.push_back({name, elo,
                                  fmt::format("({})", signed_fixed(rating.with_prior, 1)),
                                  "with a prior", "", 0});
        else
            chart.rows.push_back(
                {name, elo, signed_fixed(elo.value, 1), range_of(elo, 1, 1, true), "", 0});
    }
    std::ranges::stable_sort(chart.rows, [](const auto& one, const auto& other) {
        return one.estimate.value.value_or(-1e9) > other.estimate.value.value_or(-1e9);
    });
    return interval_chart(chart);
}

// Charts over the runs, of the metrics that a table has room for and of the time.
void add_history(Outline& outline, const HistorySeries& series) {
    const auto add = [&](const std::string& title, const std::string& id, bool in_percent,
                         const auto& value_of, const auto& told) {
        std::vector<TimePoint> points;
        for (const HistoryRun& run : series.runs)
            if (const Estimate value = value_of(run); value.value)
                points.push_back(
                    {run.started.substr(0, 10), run.revision, value, told(value), run.folder});
        if (points.size() < 2) return;
        outline.heading(headline(title));
        outline.page().raw(time_chart({id, title}, points, in_percent));
    };
    for (const std::size_t at : shown_metrics(series)) {
        const SweptMetric& metric = series.metrics[at];
        const bool share = is_share(metric);
        add(
            title_of(metric), std::string(name_of(metric)), share,
            [&](const HistoryRun& run) { return run.values[at]; },
            [&](const Estimate& value) {
                return value_text(metric, value.value) + " " +
                       interval(value, share ? 1 : 2, share ? kPercent : 1);
            });
    }
    add(
        "CPU time of a game, ns", "time", false,
        [](const HistoryRun& run) {
            return Estimate{run.ns, {}, {}, {}};
        },
        [](const Estimate& value) { return short_time(*value.value); });
}

std::string places_chart(ChartName name, const std::vector<PlaceRow>& places) {
    IntervalChart chart = rates(std::move(name));
    for (const PlaceRow& row : places)
        if (!row.agent) // the others are in the table
            chart.rows.push_back(rate_row(row.name, row.win_rate));
    return interval_chart(chart);
}

std::string costs_chart(const CostReport& report, const RunFacts& facts, RuleLinks& links) {
    const auto& [rules, table] = report.costs;
    std::vector<BarRow> bars;
    if (!table.has_times()) return {};
    for (const std::uint32_t rule : dearest_first(report.costs, true)) {
        const std::uint64_t ns = table.rule(rule).self_ns();
        const auto per_game = table.per_game(ns);
        if (ns == 0 || !per_game || bars.size() == kBars) break;
        bars.push_back({rule_title(rules, rule, facts), *per_game, short_time(*per_game),
                        fmt::format("{} {}", percent(table.share(ns).value),
                                    interval(table.share(ns), 1, kPercent)),
                        false, links.link(rule)});
    }
    return bars.empty() ? std::string()
                        : bar_chart({"rule-costs", "Own time of rules, a game"}, bars);
}

std::string stop_charts(const RunChapter& chapter) {
    std::string charts;
    for (const StopCourse& course : chapter.courses) {
        const bool test = course.status().rule == "sprt";
        charts +=
            course_chart({test ? "llr" : "width", test ? "Log-likelihood ratio by blocks played"
                                                       : "Widest interval by blocks played"},
                         course);
    }
    return charts;
}

std::string chart_of(const Section& section, const RunChapter& chapter, RuleLinks& links) {
    const Summary& summary = chapter.report.summary;
    if (section.id == "standings") return standings_chart(summary);
    if (section.id == "seats") return places_chart({"seats", "Win rates by seat"}, summary.seats);
    if (section.id == "roles") return places_chart({"roles", "Win rates by role"}, summary.roles);
    if (section.id == "lengths")
        return histogram_chart({"lengths", "Lengths of games, in moves"}, summary.plies.bins(kBins),
                               "games");
    if (section.id == "stop") return stop_charts(chapter);
    if (section.id == "costs" && chapter.report.costs)
        return costs_chart(*chapter.report.costs, summary.facts, links);
    return {};
}

Weight weight_of(std::string_view id) {
    for (const std::string_view answer : {"standings", "duel", "meetings", "stop"})
        if (id == answer) return Weight::Answer;
    for (const std::string_view figure : {"seats", "roles", "lengths"})
        if (id == figure) return Weight::Figure;
    return Weight::Detail;
}

void add_flames(Outline& outline, const RunChapter& chapter) {
    const auto& costs = chapter.report.costs;
    if (!costs || !costs->missing.empty() || !costs->costs.table.has_times()) return;
    const auto stacks = cost_stacks(costs->costs, chapter.report.summary.facts);
    const auto one = costs->costs.table.per_game(1);
    const std::string graph = flame_graph(stacks, one ? 1 / *one : 0);
    if (graph.empty()) return;
    outline.begin("flames", "Where the time goes", Weight::Detail);
    outline.page().element("p", {{"class", "note"}},
                           "Owner, phase, rule; below them the lines of its condition, where the "
                           "run has watched them (--profile full).");
    outline.page().raw(graph);
    outline.end();
}

void add_scores(Outline& outline, const RunChapter& chapter) {
    const bool any = std::ranges::any_of(chapter.scores,
                                         [](const auto& each) { return each.second.count() > 0; });
    if (!any) return;
    outline.begin("scores", "Scores", Weight::Figure);
    outline.page().element("p", {{"class", "note"}}, "The game's own points, by agent.");
    outline.page().open("div", {{"class", "multiples"}});
    Spread all;
    for (const auto& [agent, spread] : chapter.scores)
        all.add(spread);
    for (const auto& [agent, spread] : chapter.scores) {
        outline.page().open("div");
        outline.page().element("p", {{"class", "caption"}}, agent);
        outline.page().raw(
            spread_chart({"scores", "Scores of " + agent}, spread.bins_of(all, kBins), "scores"));
        outline.page().close();
    }
    outline.page().close();
    outline.end();
}

// Titles for rules that say what they do.
Section named(Section section, const RunChapter& chapter) {
    const auto& stop = chapter.report.status.stop;
    if (section.id == "duel") section.title = "head to head: " + section.title;
    if (section.id != "stop" || !stop) return section;
    const bool test = stop->rule == "sprt";
    section.title = test ? "sequential test" : "stop rule";
    for (std::string& note : section.notes)
        if (test && note.starts_with("sprt: ")) note.erase(0, std::string_view("sprt: ").size());
    return section;
}

} // namespace

std::string title_of(const CompareChapter& chapter) {
    return fmt::format("Comparison: {} against {}", chapter.summary.name_a, chapter.summary.name_b);
}

std::string title_of(const AblateChapter& chapter) {
    return fmt::format("{}: the rules of {}", chapter.summary.game, chapter.summary.agent);
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
    for (const Section& section : sections_of(chapter.summary))
        if (section.id == "worths")
            add_answer(outline, section, [&] { add_worths(outline, chapter.summary); });
        else if (section.id != "summary")
            outline.add(section, Weight::Figure);
}

std::string title_of(const SweepChapter& chapter) {
    return fmt::format("{}: a sweep of {} points", chapter.summary.game,
                       chapter.summary.points.size());
}

void add_chapter(Outline& outline, const SweepChapter& chapter) {
    for (const Section& section : sections_of(chapter.summary))
        if (section.id == "points")
            add_answer(outline, section, [&] { add_sweep(outline, chapter.summary); });
        else if (section.id != "summary")
            outline.add(section, Weight::Figure);
}

// A tuning: the course of each value, and the proof.

std::string title_of(const TuneChapter& chapter) {
    return fmt::format("{}: {} tuned", chapter.summary.game, chapter.summary.agent);
}

void add_chapter(Outline& outline, const TuneChapter& chapter) {
    for (const Section& section : sections_of(chapter.summary)) {
        if (section.id == "summary") continue;
        outline.begin(section.id, headline(section.title), Weight::Answer);
        if (section.id == "proof") {
            outline.page().raw(course_chart({"llr", "LLR"}, chapter.course));
        } else {
            outline.add_table(section, false);
            for (const TunedValue& value : chapter.summary.values) {
                const std::string chart = value_chart(value);
                if (chart.empty()) continue;
                outline.heading("Where " + value.name + " went");
                outline.page().raw(chart);
            }
        }
        outline.add_notes(section);
        outline.end();
    }
}

// A game over its runs.

std::string title_of(const HistoryChapter& chapter) {
    return chapter.summary.game + " over time";
}

void add_chapter(Outline& outline, const HistoryChapter& chapter) {
    const History& history = chapter.summary;
    std::size_t at = 0; // the series whose sections are added
    for (const Section& section : sections_of(history)) {
        if (section.id.starts_with("runs-"))
            add_answer(outline, section, [&] { add_history(outline, history.series[at++]); });
        else if (section.id.starts_with("changes-"))
            add_answer(outline, section,
                       [&] { add_differences(outline, *history.series[at - 1].change); });
        else if (section.id == "ratings") {
            std::vector<std::pair<std::string, Rating>> ratings;
            for (const HistoryRating& each : history.ratings)
                ratings.emplace_back(each.agent, each.rating);
            outline.add(section, Weight::Answer, ratings_chart(ratings));
        } else if (section.id != "summary" && !section.id.starts_with("summary-"))
            outline.add(section, Weight::Figure);
    }
}

std::optional<Regret> regret_of(const Json& json) {
    try {
        Regret regret{json.at("dd").get<std::uint64_t>(),
                      json.at("worlds").get<std::uint64_t>(),
                      json.at("games").get<std::uint64_t>(),
                      {},
                      {}};
        for (const Json& agent : json.at("agents")) {
            RegretRow row{agent.at("name").get<std::string>(),
                          agent.at("decisions").get<std::uint64_t>(),
                          agent.at("mistakes").get<std::uint64_t>(),
                          estimate_of_json(agent.at("loss")),
                          {}};
            if (regret.worlds > 0) row.known = estimate_of_json(agent.at("known_loss"));
            regret.agents.push_back(std::move(row));
        }
        for (const Json& each : json.at("blunders"))
            regret.blunders.push_back(
                {each.at("game").get<std::string>(), each.at("ply").get<std::uint64_t>(),
                 each.at("agent").get<std::string>(), each.at("player").get<std::string>(),
                 each.at("move").get<std::string>(), each.at("best").get<std::string>(),
                 each.at("loss").get<double>()});
        return regret;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

void add_regret(Outline& outline, const Regret& regret, std::span<const Replay> replays,
                const std::string& folder) {
    const Section losses = losses_of(regret);
    outline.begin(losses.id, losses.title, Weight::Figure);
    Markup& page = outline.page();
    page.raw(loss_chart(regret));
    outline.add_table(losses, false);
    outline.add_notes(losses);
    if (!regret.blunders.empty()) {
        outline.heading("The worst moves");
        page.open("ul", {{"class", "blunders"}});
        for (const BlunderRow& each : regret.blunders) {
            page.open("li");
            const std::string place = fmt::format("{}:{}", each.game, each.ply);
            const bool shown = is_shown(each, replays);
            if (shown)
                page.element("a",
                             {{"href", outline.link("games")},
                              {"data-game", each.game},
                              {"data-ply", std::to_string(each.ply)}},
                             place);
            page.text(fmt::format("{} {} ({}) played {}; {} would have made {:g} more",
                                  shown ? ":" : place + ":", each.agent, each.player, each.move,
                                  each.best, each.loss));
            if (!shown) {
                page.text(" (");
                page.element("code", {}, fmt::format("croupier replay {}:{}", folder, place));
                page.text(")");
            }
            page.close();
        }
        page.close();
    }
    outline.end();
}

// A run: the report's sections, with charts where these are clearer, and links to rules.

std::string title_of(const RunChapter& chapter) {
    return chapter.report.summary.facts.game;
}

std::vector<std::string> summary_of(const RunChapter& chapter) {
    std::vector<std::string> notes = sections_of(chapter.report, 0).front().notes;
    const std::string title = title_of(chapter) + ": "; // repeated in the heading above
    if (!notes.empty() && notes[0].starts_with(title)) notes[0].erase(0, title.size());
    return notes;
}

void add_chapter(Outline& outline, const RunChapter& chapter) {
    const Summary& summary = chapter.report.summary;
    if (summary.games == 0)
        outline.page().element("p", {{"class", "empty"}},
                               "This run is empty: no game has been played yet.");
    RuleLinks links(chapter, outline);
    for (const Section& each : sections_of(chapter.report, 0)) {
        if (each.id == "summary") continue; // shown below the title
        const Section section = named(each, chapter);
        if (section.id == "costs" || section.id == "coverage")
            outline.set_words([&](std::string_view text) { return links.linked(text); });
        outline.add(section, weight_of(section.id), chart_of(section, chapter, links));
        outline.set_words(html_text);
        if (section.id == "standings" && summary.contestants.size() > 2) {
            outline.begin("ratings", "Ratings", Weight::Answer);
            std::vector<std::pair<std::string, Rating>> ratings;
            for (const ContestantRow& row : summary.contestants)
                ratings.emplace_back(row.name, row.rating);
            outline.page().raw(ratings_chart(ratings));
            outline.end();
        }
        if (section.id == "lengths") add_scores(outline, chapter);
        if (section.id == "costs") add_flames(outline, chapter);
    }
    links.add_section();
    if (chapter.regret)
        add_regret(outline, *chapter.regret, chapter.replays, chapter.origin.folder);
    if (!chapter.replays.empty()) add_viewer(outline, chapter.replays);
}

} // namespace croupier::results
