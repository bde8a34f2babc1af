// Elo and Wilson; see elo.h.
#include "results/statistics/elo.h"

#include "results/statistics/mean_interval.h"
#include "results/statistics/student.h"

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

Estimate elo_of(const BlockMoments& scores, double confidence) {
    Estimate result;
    if (!scores.mean || scores.blocks < 2) return result;
    if (*scores.mean >= 1) {
        result.low = elo_of_score(*lower_limit(scores, 1 - confidence));
        result.one_sided = true;
    } else if (*scores.mean <= 0) {
        result.high = elo_of_score(*upper_limit(scores, 1 - confidence));
        result.one_sided = true;
    } else {
        const Estimate score = mean_estimate(scores, confidence);
        result.value = elo_of_score(*score.value);
        result.low = elo_of_score(*score.low);
        result.high = elo_of_score(*score.high);
        result.error = half_width(result, two_sided_z(confidence));
    }
    return result;
}

namespace {

// A score that is 0 or 1 has no Elo; together both bounds hold with the confidence.
Estimate elo_beyond(const BlockMoments& a, const BlockMoments& b, double confidence) {
    Estimate result;
    const double alpha = (1 - confidence) / 2;
    if (*a.mean == *b.mean || a.blocks < 2 || b.blocks < 2) return result;
    const auto elo = [](std::optional<double> score) {
        return score ? elo_of_score(*score) : std::nullopt;
    };
    const bool higher = *b.mean > *a.mean;
    const auto of_a = elo(higher ? upper_limit(a, alpha) : lower_limit(a, alpha));
    const auto of_b = elo(higher ? lower_limit(b, alpha) : upper_limit(b, alpha));
    if (!of_a || !of_b) return result;
    (higher ? result.low : result.high) = *of_b - *of_a;
    result.one_sided = true;
    return result;
}

} // namespace

Estimate elo_difference(const PairedDifference& scores, double confidence) {
    const BlockMoments a = scores.under_a().moments(kShare);
    const BlockMoments b = scores.under_b().moments(kShare);
    if (!a.mean || !b.mean) return {};
    const auto elo_a = elo_of_score(*a.mean);
    const auto elo_b = elo_of_score(*b.mean);
    if (!elo_a || !elo_b) return elo_beyond(a, b, confidence);
    Estimate result;
    result.value = *elo_b - *elo_a;
    const Estimate score = mean_estimate(scores.difference(kShare).blocks, confidence);
    if (!score.low || !score.high) return result;
    const auto slope = [](double at) { return 400 / std::numbers::ln10 / (at * (1 - at)); };
    result.error = scores.error_of(slope(*a.mean), slope(*b.mean));
    const double unit =
        result.error && score.error ? *result.error / *score.error : slope((*a.mean + *b.mean) / 2);
    result.low = *result.value + unit * (*score.low - *score.value);
    result.high = *result.value + unit * (*score.high - *score.value);
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

Estimate normalized_elo_of_run(const BlockMean& scores, double games_per_block, double confidence) {
    Estimate result;
    const BlockMoments moments = scores.moments(kShare);
    const auto error = moments.error();
    if (!error) return result;
    const double sigma = std::sqrt(*scores.variance());
    const double apart = (*scores.mean() - 0.5) / sigma;
    const double unit = kNormalizedElo / (std::sqrt(games_per_block) * sigma);
    const auto n = static_cast<double>(scores.blocks());
    const double reach = student_quantile((1 + confidence) / 2, n - 1);
    result.value = (*scores.mean() - 0.5) * unit;
    // Mean and spread go together where scores are skewed.
    const double skewness = moments.cubes / (n * sigma * sigma * sigma);
    const double spread = std::max(1.0, 1 - apart * skewness + apart * apart / 2);
    result.error = *error * unit * std::sqrt(spread);
    result.low = *result.value - reach * *result.error;
    result.high = *result.value + reach * *result.error;
    return result;
}

std::optional<double> likelihood_of_superiority(const BlockMean& scores) {
    const auto error = scores.standard_error();
    if (!error) return std::nullopt;
    return normal_cdf((*scores.mean() - 0.5) / *error);
}

std::optional<double> likelihood_of_superiority(const BlockMoments& scores) {
    if (!scores.mean || scores.blocks < kFewestBlocks) return std::nullopt;
    const double above = *scores.mean - 0.5;
    if (above == 0 && scores.squares == 0) return std::nullopt;
    return above > 0 ? 1 - *p_at_most(scores, 0.5) : *p_at_least(scores, 0.5);
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

} // namespace croupier::results
