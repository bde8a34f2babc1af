// Normal distribution by the error function; its inverse by a rational start and Newton steps.
#include "results/statistics/normal.h"

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

} // namespace croupier::results
