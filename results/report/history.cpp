// Text, JSON and CSV of a history.
#include "results/report/history.h"

#include "results/report/compared.h"
#include "results/report/numbers.h"
#include "results/store/games_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace croupier::results {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t kShiftsShown = 10;

std::string day_of(const std::string& time) {
    return time.substr(0, 10);
}

Section heading_of(const History& history) {
    Section section = begin_section("summary");
    std::uint64_t runs = 0;
    std::uint64_t repeated = 0;
    std::uint64_t games = 0;
    std::string first;
    std::string last;
    for (const HistorySeries& series : history.series)
        for (const HistoryRun& run : series.runs) {
            ++runs;
            repeated += run.repeated ? 1 : 0;
            games += run.repeated ? 0 : run.games;
            if (first.empty() || run.started < first) first = run.started;
            last = std::max(last, run.started);
        }
    section.notes.push_back(fmt::format("{}: {} in {}, {} to {}", history.game,
                                        counted(games, "game"), counted(runs, "run"), day_of(first),
                                        day_of(last)));
    if (repeated > 0)
        section.notes.push_back(fmt::format(
            "{} marked with =: another run has the same games and maybe more. It counts for times "
            "only.",
            repeated == 1 ? "One run is" : fmt::format("{} runs are", repeated)));
    return section;
}

Section runs_of(const HistorySeries& series, std::size_t number) {
    Section section =
        begin_section(fmt::format("runs-{}", number), title_of(series), "begun|revision|>games");
    const std::vector<std::size_t> shown = shown_metrics(series);
    for (const std::size_t metric : shown)
        section.table.columns.push_back({title_of(series.metrics[metric]), Align::Right});
    section.table.columns.push_back({"time", Align::Right});
    for (const HistoryRun& run : series.runs) {
        auto& row = section.table.rows.emplace_back();
        row = {day_of(run.started), run.revision,
               fmt::format("{}{}", run.repeated ? "= " : "", run.games)};
        for (const std::size_t metric : shown) {
            const SweptMetric& each = series.metrics[metric];
            const Estimate& value = run.values[metric];
            row.push_back(value_text(each, value.value));
            if (value.value && each.key.kind == MetricKind::Win)
                row.back() += " " + interval(value, 1, kPercent);
        }
        row.push_back(run.ns ? short_time(*run.ns) : "-");
    }
    for (std::size_t i = section.table.columns.size(); i-- > 4;)
        section.spare.push_back(i);
    return section;
}

std::string verdict_of(const CostShift& shift) {
    switch (shift.judgement.change) {
    case Change::Higher:
        return "slower";
    case Change::Lower:
        return "faster";
    case Change::TooFew:
        return "too few runs";
    default:
        return std::string(to_string(shift.judgement.change));
    }
}

Section costs_of(const HistorySeries& series, std::size_t number) {
    Section section = begin_section(fmt::format("costs-{}", number), "what a game takes",
                                    "rule|>A|>B|>B / A|>95 % of B - A|verdict", {4});
    for (const CostShift& shift : series.costs) {
        const Change change = shift.judgement.change;
        const bool sure = change == Change::Higher || change == Change::Lower;
        if (!shift.rule.empty() && !sure) continue;
        if (section.table.rows.size() > kShiftsShown) break;
        const double before = shift.before.value.value_or(0);
        const double now = shift.now.value.value_or(0);
        section.table.rows.push_back(
            {shift.rule.empty() ? "(all)" : shift.rule, short_time(before), short_time(now),
             before > 0 ? fmt::format("{:.2f}", now / before) : "-",
             shift.difference.low ? fmt::format("[{}, {}] ns", fixed(shift.difference.low, 0),
                                                fixed(shift.difference.high, 0))
                                  : "-",
             verdict_of(shift)});
    }
    section.notes.push_back(
        fmt::format("CPU time of {} and {} on one machine, and the rules that have surely changed "
                    "(--json has all). Each run counts once (Welch's test), as times differ more "
                    "between runs than within one; croupier compare tells more from fewer games, "
                    "as it plays both in turn.",
                    counted(series.costs.front().runs_before, "run"),
                    counted(series.costs.front().runs_now, "run")));
    return section;
}

void add_change(const HistorySeries& series, std::size_t number, std::vector<Section>& sections) {
    if (!series.change) return;
    for (Section& section : sections_of(*series.change)) {
        if (section.id == "summary") {
            section.notes = {fmt::format(
                "A is {}, in {}; B is {}, in {}; {} of these are the same.", series.change->name_a,
                counted(series.blocks_before, "deal"), series.change->name_b,
                counted(series.blocks_now, "deal"), series.blocks_shared)};
        }
        section.id += fmt::format("-{}", number);
        sections.push_back(std::move(section));
    }
    if (!series.costs.empty()) sections.push_back(costs_of(series, number));
}

Section ratings_of(const History& history) {
    Section section =
        begin_section("ratings", "ratings over all runs", "agent|>games|>Elo|>95 %", {1});
    bool prior = false;
    for (const HistoryRating& each : history.ratings) {
        const Rating& rating = each.rating;
        const auto elo = rating.elo ? rating.elo : rating.with_prior;
        prior |= !rating.elo && rating.with_prior;
        section.table.rows.push_back(
            {each.agent, std::to_string(each.games),
             (rating.elo || !elo ? "" : "(") + signed_fixed(elo, 1) +
                 (rating.elo || !elo ? "" : ")"),
             each.agent == history.anchor
                 ? ""
                 : interval({rating.elo, rating.error, rating.low, rating.high}, 1, 1, true)});
    }
    section.notes.push_back(
        history.anchor.empty()
            ? "One fit of all meetings, in games of all revisions; 0 is the mean."
            : fmt::format("One fit of all meetings, in games of all revisions; {} is {:g}.",
                          history.anchor, history.anchor_elo));
    if (prior)
        section.notes.emplace_back(
            "In brackets: who has won, or lost, everything, by a draw with the mean besides.");
    return section;
}

ordered_json rating_json(const HistoryRating& each) {
    const Rating& rating = each.rating;
    return {{"agent", each.agent},
            {"games", each.games},
            {"elo", estimate_json({rating.elo, rating.error, rating.low, rating.high})},
            {"with_prior", number_json(rating.with_prior)},
            {"group", rating.group}};
}

ordered_json run_json(const HistorySeries& series, const HistoryRun& run) {
    ordered_json metrics = ordered_json::array();
    for (std::size_t i = 0; i < series.metrics.size(); ++i)
        metrics.push_back(
            {{"metric", name_of(series.metrics[i])},
             {"of",
              series.metrics[i].of.empty() ? ordered_json() : ordered_json(series.metrics[i].of)},
             {"value", estimate_json(run.values[i])}});
    return {{"folder", run.folder},
            {"started", run.started},
            {"revision", run.revision},
            {"ruleset", run.ruleset},
            {"program", run.program},
            {"machine", run.machine},
            {"seed", run.seed},
            {"blocks", run.blocks},
            {"games", run.games},
            {"repeated", run.repeated},
            {"ns_a_game", number_json(run.ns)},
            {"metrics", std::move(metrics)}};
}

ordered_json shift_json(const CostShift& shift) {
    return {{"rule", shift.rule.empty() ? ordered_json() : ordered_json(shift.rule)},
            {"runs_a", shift.runs_before},
            {"runs_b", shift.runs_now},
            {"a_ns", estimate_json(shift.before)},
            {"b_ns", estimate_json(shift.now)},
            {"difference", estimate_json(shift.difference)},
            {"p", number_json(shift.judgement.p_value)},
            {"verdict", verdict_of(shift)}};
}

} // namespace

std::string title_of(const HistorySeries& series) {
    return fmt::format("{}", fmt::join(series.agents, " - "));
}

std::vector<std::size_t> shown_metrics(const HistorySeries& series) {
    std::vector<std::size_t> shown;
    std::size_t agents = 0;
    for (std::size_t i = 0; i < series.metrics.size(); ++i) {
        const MetricKey& key = series.metrics[i].key;
        const bool all = key.of == MetricKey::Scope::All;
        const bool agent = key.kind == MetricKind::Win && key.of == MetricKey::Scope::Agent;
        const bool draws = key.kind == MetricKind::Draws && all &&
                           std::ranges::any_of(series.runs, [&](const HistoryRun& run) {
                               return run.values[i].value.value_or(0) > 0;
                           });
        if ((key.kind == MetricKind::Length && all) || draws) shown.push_back(i);
        if (agent && (agents++ == 0 || series.agents.size() > 2))
            shown.insert(shown.begin() + static_cast<std::ptrdiff_t>(agents - 1), i);
    }
    return shown;
}

std::vector<Section> sections_of(const History& history) {
    std::vector<Section> sections{heading_of(history)};
    for (std::size_t i = 0; i < history.series.size(); ++i) {
        sections.push_back(runs_of(history.series[i], i + 1));
        add_change(history.series[i], i + 1, sections);
    }
    if (!history.ratings.empty()) sections.push_back(ratings_of(history));
    return sections;
}

nlohmann::ordered_json json_of(const History& history) {
    ordered_json list = ordered_json::array();
    for (const HistorySeries& series : history.series) {
        ordered_json runs = ordered_json::array();
        for (const HistoryRun& run : series.runs)
            runs.push_back(run_json(series, run));
        list.push_back({{"agents", series.agents}, {"runs", std::move(runs)}});
        if (!series.change) continue;
        list.back()["change"] = json_of(*series.change);
        list.back()["blocks_a"] = series.blocks_before;
        list.back()["blocks_b"] = series.blocks_now;
        list.back()["blocks_shared"] = series.blocks_shared;
        ordered_json& costs = list.back()["costs"] = ordered_json::array();
        for (const CostShift& shift : series.costs)
            costs.push_back(shift_json(shift));
    }
    ordered_json ratings = ordered_json::array();
    for (const HistoryRating& each : history.ratings)
        ratings.push_back(rating_json(each));
    return {{"kind", "history"},
            {"game", history.game},
            {"confidence", kConfidence},
            {"series", std::move(list)},
            {"anchor", history.anchor.empty() ? ordered_json() : ordered_json(history.anchor)},
            {"anchor_elo", history.anchor_elo},
            {"ratings", std::move(ratings)}};
}

std::string csv_of(const History& history) {
    std::string text = "agents,folder,started,revision,ruleset,program,machine,seed,blocks,games,"
                       "repeated,metric,of,value,error,low,high\n";
    const auto told = [](std::optional<double> value) {
        return value ? fmt::format("{}", *value) : std::string();
    };
    for (const HistorySeries& series : history.series)
        for (const HistoryRun& run : series.runs) {
            std::string head;
            for (const std::string& cell : {title_of(series), run.folder, run.started, run.revision,
                                            run.ruleset, run.program, run.machine})
                head += csv_cell(cell) + ",";
            head += fmt::format("{},{},{},{:d}", run.seed, run.blocks, run.games, run.repeated);
            for (std::size_t i = 0; i < series.metrics.size(); ++i) {
                const Estimate& value = run.values[i];
                text += fmt::format("{},{},{},{},{},{},{}\n", head, name_of(series.metrics[i]),
                                    csv_cell(series.metrics[i].of), told(value.value),
                                    told(value.error), told(value.low), told(value.high));
            }
            if (run.ns) text += fmt::format("{},ns_a_game,,{},,,\n", head, *run.ns);
        }
    return text;
}

} // namespace croupier::results
