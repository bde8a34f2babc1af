// The report as CSV, one number a row; see formats.h.
#include "results/report/csv_rows.h"
#include "results/report/formats.h"

#include "results/report/costs.h"
#include "results/report/times.h"
#include "results/store/rows.h"

#include <fmt/format.h>

#include <array>

namespace croupier::results {
namespace {

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

} // namespace

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

} // namespace croupier::results
