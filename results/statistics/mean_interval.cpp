// Student's t with a correction for skewness, exact where all blocks agree; see mean_interval.h.
#include "results/statistics/mean_interval.h"

#include "results/statistics/student.h"

#include <algorithm>
#include <cmath>

namespace croupier::results {
namespace {

// A bound to one side; that below is the one above of what is turned round.
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

// Third moment over second, with one block more, at the end of the range.
double skew(const BlockMoments& blocks) {
    const double far = distance(blocks);
    const double all = blocks.squares + far * far;
    return std::max(0.0, (blocks.cubes + far * far * far) / all);
}

double count_of(const BlockMoments& blocks) {
    return static_cast<double>(blocks.blocks);
}

// A bound beyond the range is no better than the one that holds for all that have the range.
double within(const BlockMoments& blocks, double bound, double alpha) {
    if (!blocks.bounded || bound < blocks.high) return bound;
    const double width = blocks.high - blocks.low;
    const double share = std::clamp((*blocks.mean - blocks.low) / width, 0.0, 1.0);
    return blocks.low +
           width * most_likely_above(share * blocks.effective, blocks.effective, alpha);
}

} // namespace

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
    result.doubtful = blocks.blocks < kFewestUnbounded || 2 * farthest * farthest > blocks.squares;
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
