// The normal, Student's t and binomial distributions; means over blocks, with moments in constant
// memory, and their intervals.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace croupier::results {

// The probability of a standard normal variable below x.
double normal_cdf(double x);

// The p-quantile for 0 < p < 1; exact to the last digits of a double.
double normal_quantile(double p);

// Half the width of a two-sided interval in standard errors: 1.96 for 0.95.
double two_sided_z(double confidence);

constexpr double kConfidence = 0.95; // of every interval by default
constexpr double kAlpha = 1 - kConfidence;

// Student's t and the binomial distribution, by the incomplete beta function.

// The probability of a beta variable with parameters a, b > 0 below x.
double beta_cdf(double x, double a, double b);
// The p-quantile, for 0 < p < 1.
double beta_quantile(double p, double a, double b);

// The same for t with `freedom` > 0 degrees of freedom, not necessarily whole.
double student_cdf(double t, double freedom);
double student_quantile(double p, double freedom);

// The upper bound of a success probability after `successes` in n independent trials: at that
// probability, so few or fewer are seen with probability alpha (Clopper and Pearson, one-sided).
// Counts need not be whole.
double most_likely_above(double successes, double n, double alpha);

// Means over blocks of games: the only place that computes a variance.

template <std::size_t N>
class LinearMoments {
  public:
    using Vector = std::array<double, N>;

    void add(const Vector& v, double times = 1) {
        std::size_t two = 0;
        std::size_t three = 0;
        for (std::size_t i = 0; i < N; ++i) {
            const double at_i = times * v[i];
            ones_[i] += at_i;
            for (std::size_t j = i; j < N; ++j) {
                const double at_ij = at_i * v[j];
                twos_[two++] += at_ij;
                for (std::size_t k = j; k < N; ++k)
                    threes_[three++] += at_ij * v[k];
            }
        }
    }

    // Sums over all vectors of the weighted components: themselves, squared, cubed.
    [[nodiscard]] double sum(std::size_t component) const { return ones_[component]; }
    [[nodiscard]] double product(const Vector& one, const Vector& other) const {
        double result = 0;
        std::size_t two = 0;
        for (std::size_t i = 0; i < N; ++i) {
            for (std::size_t j = i; j < N; ++j) {
                const double both = one[i] * other[j] + one[j] * other[i];
                result += twos_[two++] * (i == j ? both / 2 : both);
            }
        }
        return result;
    }
    [[nodiscard]] double squares(const Vector& weights) const { return product(weights, weights); }
    [[nodiscard]] double cubes(const Vector& weights) const {
        double result = 0;
        std::size_t three = 0;
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t j = i; j < N; ++j)
                for (std::size_t k = j; k < N; ++k) {
                    const double orders = i == k ? 1 : i == j || j == k ? 3 : 6;
                    result += orders * weights[i] * weights[j] * weights[k] * threes_[three++];
                }
        return result;
    }

  private:
    Vector ones_{};
    std::array<double, N*(N + 1) / 2> twos_{};
    std::array<double, N*(N + 1) * (N + 2) / 6> threes_{};
};

// A measured number. A member is absent if unknown: no data, or no basis for an error.
struct Estimate {
    std::optional<double> value;
    std::optional<double> error; // one standard error
    std::optional<double> low;   // bounds of the interval
    std::optional<double> high;
    // There is no value, as no value is large (small) enough; the single bound has the confidence
    // of the interval.
    bool one_sided = false;
    // The blocks do not show how far others may lie: the interval's coverage is below its
    // confidence if rare blocks lie far away.
    bool doubtful = false;
};

// The possible values of a block.
struct Range {
    double low = 0;
    double high = 1;
};
constexpr Range kShare{0, 1};

// The basis for judging a mean over blocks. If blocks differ in size, a block's value is the mean
// plus its part in the deviation of the ratio of sums.
struct BlockMoments {
    std::uint64_t blocks = 0;
    std::optional<double> mean;
    double squares = 0; // of deviations, summed over blocks; 0 if all blocks agree
    double cubes = 0;
    double low = 0; // ends of the possible range; if unknown, of the observed one
    double high = 0;
    bool bounded = false; // the range is known
    double reach = 1;     // size of the largest block divided by the mean size
    double effective = 0; // number of equal blocks with the same information

    // With divisor N - 1. Absent with fewer than two blocks, or if all agree.
    [[nodiscard]] std::optional<double> error() const;
};

// Mean of something that a block has `count` values of. Blocks are independent, values in a block
// are not: the standard error is that of a ratio of sums over blocks, which for blocks of equal
// size is sqrt(var / N), with var the mean squared deviation of block means. Sums are kept relative
// to the first value, so that equal values have a variance of exactly 0.
class BlockMean {
  public:
    // Adds one block: the sum of its values and their number. Blocks without values do not count.
    void add(double sum, double count = 1);
    // Adds `blocks` equal blocks of one value each.
    void add_equal(double value, std::uint64_t blocks);

    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    [[nodiscard]] double values() const { return sums_.sum(1); }
    [[nodiscard]] std::optional<double> mean() const;
    // The mean squared deviation of block means, weighted by the square of block size.
    [[nodiscard]] std::optional<double> variance() const;
    // Absent with fewer than two blocks, or if all agree.
    [[nodiscard]] std::optional<double> standard_error() const;
    // The mean and an interval of z standard errors to each side, as published for counts.
    [[nodiscard]] Estimate estimate(double z) const;
    // For intervals and tests of runs.
    [[nodiscard]] BlockMoments moments(std::optional<Range> range = {}) const;

  private:
    [[nodiscard]] double
    squares() const; // of the deviations of sums; 0 if it is only a rounding error

    std::uint64_t blocks_ = 0;
    double origin_ = 0;
    double least_ = 0; // values of blocks
    double most_ = 0;
    double largest_ = 0;    // count
    LinearMoments<2> sums_; // of deviations from the origin, and counts
};

// Intervals and tests of a mean over blocks that are valid for few blocks and rare differences.

// With fewer blocks there is an interval but no verdict.
constexpr std::uint64_t kMinBlocks = 6;
// If the range is unknown, the interval is doubtful with fewer blocks, or if one block has more
// than half of the sum of squares: the effect of rare blocks, a few percent, has then hardly been
// observed.
constexpr std::uint64_t kMinUnbounded = 20;

// The interval of the mean:
//     high = mean + A + sqrt(A^2 + t^2 SE^2), A = (t^2 + 2) / 3 * skew / N
// and low likewise, with Student's t for N - 1 degrees of freedom. Without A it is the usual
// interval; A is the correction of Cornish and Fisher for skewness, with which the bounds of a rare
// event agree with the exact test (Poisson) to a percent. `skew`, the third central moment over the
// second, includes one unseen block at the end of the range: what has not happened yet may happen.
// If all blocks agree, the bound is exact: (1 - q)^N = alpha for the share q of blocks that would
// differ.
Estimate mean_estimate(const BlockMoments& blocks, double confidence = kConfidence);
// One-sided bounds.
std::optional<double> lower_limit(const BlockMoments& blocks, double alpha);
std::optional<double> upper_limit(const BlockMoments& blocks, double alpha);

// One-sided p-values of the same tests: the probability of such a low (high) mean if the true one
// is at least (at most) the limit. Absent if unknown.
std::optional<double> p_at_least(const BlockMoments& blocks, double limit);
std::optional<double> p_at_most(const BlockMoments& blocks, double limit);

} // namespace croupier::results
