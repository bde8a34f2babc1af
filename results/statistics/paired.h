// One against the other on the same blocks: differences, verdicts, what it would take to decide.
#pragma once

#include "results/statistics/accumulator.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace croupier::results {

// A metric under A and under B, block by block: the same deals, the same agents.
class PairedDifference {
  public:
    // The metric's mean over the block's games, under each.
    void add(double under_a, double under_b);

    [[nodiscard]] const BlockMean& under_a() const { return a_; }
    [[nodiscard]] const BlockMean& under_b() const { return b_; }
    // B - A.
    [[nodiscard]] const BlockMean& difference() const { return difference_; }
    // Of the two values of a block. Absent if one of them never varies.
    [[nodiscard]] std::optional<double> correlation() const;
    // The share of games that pairing saved: 1 - var(B - A) / (var A + var B). Negative where the
    // same deals made things worse.
    [[nodiscard]] std::optional<double> games_saved() const;

  private:
    BlockMean a_;
    BlockMean b_;
    BlockMean difference_;
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
Comparison compare(const BlockMean& difference, double margin, double alpha = 0.05);

// Holm's correction for several tests at once: the p-values as they count now, in the order given.
std::vector<double> holm(std::span<const double> p_values);

} // namespace croupier::results
