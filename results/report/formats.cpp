// Runs as rows of CSV and as JSON.
#include "results/report/formats.h"

#include "results/report/costs.h"
#include "results/report/sections.h"
#include "results/statistics/distributions.h"
#include "results/store/rows.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <string_view>

namespace croupier::results {

namespace {

using Json = nlohmann::ordered_json;

// Quoted only where it must be.
std::string cell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string number(const Json& value) {
    if (value.is_null()) return {};
    if (value.is_boolean()) return value.get<bool>() ? "1" : "0";
    return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
}

// The text, or nothing for null.
std::string text_of(const Json& json) {
    return json.is_string() ? json.get<std::string>() : std::string();
}

constexpr std::array kPairMetrics{"pairs_ll", "pairs_ld", "pairs_even", "pairs_wd", "pairs_ww"};

void add_contestant(CsvRows& rows, const Json& row) {
    const std::string name = row.at("name");
    rows.take("agent", name, "", row,
              {"blocks", "games", "wins", "draws", "losses", "win_rate", "score", "points"});
    if (!row.contains("rating")) return;
    Json rating = row.at("rating");
    rating["value"] = rating.at("elo");
    rows.add("agent", name, "", "rating", rating);
    if (!rating.at("with_prior").is_null())
        rows.add("agent", name, "", "rating_with_prior", rating.at("with_prior"));
}

void add_meeting(CsvRows& rows, const Json& row) {
    const std::string first = row.at("first");
    const std::string second = row.at("second");
    rows.take("meeting", first, second, row,
              {"blocks", "games", "balanced", "score", "elo", "normalized_elo", "los",
               "variance_reduction"});
    if (!row.contains("pairs")) return;
    const Json& pairs = row.at("pairs");
    for (std::size_t i = 0; i < kPairMetrics.size(); ++i)
        rows.add("meeting", first, second, kPairMetrics[i], pairs.at("counts").at(i));
    rows.add("meeting", first, second, "pair_ratio", pairs.at("ratio"));
    rows.add("meeting", first, second, "draw_ratio", pairs.at("draw_ratio"));
}

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

Json json_of(const Report& report) {
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
    return object;
}

} // namespace

std::string csv_of_runs(std::span<const RunText> runs) {
    std::string result;
    for (const RunText& each : runs) {
        const std::size_t rows = each.text.find('\n') + 1;
        if (result.empty()) result = "run," + each.text.substr(0, rows);
        bool begins = true;
        bool quoted = false; // a cell may have lines of its own
        for (const char c : std::string_view(each.text).substr(rows)) {
            if (begins) result += cell(each.run) + ",";
            result += c;
            if (c == '"') quoted = !quoted;
            begins = c == '\n' && !quoted;
        }
    }
    return result;
}

void CsvRows::add(std::string_view section, const std::string& name, const std::string& other,
                  std::string_view metric, const Json& value) {
    const auto part = [&](const char* key) {
        return value.contains(key) ? number(value.at(key)) : std::string();
    };
    const std::string numbers =
        value.is_object()
            ? fmt::format("{},{},{},{}", part("value"), part("error"), part("low"), part("high"))
            : number(value) + ",,,";
    text_ += fmt::format("{},{},{},{},{}\n", section, cell(name), cell(other), metric, numbers);
}

void CsvRows::take(std::string_view section, const std::string& name, const std::string& other,
                   const Json& from, std::initializer_list<const char*> members) {
    for (const char* member : members)
        if (const auto found = from.find(member); found != from.end())
            add(section, name, other, member, *found);
}

std::string as_json(const Report& report) {
    return json_of(report).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string as_csv(const Report& report) {
    const Json json = json_of(report);
    const std::string& game = report.summary.facts.game;
    CsvRows rows;
    rows.take("run", game, "", json, {"blocks", "games", "draws", "voids"});
    for (const auto& [end, games] : json.at("endings").items())
        rows.add("run", game, "", end, games);
    rows.add("run", game, "", "diverged", json.at("divergence").at("diverged"));
    rows.add("run", game, "", "comparable", json.at("divergence").at("blocks"));
    rows.add("run", game, "", "plies", json.at("plies").at("mean"));
    rows.take("run", game, "", json, {"seconds"});
    if (const auto stop = json.find("stop"); stop != json.end())
        rows.add("stop", stop->at("rule"), stop->at("verdict"), "value", *stop);
    for (const Json& row : json.at("contestants"))
        add_contestant(rows, row);
    for (const Json& row : json.at("meetings"))
        add_meeting(rows, row);
    for (const std::string what : {"seat", "role"})
        for (const Json& row : json.at(what + "s"))
            rows.take(what, row.at(what), text_of(row.at("agent")), row,
                      {"games", "win_rate", "points"});
    for (const Bin& bin : report.summary.plies.bins(64))
        rows.add("plies", fmt::format("{}-{}", bin.low, bin.high), "", "games", bin.count);
    for (const Json& row : json.at("faults"))
        rows.take(row.at("ended") ? "fault" : "substitute", row.at("what"),
                  text_of(row.at("agent")), row, {"games"});
    if (const auto times = json.find("times"); times != json.end())
        for (const Json& row : *times)
            rows.take("time", row.at("agent"), "", row,
                      {"decisions", "measured", "mean_ns", "p99_ns", "max_ns", "cpu_ns"});
    if (report.costs) add_costs(rows, *report.costs, report.summary.facts);
    return rows.text();
}

} // namespace croupier::results
