// Generalized sequential probability ratio test on block scores of any shape.
#pragma once

#include "results/statistics/accumulator.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

// How often each block score was seen. Scores are fractions of whole numbers divided once, so equal
// fractions are equal keys.
class ScoreCounts {
  public:
    // The scores that blocks of so many games between two sides can have, 0, 1/2k, .. 1, count from
    // the start, though 0 times; others when they are seen.
    explicit ScoreCounts(std::uint32_t games_per_block);
    // Counts of equally spaced scores from 0 to 1: [LL, LD, DD+WL, WD, WW] for two games a block,
    // [L, D, W] for one.
    explicit ScoreCounts(std::span<const std::uint64_t> counts);

    void add(double score, std::uint64_t times = 1);

    [[nodiscard]] const std::map<double, std::uint64_t>& counts() const { return counts_; }
    [[nodiscard]] std::uint32_t games_per_block() const { return games_per_block_; }
    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    [[nodiscard]] BlockMean mean() const;

  private:
    std::map<double, std::uint64_t> counts_;
    std::uint32_t games_per_block_;
    std::uint64_t blocks_ = 0;
};

enum class EloModel { Logistic, Normalized };

struct SprtBounds {
    double elo0 = 0;
    double elo1 = 2;
    double alpha = 0.05; // chance to accept H1 though elo0 is the truth
    double beta = 0.05;  // chance to accept H0 though elo1 is
    EloModel model = EloModel::Normalized;
};

// What keeps these bounds from being a test, in a sentence; nothing if they are one.
std::optional<std::string> wrong_with(const SprtBounds& bounds);

// "logistic", "normalized".
std::string_view to_string(EloModel model);
std::optional<EloModel> model_of(std::string_view name);

enum class SprtVerdict { Undecided, AcceptH0, AcceptH1 };

// ln(beta / (1 - alpha)): H0 is accepted at or below it.
double lower_bound(const SprtBounds& bounds);
// ln((1 - beta) / alpha): H1 is accepted at or above it.
double upper_bound(const SprtBounds& bounds);

// The log-likelihood ratio of elo1 against elo0. A count of zero stands for a thousandth. Absent
// without data, and where the hypotheses are so extreme that no distribution on these scores has
// them.
std::optional<double> log_likelihood_ratio(const ScoreCounts& counts, const SprtBounds& bounds);

SprtVerdict verdict_of(std::optional<double> llr, const SprtBounds& bounds);

// "H1 accepted"
std::string_view to_string(SprtVerdict verdict);

} // namespace croupier::results
