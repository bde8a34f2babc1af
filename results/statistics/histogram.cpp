// A histogram whose bins double; see histogram.h.
#include "results/statistics/histogram.h"

#include <algorithm>
#include <cmath>

namespace croupier::results {
namespace {

constexpr std::size_t kBins = 4096;

} // namespace

void Histogram::add(std::uint64_t number) {
    while ((number >> shift_) >= kBins) {
        ++shift_;
        for (std::size_t i = 0; 2 * i < counts_.size(); ++i) {
            const std::uint64_t upper = 2 * i + 1 < counts_.size() ? counts_[2 * i + 1] : 0;
            counts_[i] = counts_[2 * i] + upper;
        }
        counts_.resize((counts_.size() + 1) / 2);
    }
    const auto bin = static_cast<std::size_t>(number >> shift_);
    if (counts_.size() <= bin) counts_.resize(bin + 1);
    ++counts_[bin];
    least_ = count_ == 0 ? number : std::min(least_, number);
    most_ = std::max(most_, number);
    sum_ += static_cast<double>(number);
    ++count_;
}

std::optional<double> Histogram::mean() const {
    if (count_ == 0) return std::nullopt;
    return sum_ / static_cast<double>(count_);
}

std::optional<std::uint64_t> Histogram::least() const {
    return count_ == 0 ? std::nullopt : std::optional(least_);
}

std::optional<std::uint64_t> Histogram::most() const {
    return count_ == 0 ? std::nullopt : std::optional(most_);
}

std::optional<std::uint64_t> Histogram::quantile(double q) const {
    const double wanted = q * static_cast<double>(count_);
    std::uint64_t below = 0;
    for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
        below += counts_[bin];
        if (below > 0 && static_cast<double>(below) >= wanted)
            return std::min<std::uint64_t>(most_, ((bin + 1) << shift_) - 1);
    }
    return std::nullopt;
}

std::vector<Bin> Histogram::bins(std::size_t most_bins) const {
    std::vector<Bin> result;
    if (count_ == 0) return result;
    const std::uint64_t first = least_ >> shift_;
    const std::uint64_t size = (most_ >> shift_) - first + 1;
    const std::uint64_t joined = (size + most_bins - 1) / most_bins;
    for (std::uint64_t i = 0; i < size; ++i) {
        if (i % joined == 0)
            result.push_back({(first + i) << shift_, ((first + i + joined) << shift_) - 1, 0});
        result.back().count += counts_[first + i];
    }
    return result;
}

} // namespace croupier::results
