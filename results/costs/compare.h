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
    // Same: no more than kSameWithin apart.
    enum class Verdict : std::uint8_t { Same, Slower, Faster, New, Gone, Undecided };

    std::string owner; // of the rule; empty: all of the game, or all rules together
    std::string group;
    std::string name;
    std::optional<double> recorded; // own ns per game, as the old run has it, if that is known
    std::optional<double> old;      // mean over the rounds
    std::optional<double> now;
    std::optional<double> ratio; // of these
    Verdict verdict = Verdict::Undecided;
    // The interval of the ratio, corrected for all that are compared together.
    std::optional<double> low;
    std::optional<double> high;
};
std::string_view name_of(CostChange::Verdict verdict);
std::span<const CostChange::Verdict> cost_verdicts();

inline constexpr double kSameWithin = 0.05;

// The whole game first, then all rules together, then each rule that either side ever tried, those
// that changed most in nanoseconds first. `recorded` is what the old run wrote down; its facts are
// the old ones.
std::vector<CostChange> compare_costs(const Costs& recorded, const ProfileFacts& now,
                                      std::span<const CostRound> rounds, const std::string& game,
                                      const std::vector<std::string>& old_agents,
                                      const std::vector<std::string>& agents);

} // namespace croupier::results
