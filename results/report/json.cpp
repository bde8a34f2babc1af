// The report as JSON; see formats.h.
#include "results/report/formats.h"

#include "results/report/costs.h"
#include "results/report/json_numbers.h"
#include "results/report/times.h"
#include "results/statistics/normal.h"
#include "results/store/rows.h"

#include <nlohmann/json.hpp>

namespace croupier::results {
namespace {

using Json = nlohmann::ordered_json;

Json contestants(const Summary& summary) {
    Json rows = Json::array();
    const bool joint = summary.contestants.size() > 2;
    for (const ContestantRow& row : summary.contestants) {
        Json object{{"name", row.name},
                    {"blocks", row.blocks},
                    {"games", row.games},
                    {"wins", row.wins},
                    {"draws", row.draws},
                    {"losses", row.losses},
                    {"win_rate", estimate_json(row.win_rate)},
                    {"score", estimate_json(row.score)},
                    {"points", estimate_json(row.points)}};
        if (joint)
            object["rating"] = {{"elo", number_json(row.rating.elo)},
                                {"error", number_json(row.rating.error)},
                                {"low", number_json(row.rating.low)},
                                {"high", number_json(row.rating.high)},
                                {"with_prior", number_json(row.rating.with_prior)},
                                {"group", row.rating.group}};
        rows.push_back(std::move(object));
    }
    return rows;
}

Json meetings(const Summary& summary) {
    Json rows = Json::array();
    for (const MeetingRow& row : summary.meetings) {
        Json object{{"first", summary.contestants[row.first].name},
                    {"second", summary.contestants[row.second].name},
                    {"blocks", row.blocks},
                    {"games", row.games},
                    {"balanced", row.balanced},
                    {"score", estimate_json(row.score)},
                    {"elo", estimate_json(row.elo)},
                    {"normalized_elo", estimate_json(row.normalized_elo)},
                    {"los", number_json(row.los)},
                    {"variance_reduction", number_json(row.variance_reduction)}};
        if (row.pairs)
            object["pairs"] = {{"counts", row.pairs->counts},
                               {"ratio", number_json(row.pairs->ratio())},
                               {"draw_ratio", number_json(row.pairs->draw_ratio())}};
        rows.push_back(std::move(object));
    }
    return rows;
}

// Scores of the row's contestant against each, in the order of contestants.
Json crosstable_json(const Summary& summary) {
    Json rows = Json::array();
    const auto scores = crosstable(summary);
    for (std::size_t i = 0; i < scores.size(); ++i) {
        Json against = Json::array();
        for (const auto& score : scores[i])
            against.push_back(number_json(score));
        rows.push_back({{"name", summary.contestants[i].name}, {"scores", std::move(against)}});
    }
    return rows;
}

Json places(const char* what, const std::vector<PlaceRow>& rows,
            const std::vector<std::string>& agents) {
    Json result = Json::array();
    for (const PlaceRow& row : rows)
        result.push_back({{what, row.name},
                          {"agent", row.agent ? Json(agents[*row.agent]) : Json(nullptr)},
                          {"games", row.games},
                          {"win_rate", estimate_json(row.win_rate)},
                          {"points", estimate_json(row.points)}});
    return result;
}

Json lengths(const Histogram& plies) {
    Json bins = Json::array();
    for (const Bin& bin : plies.bins(64))
        bins.push_back({{"low", bin.low}, {"high", bin.high}, {"games", bin.count}});
    return {{"mean", number_json(plies.mean())},
            {"least", number_json(plies.least())},
            {"median", number_json(plies.quantile(0.5))},
            {"most", number_json(plies.most())},
            {"bins", std::move(bins)}};
}

Json faults(const Summary& summary) {
    Json rows = Json::array();
    for (const FaultRow& row : summary.faults)
        rows.push_back(
            {{"agent", row.agent ? Json(summary.facts.agents[*row.agent]) : Json(nullptr)},
             {"what", row.what},
             {"ended", row.ended},
             {"games", row.games}});
    return rows;
}

Json endings(const Summary& summary) {
    Json object;
    for (std::size_t end = 0; end < kEnds; ++end)
        object[std::string(name_of(static_cast<End>(end)))] = summary.endings[end];
    return object;
}

Json stop(const StopStatus& status) {
    return {{"rule", status.rule},       {"verdict", status.verdict},
            {"stopped", status.stopped}, {"value", number_json(status.value)},
            {"low", status.low},         {"high", status.high},
            {"blocks", status.blocks},   {"estimates_biased", estimates_are_biased(status)}};
}

} // namespace

std::string as_json(const Report& report) {
    const Summary& summary = report.summary;
    Json object{{"game", summary.facts.game},
                {"seed", summary.facts.seed},
                {"agents", summary.facts.agents},
                {"blocks", summary.blocks},
                {"games", summary.games},
                {"draws", summary.draws},
                {"voids", summary.voids},
                {"endings", endings(summary)},
                {"confidence", kConfidence},
                {"contestants", contestants(summary)},
                {"meetings", meetings(summary)},
                {"groups", summary.groups},
                {"divergence", {{"diverged", summary.diverged}, {"blocks", summary.comparable}}},
                {"seats", places("seat", summary.seats, summary.facts.agents)},
                {"roles", places("role", summary.roles, summary.facts.agents)},
                {"plies", lengths(summary.plies)},
                {"faults", faults(summary)}};
    if (summary.contestants.size() > 2) object["crosstable"] = crosstable_json(summary);
    if (summary.facts.starts != 0) object["starts"] = summary.facts.starts;
    if (!summary.facts.irreproducible.empty())
        object["irreproducible"] = summary.facts.irreproducible;
    if (!summary.facts.oracles.empty()) object["oracles"] = summary.facts.oracles;
    if (report.costs) object["costs"] = cost_json(*report.costs, summary.facts);
    if (report.times) object["times"] = time_json(*report.times, summary.facts);
    if (report.status.stop) object["stop"] = stop(*report.status.stop);
    if (report.status.seconds) object["seconds"] = *report.status.seconds;
    if (!report.status.ended.empty()) object["ended"] = report.status.ended;
    return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace croupier::results
