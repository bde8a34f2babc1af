// One against the other on the same blocks: differences, verdicts, what it would take to decide.
#pragma once

#include "results/statistics/accumulator.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace croupier::results {

// A mean with what tests ask of it.
struct MeanOverBlocks {
    std::uint64_t blocks = 0;
    std::optional<double> mean;
    std::optional<double> error; // one standard error; absent without data, or if all blocks agree

    // Of one block, as far as its share in the error goes.
    [[nodiscard]] std::optional<double> variance() const;
    [[nodiscard]] Estimate estimate(double z) const;
};
MeanOverBlocks mean_of(const BlockMean& blocks);

// A metric under A and under B, block by block: the same deals, the same agents.
class PairedDifference {
  public:
    // The metric's mean over the block's games, under each.
    void add(double under_a, double under_b) { add(under_a, 1, under_b, 1); }
    // The sums of so many values; a block may have none under one of them.
    void add(double sum_a, double count_a, double sum_b, double count_b);

    [[nodiscard]] const BlockMean& under_a() const { return a_; }
    [[nodiscard]] const BlockMean& under_b() const { return b_; }
    // B - A. Where blocks hold different numbers of values, each mean is a ratio of sums, and the
    // error that of the difference of two ratios which share their blocks.
    [[nodiscard]] MeanOverBlocks difference() const;
    // Of the two means.
    [[nodiscard]] double covariance() const;
    // Of the two values of a block. Absent if one of them never varies.
    [[nodiscard]] std::optional<double> correlation() const;
    // The share of games that pairing saved: 1 - var(B - A) / (var A + var B). Negative where the
    // same deals made things worse.
    [[nodiscard]] std::optional<double> games_saved() const;

  private:
    BlockMean a_;
    BlockMean b_;
    std::uint64_t blocks_ = 0;
    // Sums are kept relative to each side's first value, and their products over blocks.
    std::optional<double> origin_a_;
    std::optional<double> origin_b_;
    double sum_a_ = 0; // of deviations
    double sum_b_ = 0;
    double products_ = 0; // deviations under A times those under B
    double sum_a_count_b_ = 0;
    double count_a_sum_b_ = 0;
    double counts_ = 0;
};

enum class Verdict { Undecided, Better, Worse, Equivalent };

// "better"
std::string_view to_string(Verdict verdict);

struct Comparison {
    Estimate difference; // B - A, interval at 1 - alpha
    // Of no difference, two-sided. Absent if all blocks differ by the same.
    std::optional<double> p_value;
    // The chance of such data if the true difference were at the margin: two one-sided tests.
    // Absent without a margin.
    std::optional<double> equivalence_p_value;
    Verdict verdict = Verdict::Undecided;
    // Where undecided: how many blocks in all would decide, with four chances in five, were the
    // difference and its spread those measured. Absent if no number would.
    std::optional<double> blocks_to_decide;
};

// Equivalent: both one-sided tests reject a difference of the margin at alpha, even where the
// difference is sure: the margin says what does not matter. Otherwise better or worse: the interval
// leaves out 0. `margin` 0: nothing is equivalent.
Comparison compare(const MeanOverBlocks& difference, double margin, double alpha = 0.05);
Comparison compare(const BlockMean& difference, double margin, double alpha = 0.05);

// Holm's correction for several tests at once: the p-values as they count now, in the order given.
std::vector<double> holm(std::span<const double> p_values);
// The same where hypotheses exclude each other: of those with the same group, at most one is true
// (no difference; a difference of at least the margin). Then as many can be true at once as there
// are groups left (Shaffer), so that asking two questions of a metric costs no more than one.
std::vector<double> holm(std::span<const double> p_values, std::span<const std::size_t> groups);

} // namespace croupier::results
