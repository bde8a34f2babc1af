// The chapters of comparisons, ablations and tunings, and the section of what moves have lost.
#include "results/html/chapters.h"

#include "results/html/charts.h"
#include "results/html/page.h"
#include "results/report/compared.h"
#include "results/report/numbers.h"
#include "results/report/sections.h"
#include "results/report/tuning.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
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
        begin_section("regret", "What moves have lost", "agent|>decisions|>loss|95 %|>mistakes");
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
    section.notes.push_back(fmt::format(
        "By how many points the best move would have done better, with all cards seen and nobody "
        "erring from there on: the mean over decisions in {}, where at most {} moves were to come. "
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

// A tuning: where each value went, and whether it is worth it.

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

} // namespace croupier::results
