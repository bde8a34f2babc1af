// Stop rules.
#include "results/statistics/stop.h"

#include "results/statistics/means.h"
#include "results/statistics/ratings.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace croupier::results {

// Log-likelihood ratios from the most likely distributions under each hypothesis.

namespace {

constexpr double kCountForNone = 1e-3;
constexpr int kMaxRounds = 30; // of the normalized model; ten are usual

using Values = std::vector<double>;

struct Distribution {
    Values scores;
    Values shares;
    double blocks = 0; // including the thousandths
};

Distribution distribution_of(const ScoreCounts& counts) {
    Distribution result;
    for (const auto& [score, count] : counts.counts()) {
        result.scores.push_back(score);
        result.shares.push_back(count == 0 ? kCountForNone : static_cast<double>(count));
    }
    result.blocks = std::accumulate(result.shares.begin(), result.shares.end(), 0.0);
    for (double& share : result.shares)
        share /= result.blocks;
    return result;
}

// The distribution nearest to `shares` under which `offsets` has mean 0: p_i / (1 + theta
// offset_i). Theta is the root of a decreasing function between two poles. Absent if no such
// distribution exists.
std::optional<Values> tilted(const Values& shares, const Values& offsets) {
    const auto [least, most] = std::ranges::minmax_element(offsets);
    if (!(*least < 0 && *most > 0)) return std::nullopt;
    double low = -1 / *most;
    double high = -1 / *least;
    double theta = 0;
    for (int step = 0; step < 200; ++step) {
        double value = 0;
        double slope = 0;
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const double part = offsets[i] / (1 + theta * offsets[i]);
            value += shares[i] * part;
            slope -= shares[i] * part * part;
        }
        (value > 0 ? low : high) = theta;
        double next = theta - value / slope;
        if (!(next > low && next < high)) next = (low + high) / 2;
        if (std::abs(next - theta) <= 1e-13 * (1 + std::abs(theta))) break;
        theta = next;
    }
    Values result(shares.size());
    for (std::size_t i = 0; i < shares.size(); ++i)
        result[i] = shares[i] / (1 + theta * offsets[i]);
    return result;
}

std::optional<Values> with_mean(const Distribution& seen, double mean) {
    Values offsets = seen.scores;
    for (double& offset : offsets)
        offset -= mean;
    return tilted(seen.shares, offsets);
}

struct Moments {
    double mean = 0;
    double sigma = 0;
};

Moments moments_of(const Values& scores, const Values& shares) {
    Moments result;
    for (std::size_t i = 0; i < scores.size(); ++i)
        result.mean += shares[i] * scores[i];
    double variance = 0;
    for (std::size_t i = 0; i < scores.size(); ++i)
        variance += shares[i] * (scores[i] - result.mean) * (scores[i] - result.mean);
    result.sigma = std::sqrt(variance);
    return result;
}

// Requires (mean - 1/2) / sigma = t. Sigma depends on the distribution sought, so it is found by
// iteration from `start`, each round with a linear condition.
std::optional<Values> with_t_from(Values start, const Distribution& seen, double t) {
    const std::size_t size = seen.scores.size();
    Values result = std::move(start);
    for (int round = 0; round < kMaxRounds; ++round) {
        const auto [mean, sigma] = moments_of(seen.scores, result);
        if (!(sigma > 0)) return std::nullopt;
        Values offsets(size);
        for (std::size_t i = 0; i < size; ++i) {
            const double z = (seen.scores[i] - mean) / sigma;
            offsets[i] = seen.scores[i] - 0.5 - t * sigma / 2 * (1 + z * z);
        }
        const auto next = tilted(seen.shares, offsets);
        if (!next) return std::nullopt;
        double change = 0;
        for (std::size_t i = 0; i < size; ++i)
            change = std::max(change, std::abs((*next)[i] - result[i]));
        result = *next;
        if (change < 1e-11) break;
    }
    return result;
}

// Usually starts with the uniform distribution. If t is far from that one's 0, the first condition
// may exclude every distribution; then it starts with only wins and losses, in the shares that give
// t.
std::optional<Values> with_t(const Distribution& seen, double t) {
    const std::size_t size = seen.scores.size();
    auto result = with_t_from(Values(size, 1.0 / static_cast<double>(size)), seen, t);
    if (result) return result;
    Values extremes(size, 0);
    extremes.back() = (1 + t / std::sqrt(1 + t * t)) / 2;
    extremes.front() = 1 - extremes.back();
    return with_t_from(std::move(extremes), seen, t);
}

std::optional<Values> most_likely(const Distribution& seen, double elo, EloModel model,
                                  std::uint32_t games_per_block) {
    if (model == EloModel::Logistic) return with_mean(seen, score_of_elo(elo));
    return with_t(seen, std::sqrt(static_cast<double>(games_per_block)) * elo / kNormalizedElo);
}

constexpr auto kModelNames = std::to_array<std::string_view>({"logistic", "normalized"});
static_assert(kModelNames.size() == static_cast<std::size_t>(EloModel::Normalized) + 1);

constexpr auto kSprtVerdictNames =
    std::to_array<std::string_view>({"undecided", "H0 accepted", "H1 accepted"});
static_assert(kSprtVerdictNames.size() == static_cast<std::size_t>(SprtVerdict::AcceptH1) + 1);

} // namespace

ScoreCounts::ScoreCounts(std::uint32_t games_per_block) : games_per_block_(games_per_block) {
    assert(games_per_block > 0);
    const double steps = 2.0 * games_per_block;
    for (std::uint32_t i = 0; i <= 2 * games_per_block; ++i)
        counts_[i / steps] = 0;
}

ScoreCounts::ScoreCounts(std::span<const std::uint64_t> counts)
    : ScoreCounts(static_cast<std::uint32_t>(counts.size() / 2)) {
    assert(counts.size() % 2 == 1);
    auto slot = counts_.begin();
    for (const std::uint64_t count : counts) {
        (slot++)->second = count;
        blocks_ += count;
    }
}

void ScoreCounts::add(double score, std::uint64_t times) {
    assert(score >= 0 && score <= 1);
    counts_[score] += times;
    blocks_ += times;
}

BlockMean ScoreCounts::mean() const {
    BlockMean mean;
    for (const auto& [score, count] : counts_)
        mean.add_equal(score, count);
    return mean;
}

std::optional<std::string> wrong_with(const SprtBounds& bounds) {
    if (!std::isfinite(bounds.elo0) || !std::isfinite(bounds.elo1))
        return "elo0 and elo1 must be finite";
    if (bounds.elo0 >= bounds.elo1) return "elo0 must be below elo1";
    const auto is_chance = [](double chance) { return chance > 0 && chance < 1; };
    if (!is_chance(bounds.alpha)) return "alpha must lie between 0 and 1";
    if (!is_chance(bounds.beta)) return "beta must lie between 0 and 1";
    if (bounds.alpha + bounds.beta >= 1) return "alpha and beta must be less than 1 together";
    return std::nullopt;
}

std::string_view to_string(EloModel model) {
    return kModelNames[static_cast<std::size_t>(model)];
}

std::optional<EloModel> model_of(std::string_view name) {
    return value_named<EloModel>(kModelNames, name);
}

double lower_bound(const SprtBounds& bounds) {
    return std::log(bounds.beta / (1 - bounds.alpha));
}

double upper_bound(const SprtBounds& bounds) {
    return std::log((1 - bounds.beta) / bounds.alpha);
}

std::optional<double> log_likelihood_ratio(const ScoreCounts& counts, const SprtBounds& bounds) {
    if (counts.blocks() == 0) return std::nullopt;
    const Distribution seen = distribution_of(counts);
    const auto p0 = most_likely(seen, bounds.elo0, bounds.model, counts.games_per_block());
    const auto p1 = most_likely(seen, bounds.elo1, bounds.model, counts.games_per_block());
    if (!p0 || !p1) return std::nullopt;
    double sum = 0;
    for (std::size_t i = 0; i < seen.shares.size(); ++i)
        sum += seen.shares[i] * std::log((*p1)[i] / (*p0)[i]);
    if (!std::isfinite(sum)) return std::nullopt;
    return seen.blocks * sum;
}

SprtVerdict verdict_of(std::optional<double> llr, const SprtBounds& bounds) {
    if (!llr) return SprtVerdict::Undecided;
    if (*llr >= upper_bound(bounds)) return SprtVerdict::AcceptH1;
    if (*llr <= lower_bound(bounds)) return SprtVerdict::AcceptH0;
    return SprtVerdict::Undecided;
}

std::string_view to_string(SprtVerdict verdict) {
    return kSprtVerdictNames[static_cast<std::size_t>(verdict)];
}

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
        if (width <= width_) { // called only if needed, as it takes longer
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
