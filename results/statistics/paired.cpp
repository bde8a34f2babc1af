// Paired comparison.
#include "results/statistics/paired.h"

#include "results/statistics/means.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace croupier::results {
namespace {

// In blocks: 32,768 ways to try, since swapping all gives an equal result.
constexpr std::size_t kMaxSwapped = 16;

double squared(std::optional<double> value) {
    return value ? *value * *value : 0;
}

// Among all ways to swap A and B in blocks, the share whose terms add up to as much.
double share_of_swaps(std::span<const double> terms) {
    double all = 0;
    double sizes = 0;
    for (const double term : terms) {
        all += term;
        sizes += std::abs(term);
    }
    const double wanted = std::abs(all) - 1e-9 * sizes;
    // Each way differs from the previous one in one block (Gray code); the first block stays.
    std::uint64_t as_far = 0;
    const std::uint64_t ways = std::uint64_t{1} << (terms.size() - 1);
    std::vector<bool> swapped(terms.size());
    for (std::uint64_t way = 0; way < ways; ++way) {
        if (way > 0) {
            const auto at = static_cast<std::size_t>(std::countr_zero(way)) + 1;
            swapped[at] = !swapped[at];
            all += swapped[at] ? -2 * terms[at] : 2 * terms[at];
        }
        if (std::abs(all) >= wanted) ++as_far;
    }
    return static_cast<double>(as_far) / static_cast<double>(ways);
}

// The p-value of no difference. Absent if all blocks agree.
std::optional<double> p_of_none(const PairedMoments& difference) {
    const BlockMoments& blocks = difference.blocks;
    if (!(blocks.squares > 0)) return std::nullopt;
    const auto beyond = *blocks.mean > 0 ? p_at_most(blocks, 0) : p_at_least(blocks, 0);
    return std::max(2 * std::min(0.5, beyond.value_or(0.5)), difference.swap_p_value.value_or(0));
}

// The p-value of a difference of at least the margin. Absent if unknown.
std::optional<double> p_of_beyond(const BlockMoments& blocks, double margin) {
    if (!(margin > 0)) return std::nullopt;
    const auto not_above = p_at_least(blocks, margin);
    const auto not_below = p_at_most(blocks, -margin);
    if (!not_above || !not_below) return std::nullopt;
    return std::max(*not_above, *not_below);
}

// The sample of n blocks, if those seen are representative, at the normal quantile z of the mean.
// Its moments are those of a Poisson process with drift, whose jumps are the third moment over the
// second: for rare events, a sample with few of them has both a small mean and a small spread.
// Without skewness it is the normal distribution with a known spread.
PairedMoments sample_at(const PairedMoments& seen, double n, double z) {
    PairedMoments result = seen;
    BlockMoments& blocks = result.blocks;
    const auto count = static_cast<double>(seen.blocks.blocks);
    const double variance = seen.blocks.squares / (count - 1);
    const double jump = seen.blocks.cubes / seen.blocks.squares;
    const double error = std::sqrt(variance / n);
    const double bend = jump / (n * error);      // one over the root of the expected events
    const double curve = (z * z - 1) / 6 * bend; // Cornish and Fisher's
    const double events = std::max(0.0, 1 + (z + curve) * bend); // relative to the expected number
    *blocks.mean += events > 0 ? (z + curve) * error : -error / bend;
    blocks.blocks = static_cast<std::uint64_t>(n);
    blocks.squares = variance * (n - 1) * events;
    blocks.cubes *= n / count * events;
    blocks.effective *= n / count;
    const double differing = static_cast<double>(seen.differing) * n / count * events;
    result.differing = static_cast<std::uint64_t>(differing);
    result.swap_p_value.reset();
    if (differing > kMaxSwapped) return result;
    // As many terms of equal size: the binomial distribution, with continuity correction.
    const double sizes = std::sqrt(blocks.squares + n * *blocks.mean * *blocks.mean);
    const double far = (n * std::abs(*blocks.mean) - sizes / std::sqrt(differing)) / sizes;
    result.swap_p_value = differing < 1 ? 1 : std::min(1.0, 2 * normal_cdf(-far));
    return result;
}

// Whether n blocks are decided with 80 % power: for all nine deciles of the mean except one.
// Samples fail below the second decile, or below the first and above the last, or between two if
// the lower ones are equivalent and the higher ones different.
bool would_decide(const PairedMoments& seen, double margin, double alpha, double n) {
    constexpr std::array kDeciles{-1.2816, 1.2816,  -0.8416, 0.8416, -0.5244,
                                  0.5244,  -0.2533, 0.2533,  0.0};
    int failed = 0;
    for (const double z : kDeciles) {
        const PairedMoments sample = sample_at(seen, n, z);
        if (p_of_none(sample).value_or(1) >= alpha &&
            p_of_beyond(sample.blocks, margin).value_or(1) >= alpha && ++failed == 2)
            return false;
    }
    return true;
}

std::vector<std::size_t> ascending(std::span<const double> p_values) {
    std::vector<std::size_t> order(p_values.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(
        order, [&](std::size_t i, std::size_t j) { return p_values[i] < p_values[j]; });
    return order;
}

} // namespace

void PairedDifference::add(double sum_a, double count_a, double sum_b, double count_b) {
    if (count_a <= 0 && count_b <= 0) return;
    if (count_a > 0 && count_b > 0) {
        const double difference = sum_b / count_b - sum_a / count_a;
        const bool first = a_.blocks() == 0 || b_.blocks() == 0;
        least_ = first ? difference : std::min(least_, difference);
        most_ = first ? difference : std::max(most_, difference);
    }
    ++blocks_;
    a_.add(sum_a, count_a);
    b_.add(sum_b, count_b);
    if (!origin_a_ && count_a > 0) origin_a_ = sum_a / count_a;
    if (!origin_b_ && count_b > 0) origin_b_ = sum_b / count_b;
    const double deviation_a = count_a > 0 ? sum_a - *origin_a_ * count_a : 0;
    const double deviation_b = count_b > 0 ? sum_b - *origin_b_ * count_b : 0;
    sums_.add({deviation_a, count_a, deviation_b, count_b});
    largest_a_ = std::max(largest_a_, count_a);
    largest_b_ = std::max(largest_b_, count_b);
    if (sum_a == sum_b && count_a == count_b) return;
    if (++differing_ <= kMaxSwapped) kept_.push_back({sum_a, count_a, sum_b, count_b});
}

PairedDifference::Block PairedDifference::weights_a() const {
    const double count = sums_.sum(1);
    return {1 / count, -sums_.sum(0) / (count * count), 0, 0};
}

PairedDifference::Block PairedDifference::weights_b() const {
    const double count = sums_.sum(3);
    return {0, 0, 1 / count, -sums_.sum(2) / (count * count)};
}

PairedMoments PairedDifference::difference(std::optional<Range> range) const {
    PairedMoments result;
    BlockMoments& blocks = result.blocks;
    blocks.blocks = blocks_;
    result.differing = differing_;
    if (!a_.mean() || !b_.mean()) return result;
    blocks.mean = *b_.mean() - *a_.mean();
    const auto n = static_cast<double>(blocks_);
    Block weights = weights_b();
    for (std::size_t i = 0; i < 2; ++i)
        weights[i] = -weights_a()[i];
    const double squares = sums_.squares(weights);
    // Ignore rounding errors of blocks that differ by the same amount.
    const double apart = sums_.squares(weights_a()) + sums_.squares(weights_b());
    if (differing_ > 0 && squares > 1e-12 * apart) {
        blocks.squares = n * n * squares;
        blocks.cubes = n * n * n * sums_.cubes(weights);
    }
    blocks.bounded = range.has_value();
    blocks.low = range ? range->low - range->high : least_;
    blocks.high = range ? range->high - range->low : most_;
    blocks.reach = n * std::max(largest_a_ / sums_.sum(1), largest_b_ / sums_.sum(3));
    blocks.effective = n;
    result.swap_p_value = swap_p_value();
    return result;
}

std::optional<double> PairedDifference::error_of(double factor_a, double factor_b) const {
    if (blocks_ < 2 || !a_.mean() || !b_.mean()) return std::nullopt;
    Block weights = weights_b();
    const Block of_a = weights_a();
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = factor_b * weights[i] - factor_a * of_a[i];
    const auto n = static_cast<double>(blocks_);
    const double squares = sums_.squares(weights);
    const double apart = factor_a * factor_a * sums_.squares(of_a) +
                         factor_b * factor_b * sums_.squares(weights_b());
    if (!(squares > 1e-12 * apart)) return std::nullopt;
    return std::sqrt(squares * n / (n - 1));
}

// The terms of each block, relative to the mean of all, which swapping does not change.
std::optional<double> PairedDifference::swap_p_value() const {
    if (differing_ == 0) return 1;
    if (differing_ > kMaxSwapped) return std::nullopt;
    const double count = sums_.sum(1) + sums_.sum(3);
    const double mean = (*a_.mean() * sums_.sum(1) + *b_.mean() * sums_.sum(3)) / count;
    std::vector<double> terms;
    terms.reserve(kept_.size());
    for (const auto& [sum_a, count_a, sum_b, count_b] : kept_)
        terms.push_back((sum_b - mean * count_b) - (sum_a - mean * count_a));
    return share_of_swaps(terms);
}

std::optional<double> PairedDifference::correlation() const {
    if (!a_.standard_error() || !b_.standard_error()) return std::nullopt;
    return sums_.product(weights_a(), weights_b()) / (*a_.standard_error() * *b_.standard_error());
}

std::optional<double> PairedDifference::games_saved() const {
    if (!a_.standard_error() && !b_.standard_error()) return std::nullopt;
    const double apart = squared(a_.standard_error()) + squared(b_.standard_error());
    const auto n = static_cast<double>(blocks_);
    return 1 - difference().blocks.squares / (n * n) / apart;
}

PairedMoments independent_difference(const BlockMean& a, const BlockMean& b) {
    PairedMoments result;
    result.differing = a.blocks() + b.blocks();
    double variance = 0;
    double freedom = 0;
    for (const BlockMean* side : {&a, &b}) {
        const auto n = static_cast<double>(side->blocks());
        if (n < 2) return result;
        const double own = side->moments().squares / (n * (n - 1));
        variance += own;
        freedom += own * own / (n - 1);
    }
    if (!(variance > 0)) return result;
    BlockMoments& blocks = result.blocks;
    const double n = std::round(variance * variance / freedom) + 1;
    blocks.blocks = static_cast<std::uint64_t>(n);
    blocks.mean = blocks.low = blocks.high = *b.mean() - *a.mean(); // not corrected for skewness
    blocks.squares = variance * n * (n - 1);
    blocks.effective = n;
    return result;
}

Comparison compare(const PairedMoments& difference, double margin, double alpha) {
    assert(margin >= 0 && alpha > 0 && alpha < 1);
    const BlockMoments& blocks = difference.blocks;
    Comparison result;
    result.difference = mean_estimate(blocks, 1 - alpha);
    if (blocks.blocks < kMinBlocks) {
        result.verdict = Verdict::TooFew;
        return result;
    }
    const bool constant = blocks.squares == 0 && difference.differing > 0;
    if (!blocks.mean || constant) return result;
    result.p_value = p_of_none(difference);
    result.equivalence_p_value = p_of_beyond(blocks, margin);
    if (result.equivalence_p_value && *result.equivalence_p_value < alpha)
        result.verdict = Verdict::Equivalent;
    else if (result.p_value && *result.p_value < alpha)
        result.verdict = *blocks.mean > 0 ? Verdict::Better : Verdict::Worse;
    return result;
}

std::optional<double> blocks_to_decide(const PairedMoments& difference, double margin,
                                       double alpha) {
    const BlockMoments& blocks = difference.blocks;
    if (!blocks.mean || blocks.blocks < kMinBlocks) return std::nullopt;
    if (!(blocks.squares > 0)) {
        const double far = blocks.high * blocks.reach;
        if (difference.differing > 0 || !blocks.bounded || !(margin > 0) || margin >= far)
            return std::nullopt;
        return std::ceil(std::log(alpha) / std::log1p(-margin / far));
    }
    constexpr double kMax = 1e12;
    constexpr double kExactly = 1.0 / 256;
    auto low = static_cast<double>(blocks.blocks); // this number does not decide
    double high = 2 * low;
    while (!would_decide(difference, margin, alpha, high)) {
        low = high;
        high *= 2;
        if (high > kMax) return std::nullopt;
    }
    while (high - low > std::max(1.0, low * kExactly)) {
        const double middle = std::floor((low + high) / 2);
        (would_decide(difference, margin, alpha, middle) ? high : low) = middle;
    }
    return high;
}

std::vector<double> holm(std::span<const double> p_values, std::span<const std::size_t> groups) {
    assert(p_values.size() == groups.size());
    const std::vector<std::size_t> order = ascending(p_values);
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

std::vector<double> false_discoveries(std::span<const double> p_values,
                                      std::span<const std::size_t> groups) {
    assert(p_values.size() == groups.size());
    const std::vector<std::size_t> order = ascending(p_values);
    std::set<std::size_t> seen;
    std::vector<double> ranks; // groups with a p-value up to this one
    for (const std::size_t i : order) {
        seen.insert(groups[i]);
        ranks.push_back(static_cast<double>(seen.size()));
    }
    std::vector<double> result(p_values.size());
    double least = 1;
    for (std::size_t at = order.size(); at-- > 0;) {
        least = std::min(least, p_values[order[at]] * ranks.back() / ranks[at]);
        result[order[at]] = least;
    }
    return result;
}

} // namespace croupier::results
