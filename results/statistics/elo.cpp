// Elo and Wilson; see elo.h.
#include "results/statistics/elo.h"

#include "results/statistics/normal.h"

#include <algorithm>
#include <cmath>

namespace croupier::results {
namespace {

// The error that is reported with an interval whose sides differ: half its width, in z.
std::optional<double> half_width(const Estimate& estimate, double z) {
    if (!estimate.low || !estimate.high) return std::nullopt;
    return (*estimate.high - *estimate.low) / (2 * z);
}

} // namespace

std::optional<double> elo_of_score(double score) {
    if (!(score > 0 && score < 1)) return std::nullopt;
    return -400 * std::log10(1 / score - 1);
}

double score_of_elo(double elo) {
    return 1 / (1 + std::pow(10, -elo / 400));
}

Estimate elo_of(const BlockMean& scores, double z) {
    const Estimate score = scores.estimate(z);
    Estimate result;
    if (!score.error) return result; // a difference without any idea of its error is no claim
    result.value = elo_of_score(*score.value);
    result.low = elo_of_score(*score.low);
    result.high = elo_of_score(*score.high);
    result.error = half_width(result, z);
    return result;
}

Estimate elo_difference(const PairedDifference& scores, double z) {
    const auto a = scores.under_a().mean();
    const auto b = scores.under_b().mean();
    const auto elo_a = a ? elo_of_score(*a) : std::nullopt;
    const auto elo_b = b ? elo_of_score(*b) : std::nullopt;
    Estimate result;
    if (!elo_a || !elo_b) return result;
    result.value = *elo_b - *elo_a;
    if (!scores.difference().error) return result;
    const auto slope = [](double score) {
        return 400 / std::numbers::ln10 / (score * (1 - score));
    };
    const double error_a = slope(*a) * scores.under_a().standard_error().value_or(0);
    const double error_b = slope(*b) * scores.under_b().standard_error().value_or(0);
    const double shared = slope(*a) * slope(*b) * scores.covariance();
    result.error = std::sqrt(std::max(0.0, error_a * error_a + error_b * error_b - 2 * shared));
    result.low = *result.value - z * *result.error;
    result.high = *result.value + z * *result.error;
    return result;
}

Estimate normalized_elo_of(const BlockMean& scores, double games_per_block, double z) {
    const Estimate score = scores.estimate(z);
    Estimate result;
    if (!score.error) return result;
    const double unit = kNormalizedElo / std::sqrt(games_per_block * *scores.variance());
    result.value = (*score.value - 0.5) * unit;
    result.error = *score.error * unit;
    result.low = *result.value - z * *result.error;
    result.high = *result.value + z * *result.error;
    return result;
}

std::optional<double> likelihood_of_superiority(const BlockMean& scores) {
    const auto error = scores.standard_error();
    if (!error) return std::nullopt;
    return normal_cdf((*scores.mean() - 0.5) / *error);
}

Estimate wilson(double rate, double n, double z) {
    Estimate result;
    if (!(n > 0)) return result;
    const double middle = (rate + z * z / (2 * n)) / (1 + z * z / n);
    const double reach =
        z / (1 + z * z / n) * std::sqrt(rate * (1 - rate) / n + z * z / (4 * n * n));
    result.value = rate;
    result.error = std::sqrt(rate * (1 - rate) / n);
    result.low = std::max(0.0, middle - reach);
    result.high = std::min(1.0, middle + reach);
    return result;
}

Estimate rate_of(const BlockMean& rate, double z) {
    const auto mean = rate.mean();
    if (!mean) return {};
    if (const auto error = rate.standard_error())
        return wilson(*mean, *mean * (1 - *mean) / (*error * *error), z);
    Estimate result;
    if (*mean == 0 || *mean == 1) result = wilson(*mean, static_cast<double>(rate.blocks()), z);
    result.value = *mean;
    result.error.reset();
    return result;
}

} // namespace croupier::results
