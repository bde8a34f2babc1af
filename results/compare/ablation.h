// What each rule of an agent is worth: the agent with and without it, on the same deals.
#pragma once

#include "results/compare/judge.h"
#include "results/statistics/block.h"
#include "results/statistics/paired.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace croupier::results {

struct AblatedRule {
    std::string group;
    std::string name;
    // Nanoseconds a decision of the agent, where they are known: a cheap rule may have too few
    // ticks. No function of the seed.
    std::optional<double> cost_ns;
};

// Differences are those of the whole agent over the one without the rule: above 0, it helps.
struct WorthRow {
    AblatedRule rule;
    Estimate win_rate;
    Estimate points;
    Estimate score; // mean block score, which the judgement is on
    Estimate elo;
    Judgement judgement; // corrected for all rules
    std::optional<double> games_to_decide;
    std::uint64_t alike = 0; // blocks in which the rule changed no move
    Estimate elo_per_us;     // with the interval of its Elo
};

struct AblationSummary {
    std::string game;
    std::string agent;
    std::vector<std::string> against;
    std::uint64_t seed = 0;
    std::uint64_t starts = 0; // start positions; 0: games begin as usual
    std::uint64_t blocks = 0;
    std::uint64_t games = 0; // of the whole agent, and as many without each rule
    Estimate win_rate;       // of the whole agent
    Estimate points;
    Estimate score;
    double margin = 0;               // of the score
    std::uint64_t corrected_for = 0; // rules together; 0: none is corrected, or not known
    std::vector<WorthRow> rows; // most worth for its time first; without times, most worth first
    bool interrupted = false;
};

// Agent 0 of the facts is the one in question. Fed in block order.
class AblationTally {
  public:
    AblationTally(const RunFacts& facts, std::vector<AblatedRule> rules);

    // The games of the whole agent, then those without the first rule, and so on: as many of each.
    void add_block(std::span<const GameRecord> games);
    // What the rules cost, in their order.
    void set_costs(std::span<const std::optional<double>> cost_ns);
    [[nodiscard]] AblationSummary summary(double margin) const;

  private:
    struct Worth { // A without the rule, B with it
        PairedDifference win_rate;
        PairedDifference points;
        PairedDifference score;
        std::uint64_t alike = 0;
    };
    struct Outcome {
        double win_sum = 0, wins = 0, point_sum = 0, points = 0;
        std::optional<double> score;
    };

    Outcome outcome_of(std::span<const GameRecord> games);
    [[nodiscard]] WorthRow row_of(std::size_t rule) const;

    RunFacts facts_;
    BlockReader reader_;
    std::vector<AblatedRule> rules_;
    std::vector<Worth> worths_;
    BlockMean win_rate_;
    BlockMean points_;
    BlockMean score_;
    std::uint64_t blocks_ = 0;
    std::uint64_t games_ = 0;
};

} // namespace croupier::results
