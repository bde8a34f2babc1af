// Distributions, and means over blocks. The normal distribution uses the error function; its
// inverse a rational approximation and Newton steps.
#include "results/statistics/means.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace croupier::results {
namespace {

double density(double x) {
    return std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}

// Accurate to 0.0005 (Abramowitz and Stegun, 26.2.23), for p at most one half.
double rough_quantile(double p) {
    const double t = std::sqrt(-2 * std::log(p));
    return (2.515517 + t * (0.802853 + t * 0.010328)) /
               (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
           t;
}

constexpr double kNearlyNormal = 1e6; // degrees of freedom: the difference is below 1e-6

double not_zero(double x) {
    constexpr double kTiny = 1e-300;
    return std::abs(x) < kTiny ? kTiny : x;
}

// Converges fast for x < (a + 1) / (a + b + 2).
double fraction(double x, double a, double b) {
    double c = 1;
    double d = 1 / not_zero(1 - (a + b) * x / (a + 1));
    double result = d;
    for (int m = 1; m < 10000; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / not_zero(1 + even * d);
        c = not_zero(1 + even / c);
        result *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / not_zero(1 + odd * d);
        c = not_zero(1 + odd / c);
        result *= d * c;
        if (std::abs(d * c - 1) < 1e-15) break;
    }
    return result;
}

// For lower bounds: the lower bound is the negative upper bound of the negated values.
BlockMoments mirrored(BlockMoments blocks) {
    if (blocks.mean) *blocks.mean *= -1;
    blocks.cubes *= -1;
    std::swap(blocks.low, blocks.high);
    blocks.low *= -1;
    blocks.high *= -1;
    return blocks;
}

// How far above the mean a block can be.
double distance(const BlockMoments& blocks) {
    return std::max(0.0, (blocks.high - *blocks.mean) * blocks.reach);
}

// Third moment over second, with an additional block at the end of the range.
double skew(const BlockMoments& blocks) {
    const double far = distance(blocks);
    const double all = blocks.squares + far * far;
    return std::max(0.0, (blocks.cubes + far * far * far) / all);
}

double count_of(const BlockMoments& blocks) {
    return static_cast<double>(blocks.blocks);
}

// Limits a bound beyond the range to the bound that holds for any distribution on the range.
double within(const BlockMoments& blocks, double bound, double alpha) {
    if (!blocks.bounded || bound < blocks.high) return bound;
    const double width = blocks.high - blocks.low;
    const double share = std::clamp((*blocks.mean - blocks.low) / width, 0.0, 1.0);
    return blocks.low +
           width * most_likely_above(share * blocks.effective, blocks.effective, alpha);
}

} // namespace

double normal_cdf(double x) {
    return std::erfc(-x / std::numbers::sqrt2) / 2;
}

double normal_quantile(double p) {
    assert(p > 0 && p < 1);
    if (p > 0.5) return -normal_quantile(1 - p);
    double x = rough_quantile(p);
    // Halley's method: two steps turn the initial three digits into full precision.
    for (int step = 0; step < 2; ++step) {
        const double error = (normal_cdf(x) - p) / density(x);
        x -= error / (1 + x * error / 2);
    }
    return x;
}

double two_sided_z(double confidence) {
    return -normal_quantile((1 - confidence) / 2);
}

// The incomplete beta function, by Lentz's continued fraction.
double beta_cdf(double x, double a, double b) {
    assert(a > 0 && b > 0);
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                  a * std::log(x) + b * std::log1p(-x));
    if (x < (a + 1) / (a + b + 2)) return front * fraction(x, a, b) / a;
    return 1 - front * fraction(1 - x, b, a) / b;
}

double beta_quantile(double p, double a, double b) {
    assert(p > 0 && p < 1);
    double low = 0;
    double high = 1;
    while (high - low > 1e-14) {
        const double middle = (low + high) / 2;
        if (middle == low || middle == high) break;
        (beta_cdf(middle, a, b) < p ? low : high) = middle;
    }
    return (low + high) / 2;
}

double student_cdf(double t, double freedom) {
    assert(freedom > 0);
    if (freedom > kNearlyNormal) return normal_cdf(t);
    const double tail = beta_cdf(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
    return t < 0 ? tail : 1 - tail;
}

double student_quantile(double p, double freedom) {
    assert(p > 0 && p < 1);
    if (p > 0.5) return -student_quantile(1 - p, freedom);
    if (freedom > kNearlyNormal) return normal_quantile(p);
    double low = normal_quantile(p);
    double high = 0;
    while (student_cdf(low, freedom) > p) {
        high = low;
        low *= 2;
    }
    for (int step = 0; step < 100 && high - low > 1e-13 * -low; ++step) {
        const double middle = (low + high) / 2;
        (student_cdf(middle, freedom) < p ? low : high) = middle;
    }
    return (low + high) / 2;
}

double most_likely_above(double successes, double n, double alpha) {
    assert(n > 0);
    return successes >= n ? 1 : beta_quantile(1 - alpha, successes + 1, n - successes);
}

// ---- means over blocks --------------------------------------------------------------------------

std::optional<double> BlockMoments::error() const {
    if (blocks < 2 || !(squares > 0)) return std::nullopt;
    const auto n = static_cast<double>(blocks);
    return std::sqrt(squares / (n * (n - 1)));
}

void BlockMean::add(double sum, double count) {
    if (count <= 0) return;
    const double value = sum / count;
    if (blocks_ == 0) origin_ = least_ = most_ = value;
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
    largest_ = std::max(largest_, count);
    ++blocks_;
    sums_.add({sum - origin_ * count, count});
}

void BlockMean::add_equal(double value, std::uint64_t blocks) {
    if (blocks == 0) return;
    if (blocks_ == 0) origin_ = least_ = most_ = value;
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
    largest_ = std::max(largest_, 1.0);
    blocks_ += blocks;
    sums_.add({value - origin_, 1}, static_cast<double>(blocks));
}

std::optional<double> BlockMean::mean() const {
    if (blocks_ == 0) return std::nullopt;
    return origin_ + sums_.sum(0) / values();
}

double BlockMean::squares() const {
    const double squares = sums_.squares({1, -sums_.sum(0) / values()});
    return squares <= 1e-14 * sums_.squares({1, 0}) ? 0 : squares;
}

std::optional<double> BlockMean::variance() const {
    if (blocks_ == 0) return std::nullopt;
    return squares() / sums_.squares({0, 1});
}

std::optional<double> BlockMean::standard_error() const {
    if (blocks_ < 2 || squares() == 0) return std::nullopt;
    return std::sqrt(squares()) / values();
}

Estimate BlockMean::estimate(double z) const {
    Estimate result{mean(), standard_error(), {}, {}};
    if (result.error) {
        result.low = *result.value - z * *result.error;
        result.high = *result.value + z * *result.error;
    }
    return result;
}

BlockMoments BlockMean::moments(std::optional<Range> range) const {
    BlockMoments result;
    result.blocks = blocks_;
    result.mean = mean();
    if (blocks_ == 0) return result;
    const double scale = static_cast<double>(blocks_) / values(); // one over the mean size
    result.squares = squares() * scale * scale;
    result.cubes = sums_.cubes({1, -sums_.sum(0) / values()}) * scale * scale * scale;
    result.low = range ? range->low : least_;
    result.high = range ? range->high : most_;
    result.bounded = range.has_value();
    result.reach = largest_ * scale;
    result.effective = values() * values() / sums_.squares({0, 1});
    return result;
}

// Student's t with a correction for skewness, exact if all blocks agree.

std::optional<double> upper_limit(const BlockMoments& blocks, double alpha) {
    if (!blocks.mean || blocks.blocks < 2) return std::nullopt;
    const double n = count_of(blocks);
    if (blocks.squares == 0) {
        if (!blocks.bounded) return std::nullopt;
        const double others = -std::expm1(std::log(alpha) / n);
        return std::min(blocks.high, *blocks.mean + distance(blocks) * others);
    }
    const double t = student_quantile(1 - alpha, n - 1);
    const double shift = (t * t + 2) / 3 * skew(blocks) / n;
    return within(blocks, *blocks.mean + shift + std::hypot(shift, t * *blocks.error()), alpha);
}

std::optional<double> lower_limit(const BlockMoments& blocks, double alpha) {
    auto limit = upper_limit(mirrored(blocks), alpha);
    if (limit) *limit *= -1;
    return limit;
}

Estimate mean_estimate(const BlockMoments& blocks, double confidence) {
    const double alpha = (1 - confidence) / 2;
    Estimate result{blocks.mean, blocks.error(), lower_limit(blocks, alpha),
                    upper_limit(blocks, alpha)};
    if (blocks.bounded || !result.error) return result;
    const double farthest = std::max(blocks.high - *blocks.mean, *blocks.mean - blocks.low);
    result.doubtful = blocks.blocks < kMinUnbounded || 2 * farthest * farthest > blocks.squares;
    return result;
}

std::optional<double> p_at_least(const BlockMoments& blocks, double limit) {
    if (!blocks.mean || blocks.blocks < 2) return std::nullopt;
    const double n = count_of(blocks);
    const double short_of = limit - *blocks.mean;
    if (blocks.squares == 0) {
        if (!blocks.bounded) return std::nullopt;
        if (short_of <= 0) return 1;
        const double far = distance(blocks);
        return short_of >= far ? 0 : std::exp(n * std::log1p(-short_of / far));
    }
    const double error = *blocks.error();
    if (short_of <= 0) return 1 - student_cdf(short_of / error, n - 1);
    // upper_limit(p) = limit, solved for t.
    const double part = 2 * short_of * skew(blocks) / (3 * n);
    const double square = (short_of * short_of - 2 * part) / (error * error + part);
    return square <= 0 ? 0.5 : student_cdf(-std::sqrt(square), n - 1);
}

std::optional<double> p_at_most(const BlockMoments& blocks, double limit) {
    return p_at_least(mirrored(blocks), -limit);
}

} // namespace croupier::results
