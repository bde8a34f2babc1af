// A row an agent, over all seats.
#include "results/report/times.h"

#include "results/report/json_numbers.h"
#include "results/report/numbers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace croupier::results {
namespace {

std::string shown(std::optional<double> nanoseconds) {
    return nanoseconds ? short_time(*nanoseconds) : fixed({}, 0);
}

} // namespace

Section times_of(const TimeTable& times, const RunFacts& facts, std::uint64_t games) {
    Section section;
    section.id = "times";
    section.title = "time per decision";
    section.table.columns = {{"agent"},
                             {"decisions", Align::Right},
                             {"mean", Align::Right},
                             {"99 %", Align::Right},
                             {"longest", Align::Right},
                             {"processor", Align::Right}};
    section.spare = {1, 5, 4};
    std::uint64_t decisions = 0;
    std::uint64_t measured = 0;
    for (std::size_t agent = 0; agent < times.agents(); ++agent) {
        const DecisionTimes all = times.of(agent);
        decisions += all.decisions();
        measured += all.measured();
        if (all.measured() == 0) continue;
        section.table.rows.push_back({facts.agents[agent], std::to_string(all.decisions()),
                                      shown(all.mean()), shown(all.quantile(0.99)),
                                      short_time(static_cast<double>(all.most())),
                                      shown(all.cpu())});
    }
    if (measured < decisions)
        section.notes.push_back(
            fmt::format("Measured: {} of {} decisions; of agents that are fast, a sample.",
                        measured, decisions));
    if (times.games() > 0 && times.games() < games)
        section.notes.push_back(fmt::format("Times cover {} of {} games: a process that is killed "
                                            "takes its times with it.",
                                            times.games(), games));
    return section;
}

nlohmann::ordered_json time_json(const TimeTable& times, const RunFacts& facts) {
    auto rows = nlohmann::ordered_json::array();
    for (std::size_t agent = 0; agent < times.agents(); ++agent) {
        const DecisionTimes all = times.of(agent);
        rows.push_back({{"agent", facts.agents[agent]},
                        {"decisions", all.decisions()},
                        {"measured", all.measured()},
                        {"games", times.games()},
                        {"mean_ns", number_json(all.mean())},
                        {"p99_ns", number_json(all.quantile(0.99))},
                        {"max_ns", all.most()},
                        {"cpu_ns", number_json(all.cpu())}});
    }
    return rows;
}

void time_numbers(
    const TimeTable& times, const RunFacts& facts,
    const std::function<void(const std::string&, const char*, std::optional<double>)>& take) {
    for (std::size_t agent = 0; agent < times.agents(); ++agent) {
        const DecisionTimes all = times.of(agent);
        const std::string& name = facts.agents[agent];
        take(name, "decisions", static_cast<double>(all.decisions()));
        take(name, "measured", static_cast<double>(all.measured()));
        take(name, "mean_ns", all.mean());
        take(name, "p99_ns", all.quantile(0.99));
        take(name, "max_ns", static_cast<double>(all.most()));
        take(name, "cpu_ns", all.cpu());
    }
}

} // namespace croupier::results
