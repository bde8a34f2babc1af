// Means over blocks; see accumulator.h.
#include "results/statistics/accumulator.h"

#include <algorithm>
#include <cmath>

namespace croupier::results {

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

} // namespace croupier::results
