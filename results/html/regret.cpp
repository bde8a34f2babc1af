// A chart of what a decision loses, the numbers, and the worst moves.
#include "results/html/regret.h"

#include "results/html/charts.h"
#include "results/report/numbers.h"
#include "results/report/sections.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace croupier::results {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> number_of(const Json& json, const char* key) {
    const Json& value = json.at(key);
    return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

Estimate estimate_of_json(const Json& json) {
    return {number_of(json, "value"),       number_of(json, "error"),
            number_of(json, "low"),         number_of(json, "high"),
            json.value("one_sided", false), json.value("doubtful", false)};
}

std::string loss_chart(const Regret& regret) {
    IntervalChart chart;
    chart.name = {"losses", "Points lost a decision, with 95 % intervals"};
    for (const RegretRow& row : regret.agents) {
        if (!row.loss.value) continue;
        const bool bounded = row.loss.low || row.loss.high;
        chart.rows.push_back({row.agent, row.loss, fixed(row.loss.value, 2),
                              bounded ? interval(row.loss, 2) : std::string(), "", 0});
    }
    std::stable_sort(chart.rows.begin(), chart.rows.end(), [](const auto& one, const auto& other) {
        return *one.estimate.value < *other.estimate.value;
    });
    return chart.rows.empty() ? std::string() : interval_chart(chart);
}

Section losses_of(const Regret& regret) {
    Section section;
    section.id = "regret";
    section.title = "What moves have lost";
    section.table.columns = {{"agent"},
                             {"decisions", Align::Right},
                             {"loss", Align::Right},
                             {"95 %"},
                             {"mistakes", Align::Right}};
    if (regret.worlds > 0) {
        section.table.columns.push_back({"known", Align::Right});
        section.table.columns.push_back({"95 %"});
    }
    for (const RegretRow& row : regret.agents) {
        const double share = row.decisions == 0 ? 0
                                                : 100.0 * static_cast<double>(row.mistakes) /
                                                      static_cast<double>(row.decisions);
        std::vector<std::string> cells{row.agent, fmt::format("{}", row.decisions),
                                       fixed(row.loss.value, 3), interval(row.loss, 3),
                                       fmt::format("{:.1f} %", share)};
        if (regret.worlds > 0) {
            cells.push_back(fixed(row.known.value, 3));
            cells.push_back(interval(row.known, 3));
        }
        section.table.rows.push_back(std::move(cells));
    }
    section.notes.push_back(fmt::format(
        "By how many points the best move would have done better, with all cards seen and nobody "
        "erring from there on: the mean over decisions in {}, where at most {} moves were to come. "
        "Decisions with one legal move, and bids, do not count.",
        counted(regret.games, "game"), regret.plies));
    if (std::any_of(regret.agents.begin(), regret.agents.end(),
                    [](const RegretRow& row) { return row.loss.doubtful || row.known.doubtful; }))
        section.notes.emplace_back(kDoubtful);
    if (regret.worlds > 0)
        section.notes.push_back(fmt::format("Known: against the move that is best on average over "
                                            "{} deals that look the same to the player.",
                                            regret.worlds));
    return section;
}

bool is_shown(const BlunderRow& blunder, std::span<const Replay> replays) {
    return std::any_of(replays.begin(), replays.end(), [&](const Replay& replay) {
        return !replay.frames.empty() &&
               fmt::format("{}.{}", replay.block, replay.game) == blunder.game;
    });
}

} // namespace

std::optional<Regret> regret_of(const Json& json) {
    try {
        Regret regret{json.at("dd").get<std::uint64_t>(),
                      json.at("worlds").get<std::uint64_t>(),
                      json.at("games").get<std::uint64_t>(),
                      {},
                      {}};
        for (const Json& agent : json.at("agents")) {
            RegretRow row{agent.at("name").get<std::string>(),
                          agent.at("decisions").get<std::uint64_t>(),
                          agent.at("mistakes").get<std::uint64_t>(),
                          estimate_of_json(agent.at("loss")),
                          {}};
            if (regret.worlds > 0) row.known = estimate_of_json(agent.at("known_loss"));
            regret.agents.push_back(std::move(row));
        }
        for (const Json& each : json.at("blunders"))
            regret.blunders.push_back(
                {each.at("game").get<std::string>(), each.at("ply").get<std::uint64_t>(),
                 each.at("agent").get<std::string>(), each.at("player").get<std::string>(),
                 each.at("move").get<std::string>(), each.at("best").get<std::string>(),
                 each.at("loss").get<double>()});
        return regret;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

void add_regret(Outline& outline, const Regret& regret, std::span<const Replay> replays,
                const std::string& folder) {
    const Section losses = losses_of(regret);
    outline.begin(losses.id, losses.title, Weight::Figure);
    Markup& page = outline.page();
    page.raw(loss_chart(regret));
    outline.add_table(losses, false);
    outline.add_notes(losses);
    if (!regret.blunders.empty()) {
        outline.heading("The worst moves");
        page.open("ul", {{"class", "blunders"}});
        for (const BlunderRow& each : regret.blunders) {
            page.open("li");
            const std::string place = fmt::format("{}:{}", each.game, each.ply);
            const bool shown = is_shown(each, replays);
            if (shown)
                page.element("a",
                             {{"href", outline.link("games")},
                              {"data-game", each.game},
                              {"data-ply", std::to_string(each.ply)}},
                             place);
            page.text(fmt::format("{} {} ({}) played {}; {} would have made {:g} more",
                                  shown ? ":" : place + ":", each.agent, each.player, each.move,
                                  each.best, each.loss));
            if (!shown) {
                page.text(" (");
                page.element("code", {}, fmt::format("croupier replay {}:{}", folder, place));
                page.text(")");
            }
            page.close();
        }
        page.close();
    }
    outline.end();
}

} // namespace croupier::results
