// What rules are worth, for people and programs; see compared.h.
#include "results/report/compared.h"

#include "results/report/csv_rows.h"
#include "results/report/json_numbers.h"
#include "results/report/numbers.h"
#include "results/statistics/normal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace croupier::results {
namespace {

// With and without the rule, told from the rule's side.
std::string verdict_of(const WorthRow& row, std::uint64_t blocks) {
    const bool idle = row.alike == blocks;
    switch (row.judgement.change) {
    case Change::Higher:
        return "helps";
    case Change::Lower:
        return "hurts";
    case Change::Equivalent:
        return idle ? "idle" : "no matter";
    case Change::TooFew:
    case Change::Constant:
        break;
    case Change::Undecided:
        if (idle) return with_games("idle so far", row.games_to_decide);
        break;
    }
    return verdict_text(row.judgement, row.games_to_decide);
}

bool is_timed(const AblationSummary& summary) {
    return std::any_of(summary.rows.begin(), summary.rows.end(),
                       [](const WorthRow& row) { return row.rule.cost_ns.has_value(); });
}

Section heading_of(const AblationSummary& summary) {
    Section section;
    section.id = "summary";
    section.notes.push_back(fmt::format(
        "{}: {} against {}, {} with all rules and as many without each, in {}, seed {}{}{}",
        summary.game, summary.agent, fmt::join(summary.against, ", "),
        counted(summary.games, "game"), counted(summary.blocks, "deal"), summary.seed,
        told_starts(summary.starts), summary.interrupted ? "; interrupted" : ""));
    section.notes.push_back(fmt::format("With all rules: win rate {} {}, block score {} {}.",
                                        percent(summary.win_rate.value),
                                        interval(summary.win_rate, 1, kPercent),
                                        fixed(summary.score.value, 3), interval(summary.score, 3)));
    return section;
}

std::vector<std::string> cells_of(const WorthRow& row, std::uint64_t blocks, bool timed) {
    auto wins = row.win_rate.value;
    if (wins) *wins *= kPercent;
    std::vector<std::string> cells{row.rule.name,
                                   row.rule.group,
                                   signed_fixed(wins, 1),
                                   interval(row.win_rate, 1, kPercent, true),
                                   signed_fixed(row.points.value, 2),
                                   elo_text(row.elo, 1),
                                   elo_interval(row.elo, 1),
                                   p_value(row.judgement.p_value)};
    if (timed) {
        cells.push_back(row.rule.cost_ns ? fixed(row.rule.cost_ns, 0) : "");
        const Estimate& worth = row.elo_per_us;
        cells.push_back(worth.value ? signed_fixed(worth.value, 1) : "");
        cells.push_back(worth.value ? interval(worth, 1, 1, true) : "");
    }
    cells.push_back(verdict_of(row, blocks));
    return cells;
}

Section worths_of(const AblationSummary& summary) {
    Section section;
    section.id = "worths";
    section.title = "what each rule is worth";
    const bool timed = is_timed(summary);
    section.table.columns = {{"rule"},
                             {"in"},
                             {"wins", Align::Right},
                             {"95 %", Align::Right},
                             {"points", Align::Right},
                             {"Elo", Align::Right},
                             {"95 %", Align::Right},
                             {"p", Align::Right}};
    section.spare = {3, 7, 1, 4, 2};
    if (timed) {
        section.table.columns.push_back({"ns", Align::Right});
        section.table.columns.push_back({"Elo/us", Align::Right});
        section.table.columns.push_back({"95 %", Align::Right});
    }
    section.table.columns.push_back({"verdict", Align::Right});
    for (const WorthRow& row : summary.rows)
        section.table.rows.push_back(cells_of(row, summary.blocks, timed));
    section.notes.emplace_back(
        "The agent with the rule over the agent without it, on the same deals: above 0, it helps. "
        "Wins in percent of games; an idle rule has changed no move.");
    if (timed)
        section.notes.emplace_back("ns: the rule's time in a decision, where enough ticks have "
                                   "found it. Elo/us: the Elo that it "
                                   "would be worth if it took a microsecond.");
    if (std::any_of(summary.rows.begin(), summary.rows.end(),
                    [](const WorthRow& row) { return row.games_to_decide.has_value(); }))
        section.notes.emplace_back(kGamesToDecide);
    section.notes.push_back(
        fmt::format("Each interval is for itself; verdicts are on the block score{}{}.",
                    summary.corrected_for > 0 ? fmt::format(", corrected for {} together (Holm)",
                                                            counted(summary.corrected_for, "rule"))
                                              : "",
                    summary.margin > 0
                        ? fmt::format("; no matter: surely less than {:.4g} of it", summary.margin)
                        : ""));
    return section;
}

} // namespace

std::vector<Section> sections_of(const AblationSummary& summary) {
    return {heading_of(summary), worths_of(summary)};
}

nlohmann::ordered_json json_of(const AblationSummary& summary) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const WorthRow& row : summary.rows) {
        nlohmann::ordered_json object{
            {"rule", row.rule.name},
            {"group", row.rule.group},
            {"win_rate", estimate_json(row.win_rate)},
            {"points", estimate_json(row.points)},
            {"score", estimate_json(row.score)},
            {"elo", estimate_json(row.elo)},
            {"alike", row.alike},
            {"p", number_json(row.judgement.p_value)},
            {"equivalence_p", number_json(row.judgement.equivalence_p_value)},
            {"verdict", to_string(row.judgement.change)},
            {"games_to_decide", number_json(row.games_to_decide)}};
        if (row.rule.cost_ns) {
            object["ns_a_decision"] = *row.rule.cost_ns;
            object["elo_per_us"] = number_json(row.elo_per_us.value);
            object["elo_per_us_low"] = number_json(row.elo_per_us.low);
            object["elo_per_us_high"] = number_json(row.elo_per_us.high);
        }
        rows.push_back(std::move(object));
    }
    return {{"kind", "ablate"},
            {"format", kComparedFormat},
            {"game", summary.game},
            {"agent", summary.agent},
            {"against", summary.against},
            {"seed", summary.seed},
            {"starts", summary.starts},
            {"blocks", summary.blocks},
            {"games", summary.games},
            {"interrupted", summary.interrupted},
            {"confidence", kConfidence},
            {"corrected_for", summary.corrected_for},
            {"margin", summary.margin},
            {"win_rate", estimate_json(summary.win_rate)},
            {"points", estimate_json(summary.points)},
            {"score", estimate_json(summary.score)},
            {"rules", std::move(rows)}};
}

std::string csv_of(const AblationSummary& summary) {
    CsvRows rows;
    rows.count("ablate", summary.agent, "", "blocks", summary.blocks);
    rows.count("ablate", summary.agent, "", "games", summary.games);
    rows.count("ablate", summary.agent, "", "corrected_for", summary.corrected_for);
    rows.add("ablate", summary.agent, "", "win_rate", summary.win_rate);
    rows.add("ablate", summary.agent, "", "points", summary.points);
    rows.add("ablate", summary.agent, "", "score", summary.score);
    for (const WorthRow& row : summary.rows) {
        const std::string& name = row.rule.name;
        const std::string& group = row.rule.group;
        rows.add("rule", name, group, "win_rate", row.win_rate);
        rows.add("rule", name, group, "points", row.points);
        rows.add("rule", name, group, "score", row.score);
        rows.add("rule", name, group, "elo", row.elo);
        rows.count("rule", name, group, "alike", row.alike);
        rows.add("rule", name, group, "p", row.judgement.p_value);
        rows.add("rule", name, group, "equivalence_p", row.judgement.equivalence_p_value);
        if (row.rule.cost_ns) rows.add("rule", name, group, "ns_a_decision", row.rule.cost_ns);
        if (row.elo_per_us.value) rows.add("rule", name, group, "elo_per_us", row.elo_per_us);
    }
    return rows.text();
}

} // namespace croupier::results
