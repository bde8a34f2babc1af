// What became dearer between two states of the same rules, measured in turn.
#pragma once

#include "results/costs/cost.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace croupier::results {

// The same games by the old rules and by the new ones, right after each other: what the machine did
// meanwhile, it did to both.
struct CostRound {
    CostTable old;
    CostTable now;
};

struct CostChange {
    enum class Verdict : std::uint8_t { Same, Slower, Faster, New, Gone };

    std::string owner; // of the rule; empty: all rules together
    std::string group;
    std::string name;
    std::optional<double> recorded; // own ns per game, as the old run has it
    std::optional<double> old;      // median over the rounds
    std::optional<double> now;
    std::optional<double> ratio; // median of now / old in one round
    Verdict verdict = Verdict::Same;
};
std::string_view name_of(CostChange::Verdict verdict);
std::span<const CostChange::Verdict> cost_verdicts();

// Slower, if the median ratio is beyond this and all rounds but at most one in nine agree; faster
// likewise. By chance alone nine rounds do so in one of 51 rules.
inline constexpr double kSlowerBy = 1.05;

// All rules together first, then each that either side ever tried, those that changed most in
// nanoseconds first. `recorded` is what the old run wrote down; its facts are the old ones.
std::vector<CostChange> compare_costs(const Costs& recorded, const ProfileFacts& now,
                                      std::span<const CostRound> rounds, const std::string& game,
                                      const std::vector<std::string>& old_agents,
                                      const std::vector<std::string>& agents);

} // namespace croupier::results
