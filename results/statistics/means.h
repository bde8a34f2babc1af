// The normal distribution, Student's t and the binomial; and means over blocks, with their moments
// in memory that does not grow, and their intervals.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace croupier::results {

// The share of a standard normal variable below x.
double normal_cdf(double x);

// The x below which the share p lies, for 0 < p < 1; exact to the last digits of a double.
double normal_quantile(double p);

// How many standard errors a two-sided interval reaches to each side: 1.96 for 0.95.
double two_sided_z(double confidence);

constexpr double kConfidence = 0.95; // of every interval, unless somebody asks for another

// Student's t and the binomial distribution, by the incomplete beta function.

// The share of a beta variable with parameters a, b > 0 below x.
double beta_cdf(double x, double a, double b);
// The x below which the share p lies, for 0 < p < 1.
double beta_quantile(double p, double a, double b);

// The same for t with `freedom` > 0 degrees of freedom, which need not be whole.
double student_cdf(double t, double freedom);
double student_quantile(double p, double freedom);

// The largest chance of success that `successes` in n independent trials do not speak against:
// fewer would be seen with a chance of at least alpha (Clopper and Pearson, one-sided). What is
// counted need not be whole.
double most_likely_above(double successes, double n, double alpha);

// Means over blocks of games: the only place where a variance is taken.

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

    // Sums over all vectors of the weighed components: the components themselves, squared, cubed.
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

// A number that was measured. What cannot be said is absent: no data, or nothing to judge by.
struct Estimate {
    std::optional<double> value;
    std::optional<double> error; // one standard error
    std::optional<double> low;   // bounds of the interval
    std::optional<double> high;
    // There is no value, as none is large (small) enough, and the one bound that there is holds
    // with the confidence of the interval.
    bool one_sided = false;
    // The blocks do not show how far others may lie: the interval covers less often than it says if
    // rare ones lie far off.
    bool doubtful = false;
};

// What a block's value can be at all.
struct Range {
    double low = 0;
    double high = 1;
};
constexpr Range kShare{0, 1};

// What a mean over blocks is judged by. Where blocks have different sizes, a block's value is the
// mean and its part in the deviation of the ratio of sums.
struct BlockMoments {
    std::uint64_t blocks = 0;
    std::optional<double> mean;
    double squares = 0; // of deviations, summed over blocks; 0: all blocks agree
    double cubes = 0;
    double low = 0; // the ends of what can be; where nobody knows them, of what has been
    double high = 0;
    bool bounded = false; // they are known
    double reach = 1;     // of the largest block over that of a mean one
    double effective = 0; // number of blocks of one size that would know as much

    // With the divisor N - 1. Absent with fewer than two blocks, or when all agree.
    [[nodiscard]] std::optional<double> error() const;
};

// Mean of something that a block has `count` values of. Blocks are independent, what is inside one
// is not: the standard error is that of a ratio of sums over blocks, which for blocks of one size
// is sqrt(var / N) with var the mean squared deviation of the blocks' means.
// Sums are kept relative to the first value, so equal values have a variance of exactly 0.
class BlockMean {
  public:
    // One block: the sum of its values and how many there were. Blocks without any do not count.
    void add(double sum, double count = 1);
    // So many blocks of one value each, all the same.
    void add_equal(double value, std::uint64_t blocks);

    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    [[nodiscard]] double values() const { return sums_.sum(1); }
    [[nodiscard]] std::optional<double> mean() const;
    // The mean squared deviation of a block's mean, weighted by the square of its size.
    [[nodiscard]] std::optional<double> variance() const;
    // Absent with fewer than two blocks, or when all agree.
    [[nodiscard]] std::optional<double> standard_error() const;
    // The mean and an interval of z standard errors to each side: of counts, as published.
    [[nodiscard]] Estimate estimate(double z) const;
    // For intervals and tests of runs.
    [[nodiscard]] BlockMoments moments(std::optional<Range> range = {}) const;

  private:
    [[nodiscard]] double
    squares() const; // of the deviations of sums; 0 where rounding alone made it

    std::uint64_t blocks_ = 0;
    double origin_ = 0;
    double least_ = 0; // values of blocks
    double most_ = 0;
    double largest_ = 0;    // count
    LinearMoments<2> sums_; // of deviations from the origin, and counts
};

// Intervals and tests of a mean over blocks that hold for few blocks and for rare differences.

// Fewer blocks than this give an interval, and no verdict.
constexpr std::uint64_t kMinBlocks = 6;
// Where the range is not known, the interval is doubtful with fewer blocks than this, or if one
// block has more than half of the sum of squares: what a few blocks in a hundred add to the mean
// has then hardly been seen.
constexpr std::uint64_t kMinUnbounded = 20;

// The interval of the mean:
//     high = mean + A + sqrt(A^2 + t^2 SE^2), A = (t^2 + 2) / 3 * skew / N
// and low likewise, with t of Student for N - 1 degrees of freedom. Without A it is the usual one;
// A is Cornish and Fisher's correction for skewness, by which the bounds of a rare event are those
// of the exact test (Poisson) to a percent. `skew`, the third central moment over the second,
// counts one block more than were seen, at the end of the range: what has not happened yet may.
// Where all blocks agree, the bound is exact: (1 - q)^N = alpha for the share q of blocks that
// would not.
Estimate mean_estimate(const BlockMoments& blocks, double confidence = kConfidence);
// The bound to one side alone.
std::optional<double> lower_limit(const BlockMoments& blocks, double alpha);
std::optional<double> upper_limit(const BlockMoments& blocks, double alpha);

// One-sided p-values of the same tests: the chance of a mean as low (high) as this, were the true
// one at least (at most) the limit. Absent where nothing can be said.
std::optional<double> p_at_least(const BlockMoments& blocks, double limit);
std::optional<double> p_at_most(const BlockMoments& blocks, double limit);

} // namespace croupier::results
