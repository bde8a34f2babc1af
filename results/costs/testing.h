// Hand-made costs for tests.
#pragma once

#include "results/costs/cost.h"

#include <string>
#include <utility>
#include <vector>

namespace croupier::results {

// One game of two agents; the tries and passes of each entry of its rules are set by the test.
class CostsByHand {
  public:
    explicit CostsByHand(ProfileMode mode = ProfileMode::Full) { costs.facts.mode = mode; }

    // Returns its number.
    std::uint32_t rule(const std::string& name, const Cost& cost,
                       std::optional<std::uint32_t> agent = {}) {
        const auto number = static_cast<std::uint32_t>(costs.facts.rules.size());
        costs.facts.rules.push_back({agent, "play", name, "rules.json:1:1", true, true, {}});
        if (cost.tried > 0)
            costs.table.add({{number, Phase::Play, 0, kNothing},
                             {cost.tried, cost.passed, cost.matches, cost.firings}});
        costs.table.add({{number, Phase::Any, kNothing, kNothing},
                         {.match_ns = cost.match_ns,
                          .act_ns = cost.act_ns,
                          .total_ns = cost.total_ns,
                          .shared_ns = cost.shared_ns}});
        return number;
    }
    // Adds an entry to the last rule.
    EntryFacts& entry(const std::string& text, std::uint32_t depth, std::uint64_t tried,
                      std::uint64_t passed, std::uint64_t ns = 0) {
        RuleFacts& rule = costs.facts.rules.back();
        const auto number = static_cast<std::uint32_t>(rule.entries.size());
        rule.entries.push_back({text, depth, false, {}, {}});
        const auto owner = static_cast<std::uint32_t>(costs.facts.rules.size() - 1);
        if (tried > 0) costs.table.add({{owner, Phase::Play, 0, number}, {tried, passed}});
        costs.table.add({{owner, Phase::Any, kNothing, number}, {.match_ns = ns, .total_ns = ns}});
        return rule.entries.back();
    }

    Costs costs;
};

} // namespace croupier::results
