// Adds up faults by agent and kind, which is what stands before the colon.
#include "results/report/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace croupier::results {
namespace {

using Count = std::pair<std::string, std::uint64_t>;

void add(std::vector<Count>& counts, const std::string& name, std::uint64_t games) {
    const auto known = std::find_if(counts.begin(), counts.end(),
                                    [&](const Count& each) { return each.first == name; });
    if (known == counts.end())
        counts.emplace_back(name, games);
    else
        known->second += games;
}

void most_first(std::vector<Count>& counts) {
    std::stable_sort(counts.begin(), counts.end(), [](const Count& one, const Count& other) {
        return one.second > other.second;
    });
}

} // namespace

std::string faults_told(const Summary& summary, bool ended) {
    std::vector<Count> agents;
    for (const FaultRow& row : summary.faults)
        if (row.agent && row.ended == ended)
            add(agents, summary.facts.agents[*row.agent], row.games);
    most_first(agents);
    std::string text;
    for (const auto& [agent, games] : agents) {
        std::vector<Count> kinds;
        for (const FaultRow& row : summary.faults) {
            if (row.agent && row.ended == ended && summary.facts.agents[*row.agent] == agent)
                add(kinds, row.what.substr(0, row.what.find(':')), row.games);
        }
        most_first(kinds);
        std::string told;
        for (const auto& [kind, count] : kinds)
            told += fmt::format("{}{} {}", told.empty() ? "" : ", ", kind, count);
        text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", agent, games, told);
    }
    return text;
}

} // namespace croupier::results
