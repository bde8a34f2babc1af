// Two rulesets, or two agents, on the same deals: what differs, by how much and how surely.
#pragma once

#include "results/compare/judge.h"
#include "results/compare/metrics.h"
#include "results/costs/compare.h"
#include "results/statistics/paired.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

// Differences up to these do not matter. 0: none is too small.
struct Margins {
    double share = 0.02;             // of rates
    std::map<MetricKind, double> of; // in the metric's own unit; goes first

    [[nodiscard]] double at(MetricKind kind) const;
};

struct ChangeRow {
    MetricKind kind = MetricKind::Win;
    std::string of; // whose; empty: of all
    Estimate under_a;
    Estimate under_b;
    Estimate difference;         // B - A, by itself
    std::uint64_t differing = 0; // blocks that were not the same under both
    std::optional<double> correlation;
    std::optional<double> games_saved;
    double margin = 0;
    Judgement judgement; // corrected for all rows
    // Of each of the two, where undecided.
    std::optional<double> games_to_decide;
};

// What the agent is called that compare --agent-a and --agent-b play in turn.
inline constexpr std::string_view kComparedAgent = "agent";

struct RevisionSummary {
    std::string name_a;
    std::string name_b;
    std::uint64_t seed = 0;
    std::uint64_t starts = 0; // start positions; 0: games begin as usual
    std::uint64_t blocks = 0;
    std::uint64_t games = 0; // of each
    std::uint64_t alike = 0; // blocks whose games were the same moves under both
    std::vector<ChangeRow> rows;
    std::uint64_t corrected_for = 0; // questions together; 0: no row is corrected, or not known
    // Seconds a game, where somebody measured them. No function of the seed.
    std::optional<double> seconds_a;
    std::optional<double> seconds_b;
    // Own time of rules, all together first; empty where nobody measured it. `old` is A.
    std::vector<CostChange> costs;
    bool interrupted = false;
    bool of_agents = false; // which play one game, instead of two games by the same agents
};

// Fed in block order, so that its numbers do not depend on how blocks were played.
class RevisionTally {
  public:
    RevisionTally(const RunFacts& facts, bool by_agent);

    void add_block(std::span<const GameRecord> under_a, std::span<const GameRecord> under_b);
    // Of those kinds, or of all if there are none; the correction counts what is asked for alone.
    [[nodiscard]] RevisionSummary summary(std::span<const MetricKind> kinds,
                                          const Margins& margins) const;

  private:
    MetricReader reader_;
    std::uint64_t seed_;
    std::uint64_t starts_;
    std::map<MetricKey, PairedDifference> pairs_;
    std::uint64_t blocks_ = 0;
    std::uint64_t games_ = 0;
    std::uint64_t alike_ = 0;
};

// Whether the games of both are move for move the same.
bool same_lines(std::span<const GameRecord> one, std::span<const GameRecord> other);

} // namespace croupier::results
