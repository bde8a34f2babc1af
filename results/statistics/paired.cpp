// Paired comparison; see paired.h.
#include "results/statistics/paired.h"

#include "results/statistics/normal.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>

namespace croupier::results {
namespace {

constexpr double kPower = 0.8;

// Blocks until a test at quantile z sees a distance as large with the wanted power.
std::optional<double> blocks_for(double variance, double distance, double z) {
    if (!(distance > 0)) return std::nullopt;
    const double root = (z + normal_quantile(kPower)) / distance;
    const double blocks = std::ceil(variance * root * root);
    return std::isfinite(blocks) ? std::optional(blocks) : std::nullopt;
}

std::optional<double> smaller(std::optional<double> one, std::optional<double> other) {
    if (!one || !other) return one ? one : other;
    return std::min(*one, *other);
}

double squared(std::optional<double> value) {
    return value ? *value * *value : 0;
}

} // namespace

std::optional<double> MeanOverBlocks::variance() const {
    if (!mean) return std::nullopt;
    return error ? *error * *error * static_cast<double>(blocks) : 0;
}

Estimate MeanOverBlocks::estimate(double z) const {
    Estimate result{mean, error, {}, {}};
    if (mean && error) {
        result.low = *mean - z * *error;
        result.high = *mean + z * *error;
    }
    return result;
}

MeanOverBlocks mean_of(const BlockMean& blocks) {
    return {blocks.blocks(), blocks.mean(), blocks.standard_error()};
}

void PairedDifference::add(double sum_a, double count_a, double sum_b, double count_b) {
    if (count_a <= 0 && count_b <= 0) return;
    ++blocks_;
    a_.add(sum_a, count_a);
    b_.add(sum_b, count_b);
    if (!origin_a_ && count_a > 0) origin_a_ = sum_a / count_a;
    if (!origin_b_ && count_b > 0) origin_b_ = sum_b / count_b;
    const double deviation_a = count_a > 0 ? sum_a - *origin_a_ * count_a : 0;
    const double deviation_b = count_b > 0 ? sum_b - *origin_b_ * count_b : 0;
    sum_a_ += deviation_a;
    sum_b_ += deviation_b;
    products_ += deviation_a * deviation_b;
    sum_a_count_b_ += deviation_a * count_b;
    count_a_sum_b_ += count_a * deviation_b;
    counts_ += count_a * count_b;
}

double PairedDifference::covariance() const {
    if (a_.values() == 0 || b_.values() == 0) return 0;
    const double mean_a = sum_a_ / a_.values();
    const double mean_b = sum_b_ / b_.values();
    const double products =
        products_ - mean_b * sum_a_count_b_ - mean_a * count_a_sum_b_ + mean_a * mean_b * counts_;
    return products / (a_.values() * b_.values());
}

MeanOverBlocks PairedDifference::difference() const {
    MeanOverBlocks result{blocks_, {}, {}};
    if (!a_.mean() || !b_.mean()) return result;
    result.mean = *b_.mean() - *a_.mean();
    const double apart = squared(a_.standard_error()) + squared(b_.standard_error());
    const double variance = apart - 2 * covariance();
    // What rounding alone leaves of blocks that differ by the same.
    if (variance > 1e-12 * apart && blocks_ > 1) result.error = std::sqrt(variance);
    return result;
}

std::optional<double> PairedDifference::correlation() const {
    if (!a_.standard_error() || !b_.standard_error()) return std::nullopt;
    return covariance() / (*a_.standard_error() * *b_.standard_error());
}

std::optional<double> PairedDifference::games_saved() const {
    if (!a_.standard_error() && !b_.standard_error()) return std::nullopt;
    const double apart = squared(a_.standard_error()) + squared(b_.standard_error());
    return 1 - squared(difference().error) / apart;
}

std::string_view to_string(Verdict verdict) {
    switch (verdict) {
    case Verdict::Better:
        return "better";
    case Verdict::Worse:
        return "worse";
    case Verdict::Equivalent:
        return "equivalent";
    case Verdict::Undecided:
        break;
    }
    return "undecided";
}

Comparison compare(const BlockMean& difference, double margin, double alpha) {
    return compare(mean_of(difference), margin, alpha);
}

Comparison compare(const MeanOverBlocks& difference, double margin, double alpha) {
    assert(margin >= 0 && alpha > 0 && alpha < 1);
    const double two_sided = two_sided_z(1 - alpha);
    const double one_sided = -normal_quantile(alpha);
    Comparison result;
    result.difference = difference.estimate(two_sided);
    if (!result.difference.error) return result;
    const double size = std::abs(*result.difference.value);
    const double error = *result.difference.error;
    result.p_value = 2 * normal_cdf(-size / error);
    if (margin > 0) result.equivalence_p_value = normal_cdf((size - margin) / error);
    if (result.equivalence_p_value && *result.equivalence_p_value < alpha) {
        result.verdict = Verdict::Equivalent;
    } else if (*result.p_value < alpha) {
        result.verdict = *result.difference.value > 0 ? Verdict::Better : Verdict::Worse;
    } else {
        const double variance = *difference.variance();
        result.blocks_to_decide = smaller(blocks_for(variance, size, two_sided),
                                          blocks_for(variance, margin - size, one_sided));
    }
    return result;
}

std::vector<double> holm(std::span<const double> p_values) {
    std::vector<std::size_t> groups(p_values.size());
    std::iota(groups.begin(), groups.end(), 0);
    return holm(p_values, groups);
}

std::vector<double> holm(std::span<const double> p_values, std::span<const std::size_t> groups) {
    assert(p_values.size() == groups.size());
    std::vector<std::size_t> order(p_values.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return p_values[i] < p_values[j]; });
    std::map<std::size_t, std::size_t> left; // hypotheses by group
    for (const std::size_t group : groups)
        ++left[group];
    std::vector<double> result(p_values.size());
    double largest = 0;
    for (const std::size_t i : order) {
        const double raised = static_cast<double>(left.size()) * p_values[i];
        largest = std::max(largest, std::min(1.0, raised));
        result[i] = largest;
        if (--left[groups[i]] == 0) left.erase(groups[i]);
    }
    return result;
}

} // namespace croupier::results
