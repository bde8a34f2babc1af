// The inverse of json_of().
#include "results/report/compared_read.h"

#include "results/store/json_field.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace croupier::results {
namespace {

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
    const auto name = json.at("verdict").text();
    for (const Change change :
         {Change::TooFew, Change::Constant, Change::Higher, Change::Lower, Change::Equivalent})
        if (to_string(change) == name) return change;
    return Change::Undecided;
}

// The number of games that would decide is kept, not that of blocks.
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
    row.differing = json.find("differing") ? count_at(json, "differing") : 1; // older: unknown
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
        if (json.find("elo_per_us_low")) { // not in files of before
            row.elo_per_us.low = number_at(json, "elo_per_us_low");
            row.elo_per_us.high = number_at(json, "elo_per_us_high");
        }
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
    if (json.find("low")) { // older files have none
        change.low = number_at(json, "low");
        change.high = number_at(json, "high");
    }
    const auto verdict = json.at("verdict").text();
    for (const CostChange::Verdict each : cost_verdicts())
        if (name_of(each) == verdict) change.verdict = each;
    return change;
}

void read(const JsonField& json, RevisionSummary& into) {
    const auto compares = json.find("compares"); // older files do not say
    into.of_agents = compares && compares->text() == "agents";
    into.name_a = json.at("a").text();
    into.name_b = json.at("b").text();
    into.seed = count_at(json, "seed");
    if (json.find("starts")) into.starts = count_at(json, "starts");
    into.blocks = count_at(json, "blocks");
    into.games = count_at(json, "games");
    into.alike = count_at(json, "alike");
    into.interrupted = json.at("interrupted").truth();
    if (json.find("corrected_for")) into.corrected_for = count_at(json, "corrected_for");
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
    into.seed = count_at(json, "seed");
    if (json.find("starts")) into.starts = count_at(json, "starts");
    into.blocks = count_at(json, "blocks");
    into.games = count_at(json, "games");
    into.interrupted = json.at("interrupted").truth();
    into.margin = json.at("margin").real();
    if (json.find("corrected_for")) into.corrected_for = count_at(json, "corrected_for");
    into.win_rate = estimate_at(json, "win_rate");
    into.points = estimate_at(json, "points");
    into.score = estimate_at(json, "score");
    for (const JsonField& row : json.at("rules").items())
        into.rows.push_back(worth_row(row));
}

template <class Summary>
Failure read_checked(const std::string& name, const ordered_json& json, Summary& into) {
    try {
        const JsonField root(json);
        if (const auto format = count_at(root, "format"); format != kComparedFormat)
            return fmt::format("{}: has format {}, and this program reads format {}", name, format,
                               kComparedFormat);
        // Only what was kept has one.
        if (root.find("checksum")) refuse_altered(root);
        read(root, into);
    } catch (const JsonMistake& mistake) {
        return fmt::format("{}: is damaged: {}{}{}", name, fmt::join(mistake.way, "."),
                           mistake.way.empty() ? "" : ": ", mistake.what());
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
