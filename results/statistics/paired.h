// One against the other on the same blocks: differences, verdicts, what it would take to decide.
#pragma once

#include "results/statistics/means.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace croupier::results {

// A difference B - A, with what tests ask of it.
struct PairedMoments {
    BlockMoments blocks;
    std::uint64_t differing = 0; // blocks that were not the same under both
    // p-value of the exact A/B swap test: the share of all ways to swap A and B in the blocks that
    // differ whose difference is as far from 0. Absent where there are too many ways to try.
    std::optional<double> swap_p_value;
};

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
    // error that of the difference of two ratios which share their blocks. `range`: of the metric.
    [[nodiscard]] PairedMoments difference(std::optional<Range> range = {}) const;
    // The standard error of `factor_b` times the mean under B less `factor_a` times that under A.
    // Absent with fewer than two blocks, or when all agree.
    [[nodiscard]] std::optional<double> error_of(double factor_a, double factor_b) const;
    // The correlation of the two values of a block. Absent if one of them never varies.
    [[nodiscard]] std::optional<double> correlation() const;
    // The share of games that pairing saved: 1 - var(B - A) / (var A + var B). Negative where the
    // same deals made things worse.
    [[nodiscard]] std::optional<double> games_saved() const;

  private:
    using Block = std::array<double, 4>; // sum and count under A, under B

    // Each block's part in a deviation of that mean.
    [[nodiscard]] Block weights_a() const;
    [[nodiscard]] Block weights_b() const;
    [[nodiscard]] std::optional<double> swap_p_value() const;

    BlockMean a_;
    BlockMean b_;
    std::uint64_t blocks_ = 0;
    std::uint64_t differing_ = 0;
    std::vector<Block> kept_; // the first that differ
    std::optional<double> origin_a_;
    std::optional<double> origin_b_;
    double least_ = 0; // differences of blocks
    double most_ = 0;
    double largest_a_ = 0; // counts
    double largest_b_ = 0;
    LinearMoments<4> sums_; // of blocks, sums relative to each side's first value
};

enum class Verdict { TooFew, Undecided, Better, Worse, Equivalent };

struct Comparison {
    Estimate difference; // B - A, interval at 1 - alpha
    // p-value of no difference, two-sided: the larger of the interval's test and the swap test.
    // Absent below kMinBlocks, and if all blocks differ by the same or not at all.
    std::optional<double> p_value;
    // The chance of such data if the true difference were at the margin: two one-sided tests.
    // Absent without a margin, and where the first is, but not where no block differs.
    std::optional<double> equivalence_p_value;
    Verdict verdict = Verdict::Undecided;
};

// Too few: no verdict below kMinBlocks. Equivalent: both one-sided tests reject a difference of
// the margin at alpha, even where the difference is sure: the margin says what does not matter.
// Otherwise better or worse: no difference is rejected. `margin` 0: nothing is equivalent.
Comparison compare(const PairedMoments& difference, double margin, double alpha = 0.05);

// Where that is undecided: how many blocks in all would decide with a power of 80 %, if those seen
// are all that there is; less than half a percent too many. Absent if no number would, or nothing
// is known of the spread.
std::optional<double> blocks_to_decide(const PairedMoments& difference, double margin,
                                       double alpha = 0.05);

// Holm's correction for several tests at once: the p-values as they count now, in the order given.
// Hypotheses of the same group exclude each other: at most one is true (no difference; a difference
// of at least the margin). Then as many can be true at once as there are groups left (Shaffer), so
// that asking two questions of a metric costs no more than one.
std::vector<double> holm(std::span<const double> p_values, std::span<const std::size_t> groups);

} // namespace croupier::results
