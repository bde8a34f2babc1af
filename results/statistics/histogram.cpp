// A histogram whose bins double in width.
#include "results/statistics/histogram.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace croupier::results {

namespace {

constexpr std::size_t kBins = 4096;

constexpr std::size_t kDifferent = 2048;

double beginning(double number, double width) {
    return width == 0 ? number : std::floor(number / width) * width;
}

// The smallest of 1, 2, 5 times a power of ten that is at least the number.
double round_up(double number) {
    const double unit = std::pow(10, std::floor(std::log10(number)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * unit >= number * (1 - 1e-9)) return factor * unit;
    return 10 * unit;
}

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

void Spread::add(double number) {
    whole_ = whole_ && std::floor(number) == number;
    ++counts_[beginning(number, width_)];
    ++count_;
    while (counts_.size() > kDifferent)
        join();
}

void Spread::add(const Spread& other) {
    whole_ = whole_ && other.whole_;
    while (width_ < other.width_)
        join();
    for (const auto& [number, count] : other.counts_)
        counts_[beginning(number, width_)] += count;
    count_ += other.count_;
    while (counts_.size() > kDifferent)
        join();
}

void Spread::join() {
    width_ = width_ == 0 ? 1 : 2 * width_;
    std::map<double, std::uint64_t> joined;
    for (const auto& [number, count] : counts_)
        joined[beginning(number, width_)] += count;
    counts_ = std::move(joined);
}

std::vector<SpreadBin> Spread::bins(std::size_t most_bins) const {
    std::vector<SpreadBin> bins;
    if (counts_.empty()) return bins;
    const double least = counts_.begin()->first;
    const double most = counts_.rbegin()->first;
    const bool whole = whole_ || width_ > 0;
    double step = whole ? std::max(1.0, width_) : 1;
    const auto needed = [&] { return std::floor(most / step) - std::floor(least / step) + 1; };
    if (most > least && !whole) step = round_up((most - least) / static_cast<double>(most_bins));
    while (needed() > static_cast<double>(most_bins))
        step = round_up(step * 1.5);
    const double first = std::floor(least / step);
    bins.resize(static_cast<std::size_t>(needed()));
    for (std::size_t i = 0; i < bins.size(); ++i) {
        bins[i].low = (first + static_cast<double>(i)) * step;
        bins[i].high = bins[i].low + (whole ? step - 1 : step);
    }
    for (const auto& [number, count] : counts_)
        bins[static_cast<std::size_t>(std::floor(number / step) - first)].count += count;
    return bins;
}

std::vector<SpreadBin> Spread::bins_of(const Spread& all, std::size_t most_bins) const {
    std::vector<SpreadBin> bins = all.bins(most_bins);
    for (SpreadBin& bin : bins)
        bin.count = 0;
    for (const auto& [number, count] : counts_) {
        const auto behind =
            std::ranges::find_if(bins, [&, at = number](const auto& bin) { return bin.low > at; });
        if (behind != bins.begin()) std::prev(behind)->count += count;
    }
    return bins;
}

} // namespace croupier::results
