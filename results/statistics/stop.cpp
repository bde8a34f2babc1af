// Stop rules; see stop.h.
#include "results/statistics/stop.h"

#include "results/statistics/mean_interval.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace croupier::results {

Sprt::Sprt(const SprtBounds& bounds, std::uint32_t games_per_block)
    : bounds_(bounds), counts_(games_per_block) {}

bool Sprt::feed(const BlockScores& scores) {
    if (verdict_ != SprtVerdict::Undecided) return true;
    if (scores.empty() || !scores.front()) return false;
    counts_.add(*scores.front());
    llr_ = log_likelihood_ratio(counts_, bounds_);
    verdict_ = verdict_of(llr_, bounds_);
    return verdict_ != SprtVerdict::Undecided;
}

StopStatus Sprt::status() const {
    return {"sprt",
            verdict_ != SprtVerdict::Undecided,
            std::string(to_string(verdict_)),
            llr_,
            lower_bound(bounds_),
            upper_bound(bounds_),
            counts_.blocks()};
}

IntervalWidth::IntervalWidth(double width, std::size_t contestants, double confidence)
    : width_(width), confidence_(confidence), z_(two_sided_z(confidence)),
      contestants_(contestants) {
    assert(width > 0);
}

bool IntervalWidth::feed(const BlockScores& scores) {
    if (stopped_) return true;
    bool counted = false;
    if (means_.size() < scores.size()) means_.resize(scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
        if (!scores[i]) continue;
        means_[i].add(*scores[i]);
        counted = true;
    }
    if (!counted) return false;
    ++blocks_;
    const auto width = widest();
    stopped_ = width && *width <= width_;
    return stopped_;
}

std::optional<double> IntervalWidth::widest() const {
    std::optional<double> result;
    std::size_t met = 0;
    for (const BlockMean& mean : means_) {
        if (mean.blocks() == 0) continue;
        ++met;
        const auto n = static_cast<double>(mean.blocks());
        double width = 2 * z_ * std::sqrt((*mean.variance() + 1 / n) / n);
        if (width <= width_) { // asked where it matters, as it takes longer
            const Estimate shown = mean_estimate(mean.moments(kShare), confidence_);
            if (shown.low && shown.high) width = std::max(width, *shown.high - *shown.low);
        }
        result = std::max(result.value_or(0), width);
    }
    return met < contestants_ ? std::nullopt : result;
}

StopStatus IntervalWidth::status() const {
    return {"width", stopped_, stopped_ ? "reached" : "undecided", widest(), 0, width_, blocks_};
}

} // namespace croupier::results
