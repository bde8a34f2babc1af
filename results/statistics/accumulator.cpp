// Means over blocks; see accumulator.h.
#include "results/statistics/accumulator.h"

#include <algorithm>
#include <cmath>

namespace croupier::results {

void BlockMean::add(double sum, double count) {
    if (count <= 0) return;
    if (blocks_ == 0) origin_ = sum / count;
    const double deviation = sum - origin_ * count;
    ++blocks_;
    count_ += count;
    sum_ += deviation;
    sum_squared_ += deviation * deviation;
    cross_ += deviation * count;
    count_squared_ += count * count;
}

void BlockMean::add_equal(double value, std::uint64_t blocks) {
    if (blocks == 0) return;
    if (blocks_ == 0) origin_ = value;
    const double deviation = value - origin_;
    const auto times = static_cast<double>(blocks);
    blocks_ += blocks;
    count_ += times;
    sum_ += times * deviation;
    sum_squared_ += times * deviation * deviation;
    cross_ += times * deviation;
    count_squared_ += times;
}

std::optional<double> BlockMean::mean() const {
    if (blocks_ == 0) return std::nullopt;
    return origin_ + sum_ / count_;
}

std::optional<double> BlockMean::variance() const {
    if (blocks_ == 0) return std::nullopt;
    const double mean = sum_ / count_;
    const double squares = sum_squared_ - 2 * mean * cross_ + mean * mean * count_squared_;
    return std::max(0.0, squares) / count_squared_;
}

std::optional<double> BlockMean::standard_error() const {
    if (blocks_ < 2) return std::nullopt;
    const double squares = *variance() * count_squared_;
    // What rounding alone leaves of blocks that agree.
    if (squares <= 1e-14 * sum_squared_ || squares == 0) return std::nullopt;
    return std::sqrt(squares) / count_;
}

Estimate BlockMean::estimate(double z) const {
    Estimate result{mean(), standard_error(), {}, {}};
    if (result.error) {
        result.low = *result.value - z * *result.error;
        result.high = *result.value + z * *result.error;
    }
    return result;
}

} // namespace croupier::results
