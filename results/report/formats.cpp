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

// Quoted only where it must be.
std::string cell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string number(const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string();
}

using Rows = CsvRows;

constexpr std::array kPairMetrics{"pairs_ll", "pairs_ld", "pairs_even", "pairs_wd", "pairs_ww"};

void add_run(Rows& rows, const Report& report) {
    const Summary& summary = report.summary;
    const std::string& game = summary.facts.game;
    rows.count("run", game, "", "blocks", summary.blocks);
    rows.count("run", game, "", "games", summary.games);
    rows.count("run", game, "", "draws", summary.draws);
    rows.count("run", game, "", "voids", summary.voids);
    for (std::size_t end = 0; end < kEnds; ++end)
        rows.count("run", game, "", std::string(name_of(static_cast<End>(end))).c_str(),
                   summary.endings[end]);
    rows.count("run", game, "", "diverged", summary.diverged);
    rows.count("run", game, "", "comparable", summary.comparable);
    rows.add("run", game, "", "plies", summary.plies.mean());
    if (report.status.seconds) rows.add("run", game, "", "seconds", report.status.seconds);
    if (report.status.stop)
        rows.add(
            "stop", report.status.stop->rule, report.status.stop->verdict, "value",
            {report.status.stop->value, {}, report.status.stop->low, report.status.stop->high});
}

void add_contestants(Rows& rows, const Summary& summary) {
    for (const ContestantRow& row : summary.contestants) {
        const auto count = [&](const char* metric, std::uint64_t value) {
            rows.count("agent", row.name, "", metric, value);
        };
        count("blocks", row.blocks);
        count("games", row.games);
        count("wins", row.wins);
        count("draws", row.draws);
        count("losses", row.losses);
        rows.add("agent", row.name, "", "win_rate", row.win_rate);
        rows.add("agent", row.name, "", "score", row.score);
        rows.add("agent", row.name, "", "points", row.points);
        if (summary.contestants.size() <= 2) continue;
        const Rating& rating = row.rating;
        rows.add("agent", row.name, "", "rating",
                 {rating.elo, rating.error, rating.low, rating.high});
        if (rating.with_prior)
            rows.add("agent", row.name, "", "rating_with_prior", rating.with_prior);
    }
}

void add_meetings(Rows& rows, const Summary& summary) {
    for (const MeetingRow& row : summary.meetings) {
        const std::string& first = summary.contestants[row.first].name;
        const std::string& second = summary.contestants[row.second].name;
        rows.count("meeting", first, second, "blocks", row.blocks);
        rows.count("meeting", first, second, "games", row.games);
        rows.count("meeting", first, second, "balanced", row.balanced ? 1 : 0);
        rows.add("meeting", first, second, "score", row.score);
        rows.add("meeting", first, second, "elo", row.elo);
        rows.add("meeting", first, second, "normalized_elo", row.normalized_elo);
        rows.add("meeting", first, second, "los", row.los);
        rows.add("meeting", first, second, "variance_reduction", row.variance_reduction);
        if (!row.pairs) continue;
        for (std::size_t i = 0; i < row.pairs->counts.size(); ++i)
            rows.count("meeting", first, second, kPairMetrics[i], row.pairs->counts[i]);
        rows.add("meeting", first, second, "pair_ratio", row.pairs->ratio());
        rows.add("meeting", first, second, "draw_ratio", row.pairs->draw_ratio());
    }
}

void add_places(Rows& rows, const char* section, const std::vector<PlaceRow>& places,
                const std::vector<std::string>& agents) {
    for (const PlaceRow& row : places) {
        const std::string agent = row.agent ? agents[*row.agent] : "";
        rows.count(section, row.name, agent, "games", row.games);
        rows.add(section, row.name, agent, "win_rate", row.win_rate);
        rows.add(section, row.name, agent, "points", row.points);
    }
}

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

void CsvRows::add(const std::string& section, const std::string& name, const std::string& other,
                  const std::string& metric, const Estimate& estimate) {
    text_ += fmt::format("{},{},{},{},{},{},{},{}\n", section, cell(name), cell(other), metric,
                         number(estimate.value), number(estimate.error), number(estimate.low),
                         number(estimate.high));
}

void CsvRows::count(const std::string& section, const std::string& name, const std::string& other,
                    const std::string& metric, std::uint64_t value) {
    text_ += fmt::format("{},{},{},{},{},,,\n", section, cell(name), cell(other), metric, value);
}

// The report as CSV, one number a row.

std::string as_csv(const Report& report) {
    const Summary& summary = report.summary;
    Rows rows;
    add_run(rows, report);
    add_contestants(rows, summary);
    add_meetings(rows, summary);
    add_places(rows, "seat", summary.seats, summary.facts.agents);
    add_places(rows, "role", summary.roles, summary.facts.agents);
    for (const Bin& bin : summary.plies.bins(64))
        rows.count("plies", fmt::format("{}-{}", bin.low, bin.high), "", "games", bin.count);
    for (const FaultRow& row : summary.faults)
        rows.count(row.ended ? "fault" : "substitute", row.what,
                   row.agent ? summary.facts.agents[*row.agent] : "", "games", row.games);
    if (report.times) {
        time_numbers(
            *report.times, summary.facts,
            [&](const std::string& agent, const char* metric, std::optional<double> value) {
                rows.add("time", agent, "", metric, value);
            });
    }
    if (report.costs) {
        cost_numbers(
            *report.costs, summary.facts,
            [&](const auto& section, const auto& name, const auto& other, const auto& metric,
                std::optional<double> value) { rows.add(section, name, other, metric, value); });
    }
    return rows.text();
}

// The report as JSON.

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
