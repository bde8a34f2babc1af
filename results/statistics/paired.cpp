// Paired comparison; see paired.h.
#include "results/statistics/paired.h"

#include "results/statistics/normal.h"

#include <algorithm>
#include <cassert>
#include <cmath>
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

} // namespace

void PairedDifference::add(double under_a, double under_b) {
    a_.add(under_a);
    b_.add(under_b);
    difference_.add(under_b - under_a);
}

std::optional<double> PairedDifference::correlation() const {
    if (!a_.standard_error() || !b_.standard_error()) return std::nullopt;
    const double a = *a_.variance();
    const double b = *b_.variance();
    return (a + b - *difference_.variance()) / (2 * std::sqrt(a * b));
}

std::optional<double> PairedDifference::games_saved() const {
    if (!a_.standard_error() && !b_.standard_error()) return std::nullopt;
    return 1 - *difference_.variance() / (*a_.variance() + *b_.variance());
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
    std::vector<std::size_t> order(p_values.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return p_values[i] < p_values[j]; });
    std::vector<double> result(p_values.size());
    double largest = 0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        const double raised = static_cast<double>(order.size() - rank) * p_values[order[rank]];
        largest = std::max(largest, std::min(1.0, raised));
        result[order[rank]] = largest;
    }
    return result;
}

} // namespace croupier::results
