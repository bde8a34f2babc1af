// Normal distribution by the error function; its inverse by a rational start and Newton steps.
#include "results/statistics/distributions.h"

#include <cassert>
#include <cmath>
#include <numbers>

namespace croupier::results {

namespace {

double density(double x) {
    return std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}

// Good to 0.0005 (Abramowitz and Stegun, 26.2.23), for p at most one half.
double rough_quantile(double p) {
    const double t = std::sqrt(-2 * std::log(p));
    return (2.515517 + t * (0.802853 + t * 0.010328)) /
               (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
           t;
}

constexpr double kNearlyNormal = 1e6; // degrees of freedom: the rest is below 1e-6

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

} // namespace

double normal_cdf(double x) {
    return std::erfc(-x / std::numbers::sqrt2) / 2;
}

double normal_quantile(double p) {
    assert(p > 0 && p < 1);
    if (p > 0.5) return -normal_quantile(1 - p);
    double x = rough_quantile(p);
    // Halley's step: the start's three digits become all that there are in two of them.
    for (int step = 0; step < 2; ++step) {
        const double error = (normal_cdf(x) - p) / density(x);
        x -= error / (1 + x * error / 2);
    }
    return x;
}

double two_sided_z(double confidence) {
    return -normal_quantile((1 - confidence) / 2);
}

// The incomplete beta function by Lentz's continued fraction.
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

} // namespace croupier::results
