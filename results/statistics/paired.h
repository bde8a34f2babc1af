// Compares two on the same blocks: differences, verdicts, and how many blocks a verdict needs.
#pragma once

#include "results/statistics/means.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace croupier::results {

// A difference B - A, with what its tests need.
struct PairedMoments {
    BlockMoments blocks;
    std::uint64_t differing = 0; // blocks that differ between A and B
    // p-value of the exact A/B swap test: among all ways to swap A and B in the blocks that differ,
    // the share whose difference is as far from 0. Absent if there are too many ways to try.
    std::optional<double> swap_p_value;
};

// A metric under A and under B, block by block: the same deals, the same agents.
class PairedDifference {
  public:
    // Adds a block by the metric's mean over its games, under each.
    void add(double under_a, double under_b) { add(under_a, 1, under_b, 1); }
    // Adds a block by sums and counts; it may have no values under one of them.
    void add(double sum_a, double count_a, double sum_b, double count_b);

    [[nodiscard]] const BlockMean& under_a() const { return a_; }
    [[nodiscard]] const BlockMean& under_b() const { return b_; }
    // B - A. If blocks have different numbers of values, each mean is a ratio of sums, and the
    // error is that of the difference of two ratios over the same blocks. `range` is the metric's.
    [[nodiscard]] PairedMoments difference(std::optional<Range> range = {}) const;
    // The standard error of `factor_b` times the mean under B minus `factor_a` times that under A.
    // Absent with fewer than two blocks, or if all agree.
    [[nodiscard]] std::optional<double> error_of(double factor_a, double factor_b) const;
    // The correlation of a block's two values. Absent if one of them never varies.
    [[nodiscard]] std::optional<double> correlation() const;
    // The share of games saved by pairing: 1 - var(B - A) / (var A + var B). Negative if pairing
    // made it worse.
    [[nodiscard]] std::optional<double> games_saved() const;

  private:
    using Block = std::array<double, 4>; // sum and count under A, then under B

    // Each block's weights in the deviation of that mean.
    [[nodiscard]] Block weights_a() const;
    [[nodiscard]] Block weights_b() const;
    [[nodiscard]] std::optional<double> swap_p_value() const;

    BlockMean a_;
    BlockMean b_;
    std::uint64_t blocks_ = 0;
    std::uint64_t differing_ = 0;
    std::vector<Block> kept_; // the first blocks that differ
    std::optional<double> origin_a_;
    std::optional<double> origin_b_;
    double least_ = 0; // differences of blocks
    double most_ = 0;
    double largest_a_ = 0; // counts
    double largest_b_ = 0;
    LinearMoments<4> sums_; // of blocks, with sums relative to each side's first value
};

// The difference B - A of means over independent blocks, by Welch's test: its freedom, rounded, is
// that of the result's blocks.
PairedMoments independent_difference(const BlockMean& a, const BlockMean& b);

enum class Verdict { TooFew, Undecided, Better, Worse, Equivalent };

struct Comparison {
    Estimate difference; // B - A, interval at 1 - alpha
    // Two-sided p-value of no difference: the larger of the interval's test and the swap test.
    // Absent below kMinBlocks, and if all blocks differ by the same amount or not at all.
    std::optional<double> p_value;
    // The probability of such data if the true difference is at the margin: two one-sided tests.
    // Absent without a margin, and whenever p_value is, except if no block differs.
    std::optional<double> equivalence_p_value;
    Verdict verdict = Verdict::Undecided;
};

// Too few: below kMinBlocks. Equivalent: both one-sided tests reject a difference of the margin at
// alpha, even if there is certainly a difference: the margin says what does not matter. Otherwise
// better or worse: no difference is rejected. With `margin` 0 nothing is equivalent.
Comparison compare(const PairedMoments& difference, double margin, double alpha = 0.05);

// If undecided: the total number of blocks for a verdict with 80 % power, if the blocks seen are
// representative; at most half a percent too many. Absent if no number is enough, or the spread is
// unknown.
std::optional<double> blocks_to_decide(const PairedMoments& difference, double margin,
                                       double alpha = 0.05);

// Holm's correction for several tests: the adjusted p-values, in the order given. Hypotheses of one
// group exclude each other: at most one is true (no difference; a difference of at least the
// margin). Then at most as many are true as there are groups left (Shaffer), so asking two
// questions of a metric costs no more than one.
std::vector<double> holm(std::span<const double> p_values, std::span<const std::size_t> groups);

// Benjamini and Hochberg's correction: the adjusted p-values, in the order given. Of the groups
// with one below alpha, at most the share alpha is expected to be there wrongly, if tests are
// independent or vary together. At most one hypothesis of a group is true, so groups count, as in
// holm().
std::vector<double> false_discoveries(std::span<const double> p_values,
                                      std::span<const std::size_t> groups);

} // namespace croupier::results
