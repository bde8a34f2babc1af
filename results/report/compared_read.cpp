// The inverse of json_of().
#include "results/report/compared_read.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace croupier::results {
namespace {

using nlohmann::ordered_json;

template <class Number>
std::optional<Number> number_at(const ordered_json& json, const char* key) {
    const ordered_json& value = json.at(key);
    return value.is_null() ? std::nullopt : std::optional(value.get<Number>());
}

Estimate estimate_at(const ordered_json& json, const char* key) {
    const ordered_json& value = json.at(key);
    return {number_at<double>(value, "value"), number_at<double>(value, "error"),
            number_at<double>(value, "low"),   number_at<double>(value, "high"),
            value.value("one_sided", false),   value.value("doubtful", false)};
}

Change change_at(const ordered_json& json) {
    const auto name = json.at("verdict").get<std::string>();
    for (const Change change :
         {Change::TooFew, Change::Constant, Change::Higher, Change::Lower, Change::Equivalent})
        if (to_string(change) == name) return change;
    return Change::Undecided;
}

// The number of games that would decide is kept, not that of blocks.
Judgement judgement_of(const ordered_json& json) {
    return {change_at(json), number_at<double>(json, "p"), number_at<double>(json, "equivalence_p"),
            std::nullopt};
}

ChangeRow change_row(const ordered_json& json) {
    ChangeRow row;
    const auto metric = json.at("metric").get<std::string>();
    row.kind = metric_of(metric).value_or(MetricKind::Win);
    if (!json.at("of").is_null()) json.at("of").get_to(row.of);
    row.under_a = estimate_at(json, "a");
    row.under_b = estimate_at(json, "b");
    row.difference = estimate_at(json, "difference");
    row.differing = json.value("differing", std::uint64_t{1}); // older files do not say
    row.correlation = number_at<double>(json, "correlation");
    row.games_saved = number_at<double>(json, "games_saved");
    json.at("margin").get_to(row.margin);
    row.judgement = judgement_of(json);
    row.games_to_decide = number_at<double>(json, "games_to_decide");
    return row;
}

WorthRow worth_row(const ordered_json& json) {
    WorthRow row;
    json.at("rule").get_to(row.rule.name);
    json.at("group").get_to(row.rule.group);
    if (json.contains("ns_a_decision")) {
        row.rule.cost_ns = number_at<double>(json, "ns_a_decision");
        row.elo_per_us = number_at<double>(json, "elo_per_us");
    }
    row.win_rate = estimate_at(json, "win_rate");
    row.points = estimate_at(json, "points");
    row.score = estimate_at(json, "score");
    row.elo = estimate_at(json, "elo");
    json.at("alike").get_to(row.alike);
    row.judgement = judgement_of(json);
    row.games_to_decide = number_at<double>(json, "games_to_decide");
    return row;
}

CostChange cost_change(const ordered_json& json) {
    CostChange change;
    json.at("owner").get_to(change.owner);
    json.at("group").get_to(change.group);
    json.at("rule").get_to(change.name);
    change.old = number_at<double>(json, "a_ns");
    change.now = number_at<double>(json, "b_ns");
    change.ratio = number_at<double>(json, "ratio");
    if (json.contains("low")) { // older files have none
        change.low = number_at<double>(json, "low");
        change.high = number_at<double>(json, "high");
    }
    const auto verdict = json.at("verdict").get<std::string>();
    for (const CostChange::Verdict each : cost_verdicts())
        if (name_of(each) == verdict) change.verdict = each;
    return change;
}

void read(const ordered_json& json, RevisionSummary& into) {
    into.of_agents = json.value("compares", "games") == "agents"; // older files do not say
    json.at("a").get_to(into.name_a);
    json.at("b").get_to(into.name_b);
    json.at("seed").get_to(into.seed);
    into.starts = json.value("starts", std::uint64_t{0});
    json.at("blocks").get_to(into.blocks);
    json.at("games").get_to(into.games);
    json.at("alike").get_to(into.alike);
    json.at("interrupted").get_to(into.interrupted);
    into.corrected_for = json.value("corrected_for", std::uint64_t{0}); // older files do not say
    for (const ordered_json& row : json.at("metrics"))
        into.rows.push_back(change_row(row));
    if (json.contains("seconds_a_game")) {
        into.seconds_a = number_at<double>(json.at("seconds_a_game"), "a");
        into.seconds_b = number_at<double>(json.at("seconds_a_game"), "b");
    }
    if (!json.contains("rule_costs")) return;
    for (const ordered_json& row : json.at("rule_costs"))
        into.costs.push_back(cost_change(row));
}

void read(const ordered_json& json, AblationSummary& into) {
    json.at("game").get_to(into.game);
    json.at("agent").get_to(into.agent);
    json.at("against").get_to(into.against);
    json.at("seed").get_to(into.seed);
    into.starts = json.value("starts", std::uint64_t{0});
    json.at("blocks").get_to(into.blocks);
    json.at("games").get_to(into.games);
    json.at("interrupted").get_to(into.interrupted);
    json.at("margin").get_to(into.margin);
    into.corrected_for = json.value("corrected_for", std::uint64_t{0}); // older files do not say
    into.win_rate = estimate_at(json, "win_rate");
    into.points = estimate_at(json, "points");
    into.score = estimate_at(json, "score");
    for (const ordered_json& row : json.at("rules"))
        into.rows.push_back(worth_row(row));
}

template <class Summary>
Failure read_checked(const std::string& name, const ordered_json& json, Summary& into) {
    try {
        const int format = json.at("format").get<int>();
        if (format != kComparedFormat)
            return fmt::format("{}: has format {}, and this program reads format {}", name, format,
                               kComparedFormat);
        read(json, into);
    } catch (const ordered_json::exception& error) {
        return fmt::format("{}: is damaged: {}", name, error.what());
    }
    return {};
}

} // namespace

std::optional<std::string> kind_of_compared(const ordered_json& json) {
    if (!json.is_object() || !json.contains("kind") || !json.at("kind").is_string())
        return std::nullopt;
    const auto kind = json.at("kind").get<std::string>();
    if (kind != "compare" && kind != "ablate") return std::nullopt;
    return kind;
}

Failure read_compared(const std::string& name, const ordered_json& json, RevisionSummary& into) {
    return read_checked(name, json, into);
}

Failure read_compared(const std::string& name, const ordered_json& json, AblationSummary& into) {
    return read_checked(name, json, into);
}

} // namespace croupier::results
