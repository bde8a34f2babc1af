// Comparisons, ablations, sweeps and tunings for people and programs; reads all but the last back.
#include "results/report/compared.h"

#include "results/report/numbers.h"
#include "results/report/sections.h"
#include "results/statistics/means.h"
#include "results/store/games_file.h"
#include "results/store/json_field.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace croupier::results {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kCostsCompared = 10;

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
        if (std::ranges::find(told, text) == told.end()) told.push_back(text);
    }
    return fmt::format("{}", fmt::join(told, ", "));
}

// The upper bound for all deals if none of these differs: (1 - q)^N = 5 %.
std::string at_most_text(std::uint64_t blocks) {
    if (blocks == 0) return "";
    const double most = most_likely_above(0, static_cast<double>(blocks), 1 - kConfidence);
    return fmt::format(", so at most {} of deals are (95 %, one-sided)", percent(most));
}

Section heading_of(const RevisionSummary& summary) {
    Section section = begin_section("summary");
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
    Section section =
        begin_section("changes", "what changes", "metric|>A|>B|>B - A|>95 %|>p|verdict", {5});
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
        const auto corrected = std::ranges::count_if(tested, [](const ChangeRow& row) {
            return row.judgement.p_value || row.judgement.equivalence_p_value;
        });
        const bool twice = static_cast<std::uint64_t>(corrected) > summary.corrected_for;
        section.notes.push_back(fmt::format(
            "Intervals are uncorrected; verdicts and p are corrected for {} together (Holm){}.",
            counted(summary.corrected_for, "metric"),
            twice ? "; the wins of two sides, or of two agents, are one metric" : ""));
    }
    if (std::ranges::any_of(tested,
                            [](const ChangeRow& row) { return row.games_to_decide.has_value(); }))
        section.notes.emplace_back(kGamesToDecide);
    if (std::ranges::any_of(tested, [](const ChangeRow& row) { return row.difference.doubtful; }))
        section.notes.emplace_back(kDoubtful);
    if (const std::string margins = margins_text(tested); !margins.empty())
        section.notes.push_back(
            fmt::format("Equivalent: shown to differ by less than the margin ({}).", margins));
    return section;
}

// The rules that changed most; the others are only for programs.
void add_rule_costs(const std::vector<CostChange>& costs, Section& section) {
    add_columns(section, "rule|>A ns|>B ns|>ratio|>95 %|in B");
    section.spare = {3};
    const auto number = [](const std::optional<double>& value, int decimals) {
        return value ? fixed(value, decimals) : std::string("-");
    };
    constexpr std::size_t kSums = 2; // for the game and for all rules
    for (std::size_t i = 0; i < std::min(costs.size(), kCostsCompared + kSums); ++i) {
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
    if (costs.size() > kCostsCompared + kSums)
        section.notes.push_back(counted(costs.size() - kCostsCompared - kSums, "further rule") +
                                " whose time changed less; --json has all.");
}

Section cost_of(const RevisionSummary& summary) {
    Section section = begin_section("costs", "cost");
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

// The verdict with and without the rule, from the rule's side.
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
    return std::ranges::any_of(summary.rows,
                               [](const WorthRow& row) { return row.rule.cost_ns.has_value(); });
}

Section heading_of(const AblationSummary& summary) {
    Section section = begin_section("summary");
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
    const bool timed = is_timed(summary);
    Section section = begin_section("worths", "what each rule is worth",
                                    "rule|in|>wins|>95 %|>points|>Elo|>95 %|>p", {3, 7, 1, 4, 2});
    if (timed) add_columns(section, ">ns|>Elo/us|>95 %");
    add_columns(section, ">verdict");
    for (const WorthRow& row : summary.rows)
        section.table.rows.push_back(cells_of(row, summary.blocks, timed));
    section.notes.emplace_back(
        "The agent with the rule over the agent without it, on the same deals: above 0, it helps. "
        "Wins in percent of games; an idle rule has changed no move.");
    if (timed)
        section.notes.emplace_back("ns: the rule's time in a decision, where enough ticks have "
                                   "found it. Elo/us: the Elo that it "
                                   "would be worth if it took a microsecond.");
    if (std::ranges::any_of(summary.rows,
                            [](const WorthRow& row) { return row.games_to_decide.has_value(); }))
        section.notes.emplace_back(kGamesToDecide);
    section.notes.push_back(fmt::format(
        "Intervals are uncorrected; verdicts are on the block score{}{}.",
        summary.corrected_for > 0 ? fmt::format(", corrected for {} together (Holm)",
                                                counted(summary.corrected_for, "rule"))
                                  : "",
        summary.margin > 0
            ? fmt::format("; no matter: shown to be less than {:.4g} of it", summary.margin)
            : ""));
    return section;
}

using nlohmann::ordered_json;

std::optional<double> number_at(const JsonField& json, const char* key) {
    const JsonField value = json.at(key);
    return value.value().is_null() ? std::nullopt : std::optional(value.real());
}

std::uint64_t count_at(const JsonField& json, const char* key) {
    return json.at(key).number(0, ~std::uint64_t{0});
}

Estimate estimate_at(const JsonField& json, const char* key) {
    const JsonField value = json.at(key);
    const auto one_sided = value.find("one_sided");
    const auto doubtful = value.find("doubtful");
    return {number_at(value, "value"),       number_at(value, "error"),
            number_at(value, "low"),         number_at(value, "high"),
            one_sided && one_sided->truth(), doubtful && doubtful->truth()};
}

Change change_at(const JsonField& json) {
    return change_named(json.at("verdict").text()).value_or(Change::Undecided);
}

// The file has the number of games needed, not that of blocks.
Judgement judgement_of(const JsonField& json) {
    return {change_at(json), number_at(json, "p"), number_at(json, "equivalence_p"), std::nullopt};
}

ChangeRow change_row(const JsonField& json) {
    ChangeRow row;
    const auto metric = json.at("metric").text();
    row.kind = metric_of(metric).value_or(MetricKind::Win);
    if (!json.at("of").value().is_null()) row.of = json.at("of").text();
    row.under_a = estimate_at(json, "a");
    row.under_b = estimate_at(json, "b");
    row.difference = estimate_at(json, "difference");
    row.differing = count_at(json, "differing");
    row.correlation = number_at(json, "correlation");
    row.games_saved = number_at(json, "games_saved");
    row.margin = json.at("margin").real();
    row.judgement = judgement_of(json);
    row.games_to_decide = number_at(json, "games_to_decide");
    return row;
}

WorthRow worth_row(const JsonField& json) {
    WorthRow row;
    row.rule.name = json.at("rule").text();
    row.rule.group = json.at("group").text();
    if (json.find("ns_a_decision")) {
        row.rule.cost_ns = number_at(json, "ns_a_decision");
        row.elo_per_us.value = number_at(json, "elo_per_us");
        row.elo_per_us.low = number_at(json, "elo_per_us_low");
        row.elo_per_us.high = number_at(json, "elo_per_us_high");
    }
    row.win_rate = estimate_at(json, "win_rate");
    row.points = estimate_at(json, "points");
    row.score = estimate_at(json, "score");
    row.elo = estimate_at(json, "elo");
    row.alike = count_at(json, "alike");
    row.judgement = judgement_of(json);
    row.games_to_decide = number_at(json, "games_to_decide");
    return row;
}

CostChange cost_change(const JsonField& json) {
    CostChange change;
    change.owner = json.at("owner").text();
    change.group = json.at("group").text();
    change.name = json.at("rule").text();
    change.old = number_at(json, "a_ns");
    change.now = number_at(json, "b_ns");
    change.ratio = number_at(json, "ratio");
    change.low = number_at(json, "low");
    change.high = number_at(json, "high");
    change.verdict = cost_verdict_of(json.at("verdict").text()).value_or(change.verdict);
    return change;
}

template <class Summary>
void read_played(const JsonField& json, Summary& into) {
    into.seed = count_at(json, "seed");
    into.starts = count_at(json, "starts");
    into.blocks = count_at(json, "blocks");
    into.games = count_at(json, "games");
    into.interrupted = json.at("interrupted").truth();
}

void read(const JsonField& json, RevisionSummary& into) {
    into.of_agents = json.at("compares").text() == "agents";
    into.name_a = json.at("a").text();
    into.name_b = json.at("b").text();
    read_played(json, into);
    into.alike = count_at(json, "alike");
    into.corrected_for = count_at(json, "corrected_for");
    for (const JsonField& row : json.at("metrics").items())
        into.rows.push_back(change_row(row));
    if (const auto seconds = json.find("seconds_a_game")) {
        into.seconds_a = number_at(*seconds, "a");
        into.seconds_b = number_at(*seconds, "b");
    }
    if (!json.find("rule_costs")) return;
    for (const JsonField& row : json.at("rule_costs").items())
        into.costs.push_back(cost_change(row));
}

void read(const JsonField& json, AblationSummary& into) {
    into.game = json.at("game").text();
    into.agent = json.at("agent").text();
    into.against = json.at("against").texts();
    read_played(json, into);
    into.margin = json.at("margin").real();
    into.corrected_for = count_at(json, "corrected_for");
    into.win_rate = estimate_at(json, "win_rate");
    into.points = estimate_at(json, "points");
    into.score = estimate_at(json, "score");
    for (const JsonField& row : json.at("rules").items())
        into.rows.push_back(worth_row(row));
}

std::string number(double value) {
    return fmt::format("{:.6g}", value);
}

// Sweeps.

std::string value_name(const SweepDesign& design, std::uint32_t factor, std::uint32_t value) {
    return design.factors[factor].name + "=" + design.factors[factor].values[value];
}

// Higher, lower or equivalent, as a mark behind a number.
std::string_view mark_of(const SweepCell& cell) {
    if (!cell.judgement) return "  ";
    switch (cell.judgement->change) {
    case Change::Higher:
        return " +";
    case Change::Lower:
        return " -";
    case Change::Equivalent:
        return " =";
    case Change::Constant:
        return " *";
    case Change::TooFew:
    case Change::Undecided:
        break;
    }
    return "  ";
}

bool is_decided(const SweepCell& cell) {
    return mark_of(cell) == " +" || mark_of(cell) == " -";
}

Section heading_of(const SweepSummary& summary) {
    Section section = begin_section("summary");
    const std::size_t given_up = std::ranges::count_if(summary.points, &SweepPoint::given_up);
    section.notes.push_back(
        fmt::format("{}: {} points, {} in {}, seed {}{}{}", summary.game, summary.points.size(),
                    counted(summary.games, "game"), counted(summary.blocks, "deal"), summary.seed,
                    told_starts(summary.starts), summary.interrupted ? "; interrupted" : ""));
    if (summary.sought.empty()) return section;
    std::vector<std::string> sought;
    std::vector<std::string> best;
    for (const Sought& each : summary.sought)
        sought.push_back(each.text());
    for (std::size_t i = 0; i < summary.points.size(); ++i)
        if (summary.points[i].among_best) best.push_back(std::to_string(i + 1));
    std::string told = fmt::format("Sought: {}. ", fmt::join(sought, ", "));
    if (best.empty())
        told += "No point has it.";
    else if (best.size() == summary.points.size())
        told += "No point is surely worse than another (95 %, all together).";
    else
        told += fmt::format("Not surely worse than another point{} (95 %, all together): {}.",
                            sought.size() > 1 ? " in all of that" : "", fmt::join(best, ", "));
    if (given_up > 0)
        told += fmt::format(" {} {} given up on the way.", counted(given_up, "point"),
                            given_up == 1 ? "was" : "were");
    section.notes.push_back(told);
    return section;
}

void add_metrics(const SweepSummary& summary, const std::vector<std::size_t>& shown,
                 Section& section) {
    for (const std::size_t metric : shown) {
        section.spare.insert(section.spare.begin(), section.table.columns.size());
        section.table.columns.push_back({title_of(summary.metrics[metric]), Align::Right});
    }
    if (!section.spare.empty()) section.spare.pop_back(); // the first one stays
}

std::string difference_cell(const SweptMetric& metric, const SweepCell& cell) {
    if (!cell.difference.value) return "";
    const bool share = is_share(metric);
    return signed_fixed(*cell.difference.value * (share ? kPercent : 1), share ? 1 : 2) +
           std::string(mark_of(cell));
}

Section points_of(const SweepSummary& summary, const std::vector<std::size_t>& shown) {
    Section section = begin_section("points", "points", ">point");
    for (const Factor& factor : summary.design.factors)
        section.table.columns.push_back({factor.name, Align::Left});
    if (!summary.sought.empty()) section.table.columns.push_back({"sought", Align::Left});
    const bool watched = summary.points.front().rules > 0;
    if (watched) section.table.columns.push_back({"rules fired", Align::Right});
    add_metrics(summary, shown, section);
    std::vector<std::size_t> order(summary.points.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const auto rank = [&](std::size_t i) {
        const SweepPoint& point = summary.points[i];
        const std::optional<double> value = point.cells.front().value.value;
        return std::pair(point.among_best ? 0
                         : point.given_up ? 2
                                          : 1,
                         value ? summary.sought.front().distance(*value) : HUGE_VAL);
    };
    if (known_sought(summary) > 0) std::ranges::stable_sort(order, {}, rank);
    for (const std::size_t i : order) {
        const SweepPoint& point = summary.points[i];
        std::vector<std::string>& row = section.table.rows.emplace_back(1, std::to_string(i + 1));
        for (std::size_t factor = 0; factor < summary.design.factors.size(); ++factor)
            row.push_back(summary.design.value(i, factor));
        if (!summary.sought.empty())
            row.emplace_back(point.among_best ? "best" : point.given_up ? "given up" : "");
        if (watched) row.push_back(fmt::format("{} of {}", point.fired, point.rules));
        for (const std::size_t metric : shown)
            row.push_back(value_text(summary.metrics[metric], point.cells[metric].value.value) +
                          std::string(mark_of(point.cells[metric])));
    }
    section.notes.emplace_back(
        "+, - and =: surely higher, lower or equivalent to point 1, on the same deals (*: by the "
        "same "
        "amount in each); for each metric at most 5 % of these verdicts are expected to be wrong "
        "(false discovery rate, Benjamini and Hochberg). --format csv has all metrics with their "
        "intervals.");
    std::vector<std::string> same;
    for (std::size_t i = 0; i < summary.metrics.size(); ++i)
        if (std::ranges::find(shown, i) == shown.end() && summary.metrics[i].of.empty())
            same.push_back(fmt::format(
                "{} {}", title_of(summary.metrics[i]),
                value_text(summary.metrics[i], summary.points.front().cells[i].value.value)));
    if (!same.empty())
        section.notes.push_back(fmt::format("The same at all points: {}.", fmt::join(same, ", ")));
    return section;
}

std::string name_of_effect(const SweepDesign& design, const SweepEffect& effect) {
    const std::string own = value_name(design, effect.factor, effect.value);
    return effect.other ? own + " with " + value_name(design, *effect.other, effect.other_value)
                        : own;
}

Section effects_of(const SweepSummary& summary, const std::vector<std::size_t>& shown,
                   bool interactions) {
    Section section = interactions ? begin_section("interactions", "interactions", "values")
                                   : begin_section("effects", "effects of single values", "value");
    std::vector<std::size_t> metrics = shown;
    std::erase_if(metrics, [&](std::size_t metric) { return summary.metrics[metric].gap; });
    add_metrics(summary, metrics, section);
    std::size_t left_out = 0;
    for (const SweepEffect& effect : interactions ? summary.interactions : summary.effects) {
        if (interactions && std::ranges::none_of(metrics, [&](std::size_t metric) {
                return is_decided(effect.cells[metric]);
            })) {
            ++left_out;
            continue;
        }
        std::vector<std::string>& row =
            section.table.rows.emplace_back(1, name_of_effect(summary.design, effect));
        for (const std::size_t metric : metrics)
            row.push_back(difference_cell(summary.metrics[metric], effect.cells[metric]));
    }
    section.notes.emplace_back(
        interactions
            ? fmt::format("By how much the second value changes the effect of the first{}.",
                          left_out > 0 ? fmt::format("; left out: {} in which nothing is sure",
                                                     counted(left_out, "pair"))
                                       : "")
            : "Against the first value of each factor, averaged over all points.");
    const auto& effects = interactions ? summary.interactions : summary.effects;
    if (effects.front().blocks < summary.blocks)
        section.notes.back() += fmt::format(" Over the {} before any of these points was given up.",
                                            counted(effects.front().blocks, "deal"));
    return section;
}

ordered_json cell_json(const SweptMetric& metric, const SweepCell& cell, bool is_point) {
    ordered_json json{{"metric", name_of(metric)},
                      {"of", metric.of.empty() ? ordered_json() : ordered_json(metric.of)}};
    if (is_point) json["value"] = estimate_json(cell.value);
    json["difference"] = estimate_json(cell.difference);
    if (!cell.judgement) return json;
    json["p"] = number_json(cell.judgement->p_value);
    json["equivalence_p"] = number_json(cell.judgement->equivalence_p_value);
    json["verdict"] = to_string(cell.judgement->change);
    return json;
}

ordered_json cells_json(const SweepSummary& summary, const std::vector<SweepCell>& cells,
                        bool is_point) {
    ordered_json rows = ordered_json::array();
    for (std::size_t i = 0; i < cells.size(); ++i)
        rows.push_back(cell_json(summary.metrics[i], cells[i], is_point));
    return rows;
}

ordered_json effects_json(const SweepSummary& summary, const std::vector<SweepEffect>& effects) {
    ordered_json rows = ordered_json::array();
    for (const SweepEffect& effect : effects) {
        const auto& factors = summary.design.factors;
        ordered_json row{{"factor", factors[effect.factor].name},
                         {"value", factors[effect.factor].values[effect.value]}};
        if (effect.other) {
            row["with"] = factors[*effect.other].name;
            row["with_value"] = factors[*effect.other].values[effect.other_value];
        }
        row["blocks"] = effect.blocks;
        row["metrics"] = cells_json(summary, effect.cells, false);
        rows.push_back(std::move(row));
    }
    return rows;
}

template <class Names>
std::uint32_t place_in(const JsonField& name, const Names& names) {
    const auto found = std::ranges::find(names, name.text());
    if (found == names.end()) name.wrong("it is not listed above");
    return static_cast<std::uint32_t>(found - names.begin());
}

std::vector<SweepCell> read_cells(const JsonField& json, std::size_t metrics) {
    std::vector<SweepCell> cells;
    for (const JsonField& row : json.items()) {
        SweepCell& cell = cells.emplace_back();
        if (row.find("value")) cell.value = estimate_at(row, "value");
        cell.difference = estimate_at(row, "difference");
        if (row.find("verdict")) cell.judgement = judgement_of(row);
    }
    if (cells.size() != metrics) json.wrong("other metrics are listed above");
    return cells;
}

std::vector<SweepEffect> read_effects(const JsonField& json, const SweepSummary& summary) {
    const auto& factors = summary.design.factors;
    std::vector<std::string> names(factors.size());
    std::ranges::transform(factors, names.begin(), &Factor::name);
    std::vector<SweepEffect> effects;
    for (const JsonField& row : json.items()) {
        SweepEffect& effect = effects.emplace_back();
        effect.factor = place_in(row.at("factor"), names);
        effect.value = place_in(row.at("value"), factors[effect.factor].values);
        if (row.find("with")) {
            effect.other = place_in(row.at("with"), names);
            effect.other_value = place_in(row.at("with_value"), factors[*effect.other].values);
        }
        effect.blocks = count_at(row, "blocks");
        effect.cells = read_cells(row.at("metrics"), summary.metrics.size());
    }
    return effects;
}

constexpr std::array<std::string_view, 3> kGoals{"least", "most", "near"};

void read(const JsonField& json, SweepSummary& into) {
    into.game = json.at("game").text();
    into.agents = json.at("agents").texts();
    read_played(json, into);
    into.design.grid = json.at("grid").truth();
    for (const JsonField& factor : json.at("factors").items())
        into.design.factors.push_back({factor.at("name").text(), factor.at("values").texts()});
    for (const JsonField& each : json.at("sought").items()) {
        Sought& sought = into.sought.emplace_back();
        sought.metric = each.at("metric").text();
        if (!each.at("of").value().is_null()) sought.of = each.at("of").text();
        sought.goal = static_cast<Sought::Goal>(place_in(each.at("goal"), kGoals));
        sought.target = number_at(each, "target").value_or(0);
    }
    for (const JsonField& each : json.at("metrics").items()) {
        const auto metric = swept_named(each.at("metric").text());
        if (!metric) each.at("metric").wrong("there is no such metric");
        into.metrics.push_back(*metric);
        if (!each.at("of").value().is_null()) into.metrics.back().of = each.at("of").text();
    }
    for (const JsonField& row : json.at("points").items()) {
        SweepPoint& point = into.points.emplace_back();
        std::vector<std::uint32_t>& values = into.design.points.emplace_back();
        for (const Factor& factor : into.design.factors)
            values.push_back(place_in(row.at("values").at(factor.name), factor.values));
        point.blocks = count_at(row, "blocks");
        point.games = count_at(row, "games");
        point.given_up = row.at("given_up").truth();
        point.among_best = row.at("among_best").truth();
        point.on_front = row.at("on_front").truth();
        if (row.find("rules")) {
            point.rules = count_at(row, "rules");
            point.fired = count_at(row, "rules_fired");
        }
        if (row.find("seconds_a_game")) point.seconds = number_at(row, "seconds_a_game");
        point.cells = read_cells(row.at("metrics"), into.metrics.size());
    }
    if (into.points.empty()) json.at("points").wrong("there is none");
    into.effects = read_effects(json.at("effects"), into);
    into.interactions = read_effects(json.at("interactions"), into);
}

template <class Summary>
Failure read_checked(const std::string& name, const ordered_json& json, Summary& into) {
    try {
        const JsonField root(json);
        if (const auto format = count_at(root, "format"); format != kComparedFormat)
            return fmt::format("{}: has format {}, and this program reads format {}", name, format,
                               kComparedFormat);
        // Only stored comparisons have one.
        if (root.find("checksum")) refuse_altered(root);
        read(root, into);
    } catch (const JsonMistake& mistake) {
        return fmt::format("{}: is damaged: {}{}{}", name, fmt::join(mistake.way, "."),
                           mistake.way.empty() ? "" : ": ", mistake.what());
    }
    return {};
}

Section heading_of(const TuningSummary& summary) {
    Section section = begin_section("summary");
    const std::string against =
        summary.against.empty() ? "itself" : fmt::format("{}", fmt::join(summary.against, ", "));
    section.notes.push_back(fmt::format(
        "{}: {} tuned {}against {} in {}{}, seed {}", summary.game, summary.agent,
        summary.worth > 0 ? fmt::format("for points ({} count as a win) ", number(summary.worth))
                          : "",
        against, counted(summary.blocks, "deal"),
        summary.blocks < summary.wanted ? fmt::format(" of {}; interrupted", summary.wanted) : "",
        summary.seed));
    return section;
}

Section values_of(const TuningSummary& summary) {
    Section section =
        begin_section("values", "Values", "parameter|>from|>to|>start|>tuned", {1, 2});
    for (const TunedValue& value : summary.values)
        section.table.rows.push_back({value.name, number(value.least), number(value.greatest),
                                      number(value.start), number(value.tuned)});
    section.notes.push_back("With these values: " + summary.tuned);
    return section;
}

Section proof_of(const TuningSummary& summary) {
    Section section = begin_section("proof", "Is it stronger?");
    if (summary.unchanged) {
        section.notes.push_back("Nothing to prove: the values are those of the start.");
        return section;
    }
    if (!summary.proof) {
        section.notes.push_back("Not asked: nothing was played with the tuned values.");
        return section;
    }
    const TuningProof& proof = *summary.proof;
    section.notes.push_back(fmt::format(
        "{}: against the agent as it was, on {} that nothing was tuned with, it scores {} {} a "
        "deal; LLR {} in [{:.2f}, {:.2f}], {}.",
        verdict_of(proof), counted(proof.blocks, "deal"), fixed(proof.score.value, 3),
        interval(proof.score, 3), fixed(proof.status.value, 2), proof.status.low, proof.status.high,
        proof.status.verdict));
    if (proof.status.stopped)
        section.notes.push_back("A test that ends as soon as it can shows the score further from "
                                "0.5 than it is.");
    return section;
}

} // namespace

std::string cost_title(const CostChange& change) {
    // Rules without a name are identified by their place, which includes the group.
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
    // Two digits: more would suggest that the spread is known better than it is.
    const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(*games_to_decide)) - 1));
    return words + fmt::format(" ({:.0f})", std::ceil(*games_to_decide / unit) * unit);
}

std::vector<Section> sections_of(const RevisionSummary& summary) {
    std::vector<Section> sections{heading_of(summary)};
    if (!summary.rows.empty()) sections.push_back(changes_of(summary));
    if (summary.seconds_a && summary.seconds_b) sections.push_back(cost_of(summary));
    return sections;
}

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
    const ordered_json json = json_of(summary);
    CsvRows rows;
    rows.take("compare", summary.name_a, summary.name_b, json,
              {"blocks", "games", "alike", "corrected_for"});
    for (const ordered_json& row : json.at("metrics")) {
        const std::string metric = row.at("metric");
        const std::string of = row.at("of").is_null() ? "" : row.at("of").get<std::string>();
        rows.add(metric, of, "a", "value", row.at("a"));
        rows.add(metric, of, "b", "value", row.at("b"));
        rows.add(metric, of, "b-a", "value", row.at("difference"));
        rows.take(metric, of, "b-a", row, {"p", "equivalence_p"});
        rows.take(metric, of, row.at("verdict"), row, {"games_to_decide"});
    }
    if (summary.seconds_a) rows.add("cost", summary.name_a, "", "seconds", *summary.seconds_a);
    if (summary.seconds_b) rows.add("cost", summary.name_b, "", "seconds", *summary.seconds_b);
    for (const CostChange& change : summary.costs) {
        rows.add("rule", cost_title(change), change.owner, "a_ns", number_json(change.old));
        rows.add("rule", cost_title(change), change.owner, "b_ns", number_json(change.now));
        rows.add("rule", cost_title(change), change.owner, "ratio", number_json(change.ratio));
    }
    return rows.text();
}

// The value of rules, for people and programs.

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
    const ordered_json json = json_of(summary);
    CsvRows rows;
    rows.take("ablate", summary.agent, "", json,
              {"blocks", "games", "corrected_for", "win_rate", "points", "score"});
    for (std::size_t i = 0; i < summary.rows.size(); ++i) {
        const WorthRow& row = summary.rows[i];
        rows.take(
            "rule", row.rule.name, row.rule.group, json.at("rules").at(i),
            {"win_rate", "points", "score", "elo", "alike", "p", "equivalence_p", "ns_a_decision"});
        if (row.elo_per_us.value)
            rows.add("rule", row.rule.name, row.rule.group, "elo_per_us",
                     estimate_json(row.elo_per_us));
    }
    return rows.text();
}

// The inverse of json_of().

std::optional<std::string> kind_of_compared(const ordered_json& json) {
    if (!json.is_object() || !json.contains("kind") || !json.at("kind").is_string())
        return std::nullopt;
    const auto kind = json.at("kind").get<std::string>();
    if (!is_compared(kind)) return std::nullopt;
    return kind;
}

bool is_compared(std::string_view kind) {
    return std::ranges::find(kComparedFiles, std::string(kind) + ".json") != kComparedFiles.end();
}

Failure read_compared(const std::string& name, const ordered_json& json, RevisionSummary& into) {
    return read_checked(name, json, into);
}

Failure read_compared(const std::string& name, const ordered_json& json, AblationSummary& into) {
    return read_checked(name, json, into);
}

Failure read_compared(const std::string& name, const ordered_json& json, SweepSummary& into) {
    return read_checked(name, json, into);
}

// Sweeps, for people and programs.

std::string value_text(const SweptMetric& metric, std::optional<double> value) {
    if (!value) return "-";
    return is_share(metric) ? percent(value) : fixed(value, 2);
}

std::size_t known_sought(const SweepSummary& summary) {
    std::size_t known = 0;
    while (known < std::min(summary.sought.size(), summary.metrics.size()) &&
           summary.sought[known].is_of(summary.metrics[known]))
        ++known;
    return known;
}

std::vector<std::size_t> shown_metrics(const SweepSummary& summary) {
    constexpr std::size_t kMostColumns = 10;
    const auto differs = [&](std::size_t metric) {
        const auto& first = summary.points.front().cells[metric].value.value;
        return std::ranges::any_of(summary.points, [&](const SweepPoint& point) {
            return point.cells[metric].value.value != first;
        });
    };
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < summary.metrics.size(); ++i)
        if (differs(i)) shown.push_back(i);
    for (std::size_t at = shown.size(); at-- > 0 && shown.size() > kMostColumns;)
        if (shown[at] >= summary.sought.size() && !summary.metrics[shown[at]].of.empty())
            shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(at));
    return shown;
}

std::vector<Section> sections_of(const SweepSummary& summary) {
    const std::vector<std::size_t> shown = shown_metrics(summary);
    std::vector<Section> sections{heading_of(summary), points_of(summary, shown)};
    if (!summary.effects.empty() && summary.design.factors.size() > 1)
        sections.push_back(effects_of(summary, shown, false));
    if (!summary.interactions.empty()) sections.push_back(effects_of(summary, shown, true));
    return sections;
}

nlohmann::ordered_json json_of(const SweepSummary& summary) {
    ordered_json factors = ordered_json::array();
    for (const Factor& factor : summary.design.factors)
        factors.push_back({{"name", factor.name}, {"values", factor.values}});
    ordered_json sought = ordered_json::array();
    for (const Sought& each : summary.sought)
        sought.push_back({{"metric", each.metric},
                          {"of", each.of.empty() ? ordered_json() : ordered_json(each.of)},
                          {"goal", kGoals[static_cast<std::size_t>(each.goal)]},
                          {"target", each.goal == Sought::Goal::Near ? ordered_json(each.target)
                                                                     : ordered_json()}});
    ordered_json metrics = ordered_json::array();
    for (const SweptMetric& metric : summary.metrics)
        metrics.push_back({{"metric", name_of(metric)},
                           {"of", metric.of.empty() ? ordered_json() : ordered_json(metric.of)}});
    ordered_json points = ordered_json::array();
    for (const SweepPoint& point : summary.points) {
        ordered_json values = ordered_json::object();
        for (std::size_t factor = 0; factor < summary.design.factors.size(); ++factor)
            values[summary.design.factors[factor].name] =
                summary.design.value(points.size(), factor);
        points.push_back({{"point", points.size() + 1},
                          {"values", std::move(values)},
                          {"blocks", point.blocks},
                          {"games", point.games},
                          {"given_up", point.given_up},
                          {"among_best", point.among_best},
                          {"on_front", point.on_front}});
        if (point.rules > 0) {
            points.back()["rules"] = point.rules;
            points.back()["rules_fired"] = point.fired;
        }
        if (point.seconds) points.back()["seconds_a_game"] = *point.seconds;
        points.back()["metrics"] = cells_json(summary, point.cells, true);
    }
    return {{"kind", "sweep"},
            {"format", kComparedFormat},
            {"game", summary.game},
            {"agents", summary.agents},
            {"seed", summary.seed},
            {"starts", summary.starts},
            {"blocks", summary.blocks},
            {"games", summary.games},
            {"interrupted", summary.interrupted},
            {"confidence", kConfidence},
            {"false_discovery_rate", 1 - kConfidence},
            {"grid", summary.design.grid},
            {"factors", std::move(factors)},
            {"sought", std::move(sought)},
            {"metrics", std::move(metrics)},
            {"points", std::move(points)},
            {"effects", effects_json(summary, summary.effects)},
            {"interactions", effects_json(summary, summary.interactions)}};
}

std::string csv_of(const SweepSummary& summary) {
    std::string text = "point";
    for (const Factor& factor : summary.design.factors)
        text += "," + csv_cell(factor.name);
    text += ",metric,of,blocks,games,value,error,low,high,difference,difference_low,"
            "difference_high,p,verdict,given_up,among_best,on_front\n";
    const auto add = [&](std::optional<double> value) {
        text += value ? fmt::format(",{}", *value) : ",";
    };
    for (std::size_t at = 0; at < summary.points.size(); ++at) {
        const SweepPoint& point = summary.points[at];
        const auto add_row = [&](std::string_view name, const std::string& of,
                                 const SweepCell& cell) {
            text += std::to_string(at + 1);
            for (std::size_t factor = 0; factor < summary.design.factors.size(); ++factor)
                text += "," + csv_cell(summary.design.value(at, factor));
            text += fmt::format(",{},{},{},{}", name, csv_cell(of), point.blocks, point.games);
            for (const auto& number :
                 {cell.value.value, cell.value.error, cell.value.low, cell.value.high,
                  cell.difference.value, cell.difference.low, cell.difference.high})
                add(number);
            add(cell.judgement ? cell.judgement->p_value : std::nullopt);
            text += fmt::format(",{},{:d},{:d},{:d}\n",
                                cell.judgement ? to_string(cell.judgement->change) : "",
                                point.given_up, point.among_best, point.on_front);
        };
        for (std::size_t i = 0; i < point.cells.size(); ++i)
            add_row(name_of(summary.metrics[i]), summary.metrics[i].of, point.cells[i]);
        if (point.rules == 0) continue;
        SweepCell fired;
        fired.value.value = static_cast<double>(point.fired);
        add_row("rules_fired", "", fired);
    }
    return text;
}

// The result of a tuning, for people and programs.

std::string verdict_of(const TuningProof& proof) {
    if (!proof.status.stopped) return "undecided";
    return proof.status.verdict == to_string(SprtVerdict::AcceptH1) ? "stronger" : "not stronger";
}

std::vector<Section> sections_of(const TuningSummary& summary) {
    return {heading_of(summary), values_of(summary), proof_of(summary)};
}

nlohmann::ordered_json json_of(const TuningSummary& summary) {
    Json values = Json::array();
    for (const TunedValue& value : summary.values)
        values.push_back({{"name", value.name},
                          {"least", value.least},
                          {"greatest", value.greatest},
                          {"start", value.start},
                          {"tuned", value.tuned}});
    Json proof = nullptr;
    if (summary.proof) {
        const StopStatus& status = summary.proof->status;
        proof = {{"verdict", verdict_of(*summary.proof)},
                 {"blocks", summary.proof->blocks},
                 {"most_blocks", summary.proof->most_blocks},
                 {"score", estimate_json(summary.proof->score)},
                 {"llr", number_json(status.value)},
                 {"low", status.low},
                 {"high", status.high}};
    }
    return {{"game", summary.game},
            {"agent", summary.agent},
            {"against", summary.against},
            {"tuned", summary.tuned},
            {"for", summary.worth > 0 ? Json{{"points", summary.worth}} : Json("wins")},
            {"seed", summary.seed},
            {"blocks", summary.blocks},
            {"wanted_blocks", summary.wanted},
            {"values", std::move(values)},
            {"unchanged", summary.unchanged},
            {"proof", std::move(proof)}};
}

std::string csv_of(const TuningSummary& summary) {
    const nlohmann::ordered_json json = json_of(summary);
    CsvRows rows;
    rows.take("tune", summary.agent, "", json, {"blocks"});
    for (const auto& value : json.at("values"))
        rows.take("parameter", value.at("name"), "", value, {"start", "tuned"});
    if (summary.proof)
        rows.take("proof", summary.tuned, summary.agent, json.at("proof"),
                  {"blocks", "score", "llr"});
    return rows.text();
}

} // namespace croupier::results
