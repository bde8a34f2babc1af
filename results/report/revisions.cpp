// A comparison of revisions for people and programs; see compared.h.
#include "results/report/compared.h"

#include "results/report/csv_rows.h"
#include "results/report/json_numbers.h"
#include "results/report/numbers.h"
#include "results/statistics/normal.h"
#include "results/statistics/student.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace croupier::results {
namespace {

constexpr std::size_t kCostsShown = 10;

std::string title_of(const ChangeRow& row) {
    return std::string(name_of(row.kind)) + (row.of.empty() ? "" : " " + row.of);
}

std::string value_of(const ChangeRow& row, const Estimate& estimate) {
    return is_share(row.kind) ? percent(estimate.value) : fixed(estimate.value, 2);
}

std::vector<std::string> cells_of(const ChangeRow& row) {
    const bool share = is_share(row.kind);
    const double scale = share ? kPercent : 1;
    auto difference = row.difference.value;
    if (difference) *difference *= scale;
    return {title_of(row),
            value_of(row, row.under_a),
            value_of(row, row.under_b),
            signed_fixed(difference, share ? 1 : 2),
            interval(row.difference, share ? 1 : 2, scale, true),
            p_value(row.judgement.p_value),
            verdict_text(row.judgement, row.games_to_decide)};
}

// "2 % for rates, 3 for length"
std::string margins_text(const std::vector<ChangeRow>& rows) {
    std::vector<std::string> told;
    for (const ChangeRow& row : rows) {
        if (!(row.margin > 0)) continue;
        const std::string text =
            is_share(row.kind)
                ? fmt::format("{} {:.4g} %", name_of(row.kind), row.margin * kPercent)
                : fmt::format("{} {:.4g}", name_of(row.kind), row.margin);
        if (std::find(told.begin(), told.end(), text) == told.end()) told.push_back(text);
    }
    return fmt::format("{}", fmt::join(told, ", "));
}

// What it says of all deals that none of these is different: no more than (1 - q)^N = 5 % allows.
std::string at_most_text(std::uint64_t blocks) {
    if (blocks == 0) return "";
    const double most = most_likely_above(0, static_cast<double>(blocks), 1 - kConfidence);
    return fmt::format(", so at most {} of deals are (95 %, one-sided)", percent(most));
}

Section heading_of(const RevisionSummary& summary) {
    Section section;
    section.id = "summary";
    section.notes.push_back(fmt::format(
        "A is {}, B is {}: {} of each in {}, seed {}{}{}", summary.name_a, summary.name_b,
        counted(summary.games, "game"), counted(summary.blocks, "deal"), summary.seed,
        told_starts(summary.starts), summary.interrupted ? "; interrupted" : ""));
    if (summary.alike > 0)
        section.notes.push_back(fmt::format("{} of {} went the same way under both, move for move.",
                                            summary.alike, counted(summary.blocks, "deal")));
    return section;
}

Section changes_of(const RevisionSummary& summary) {
    Section section;
    section.id = "changes";
    section.title = "what changes";
    section.table.columns = {{"metric"},
                             {"A", Align::Right},
                             {"B", Align::Right},
                             {"B - A", Align::Right},
                             {"95 %", Align::Right},
                             {"p", Align::Right},
                             {"verdict"}};
    section.spare = {5};
    std::vector<std::string> same;
    std::vector<ChangeRow> tested;
    for (const ChangeRow& row : summary.rows) {
        if (row.differing == 0) {
            same.push_back(fmt::format("{} {}", title_of(row), value_of(row, row.under_a)));
            continue;
        }
        section.table.rows.push_back(cells_of(row));
        tested.push_back(row);
    }
    if (!same.empty())
        section.notes.push_back(fmt::format("Not different in any deal{}: {}.",
                                            at_most_text(summary.blocks), fmt::join(same, ", ")));
    if (tested.empty()) return section;
    if (summary.corrected_for > 0) {
        const auto corrected =
            std::count_if(tested.begin(), tested.end(), [](const ChangeRow& row) {
                return row.judgement.p_value || row.judgement.equivalence_p_value;
            });
        const bool twice = static_cast<std::uint64_t>(corrected) > summary.corrected_for;
        section.notes.push_back(fmt::format(
            "Each interval is for itself; verdicts and p are corrected for {} together (Holm){}.",
            counted(summary.corrected_for, "metric"),
            twice ? "; the wins of two sides, or of two agents, are one metric" : ""));
    }
    if (std::any_of(tested.begin(), tested.end(),
                    [](const ChangeRow& row) { return row.games_to_decide.has_value(); }))
        section.notes.emplace_back(kGamesToDecide);
    if (std::any_of(tested.begin(), tested.end(),
                    [](const ChangeRow& row) { return row.difference.doubtful; }))
        section.notes.emplace_back(kDoubtful);
    if (const std::string margins = margins_text(tested); !margins.empty())
        section.notes.push_back(
            fmt::format("Equivalent: surely apart by less than the margin ({}).", margins));
    return section;
}

// Those that changed most; the rest is for programs.
void add_rule_costs(const std::vector<CostChange>& costs, Section& section) {
    section.table.columns = {{"rule"},
                             {"A ns", Align::Right},
                             {"B ns", Align::Right},
                             {"ratio", Align::Right},
                             {"95 %", Align::Right},
                             {"in B"}};
    section.spare = {3};
    const auto number = [](const std::optional<double>& value, int decimals) {
        return value ? fixed(value, decimals) : std::string("-");
    };
    constexpr std::size_t kSums = 2; // of the game and of all rules
    for (std::size_t i = 0; i < std::min(costs.size(), kCostsShown + kSums); ++i) {
        const CostChange& change = costs[i];
        section.table.rows.push_back({cost_title(change), number(change.old, 0),
                                      number(change.now, 0), number(change.ratio, 2),
                                      ratio_interval(change),
                                      std::string(name_of(change.verdict))});
    }
    section.notes.push_back(fmt::format(
        "CPU time, ns a game, in rounds that took turns; of rules by ticks that found them at "
        "work. Intervals are corrected for all rows together; same: no more than {:.0f} % apart.",
        kPercent * kSameWithin));
    if (costs.size() > kCostsShown + kSums)
        section.notes.push_back(counted(costs.size() - kCostsShown - kSums, "further rule") +
                                " whose time changed less; --json has all.");
}

Section cost_of(const RevisionSummary& summary) {
    Section section;
    section.id = "costs";
    section.title = "cost";
    constexpr double kMicro = 1e6;
    const double a = *summary.seconds_a * kMicro;
    const double b = *summary.seconds_b * kMicro;
    section.notes.push_back(fmt::format("A {:.1f} us a game, B {:.1f} us by the clock, in turn on "
                                        "the same deals, in the later half "
                                        "of them.",
                                        a, b));
    if (!summary.costs.empty()) add_rule_costs(summary.costs, section);
    return section;
}

} // namespace

std::string cost_title(const CostChange& change) {
    // Rules without a name are called by their place, group included.
    const bool whole = change.group.empty() || change.name.find('/') != std::string::npos;
    return whole ? change.name : fmt::format("{}.{}", change.group, change.name);
}

std::string ratio_interval(const CostChange& change) {
    if (!change.low || !change.high) return "-";
    return fmt::format("[{:.2f}, {:.2f}]", *change.low, *change.high);
}

std::string verdict_text(const Judgement& judgement, std::optional<double> games_to_decide) {
    return with_games(std::string(to_string(judgement.change)), games_to_decide);
}

std::string with_games(const std::string& words, std::optional<double> games_to_decide) {
    if (!games_to_decide) return words;
    // Two digits: more would claim to know the spread better than the data do.
    const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(*games_to_decide)) - 1));
    return words + fmt::format(" ({:.0f})", std::ceil(*games_to_decide / unit) * unit);
}

std::vector<Section> sections_of(const RevisionSummary& summary) {
    std::vector<Section> sections{heading_of(summary)};
    if (!summary.rows.empty()) sections.push_back(changes_of(summary));
    if (summary.seconds_a && summary.seconds_b) sections.push_back(cost_of(summary));
    return sections;
}

namespace {

nlohmann::ordered_json costs_json(const std::vector<CostChange>& costs) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const CostChange& change : costs) {
        rows.push_back({{"owner", change.owner},
                        {"group", change.group},
                        {"rule", change.name},
                        {"a_ns", number_json(change.old)},
                        {"b_ns", number_json(change.now)},
                        {"ratio", number_json(change.ratio)},
                        {"low", number_json(change.low)},
                        {"high", number_json(change.high)},
                        {"verdict", name_of(change.verdict)}});
    }
    return rows;
}

} // namespace

nlohmann::ordered_json json_of(const RevisionSummary& summary) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const ChangeRow& row : summary.rows) {
        rows.push_back(
            {{"metric", name_of(row.kind)},
             {"of", row.of.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(row.of)},
             {"a", estimate_json(row.under_a)},
             {"b", estimate_json(row.under_b)},
             {"difference", estimate_json(row.difference)},
             {"differing", row.differing},
             {"correlation", number_json(row.correlation)},
             {"games_saved", number_json(row.games_saved)},
             {"margin", row.margin},
             {"p", number_json(row.judgement.p_value)},
             {"equivalence_p", number_json(row.judgement.equivalence_p_value)},
             {"verdict", to_string(row.judgement.change)},
             {"games_to_decide", number_json(row.games_to_decide)}});
    }
    nlohmann::ordered_json object{{"kind", "compare"},
                                  {"format", kComparedFormat},
                                  {"compares", summary.of_agents ? "agents" : "games"},
                                  {"a", summary.name_a},
                                  {"b", summary.name_b},
                                  {"seed", summary.seed},
                                  {"starts", summary.starts},
                                  {"blocks", summary.blocks},
                                  {"games", summary.games},
                                  {"alike", summary.alike},
                                  {"interrupted", summary.interrupted},
                                  {"confidence", kConfidence},
                                  {"corrected_for", summary.corrected_for},
                                  {"metrics", std::move(rows)}};
    if (summary.seconds_a && summary.seconds_b)
        object["seconds_a_game"] = {{"a", *summary.seconds_a}, {"b", *summary.seconds_b}};
    if (!summary.costs.empty()) object["rule_costs"] = costs_json(summary.costs);
    return object;
}

std::string csv_of(const RevisionSummary& summary) {
    CsvRows rows;
    rows.count("compare", summary.name_a, summary.name_b, "blocks", summary.blocks);
    rows.count("compare", summary.name_a, summary.name_b, "games", summary.games);
    rows.count("compare", summary.name_a, summary.name_b, "alike", summary.alike);
    rows.count("compare", summary.name_a, summary.name_b, "corrected_for", summary.corrected_for);
    for (const ChangeRow& row : summary.rows) {
        const std::string metric(name_of(row.kind));
        rows.add(metric, row.of, "a", "value", row.under_a);
        rows.add(metric, row.of, "b", "value", row.under_b);
        rows.add(metric, row.of, "b-a", "value", row.difference);
        rows.add(metric, row.of, "b-a", "p", row.judgement.p_value);
        rows.add(metric, row.of, "b-a", "equivalence_p", row.judgement.equivalence_p_value);
        rows.add(metric, row.of, std::string(to_string(row.judgement.change)), "games_to_decide",
                 row.games_to_decide);
    }
    if (summary.seconds_a) rows.add("cost", summary.name_a, "", "seconds", summary.seconds_a);
    if (summary.seconds_b) rows.add("cost", summary.name_b, "", "seconds", summary.seconds_b);
    for (const CostChange& change : summary.costs) {
        rows.add("rule", cost_title(change), change.owner, "a_ns", change.old);
        rows.add("rule", cost_title(change), change.owner, "b_ns", change.now);
        rows.add("rule", cost_title(change), change.owner, "ratio", change.ratio);
    }
    return rows.text();
}

} // namespace croupier::results
