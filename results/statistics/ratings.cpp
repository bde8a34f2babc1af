// The joint fit by Newton's method, group by group.
#include "results/statistics/ratings.h"

#include "results/statistics/means.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

namespace croupier::results {

namespace {

// The error reported with an asymmetric interval: half its width, in units of z.
std::optional<double> half_width(const Estimate& estimate, double z) {
    if (!estimate.low || !estimate.high) return std::nullopt;
    return (*estimate.high - *estimate.low) / (2 * z);
}

// A score of 0 or 1 has no Elo; both bounds together have the confidence.
Estimate elo_beyond(const BlockMoments& a, const BlockMoments& b, double confidence) {
    Estimate result;
    const double alpha = (1 - confidence) / 2;
    if (*a.mean == *b.mean || a.blocks < 2 || b.blocks < 2) return result;
    const auto elo = [](std::optional<double> score) {
        return score ? elo_of_score(*score) : std::nullopt;
    };
    const bool higher = *b.mean > *a.mean;
    const auto of_a = elo(higher ? upper_limit(a, alpha) : lower_limit(a, alpha));
    const auto of_b = elo(higher ? lower_limit(b, alpha) : upper_limit(b, alpha));
    if (!of_a || !of_b) return result;
    (higher ? result.low : result.high) = *of_b - *of_a;
    result.one_sided = true;
    return result;
}

// The finalizer of SplitMix64: every input bit affects every output bit.
std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

// 2^16 P(X <= i) for a Poisson variable of mean 1; sixteen bits are precise to 1e-5.
constexpr std::array<std::uint32_t, 8> kThresholds{24109, 48219, 60273, 64291,
                                                   65296, 65497, 65531, 65535};

std::uint8_t poisson(std::uint32_t bits) {
    std::uint8_t result = 0;
    for (const std::uint32_t threshold : kThresholds)
        result = static_cast<std::uint8_t>(result + (bits >= threshold ? 1 : 0));
    return result;
}

constexpr double kEloPerLogit = 400 / std::numbers::ln10;
constexpr double kFailuresAllowed = 0.01; // of the replicates

// All members reachable from `start` along the edges of `has_edge`.
template <class HasEdge>
std::vector<bool> reachable(std::size_t size, std::size_t start, const HasEdge& has_edge) {
    std::vector<bool> seen(size);
    std::vector<std::size_t> open{start};
    seen[start] = true;
    while (!open.empty()) {
        const std::size_t here = open.back();
        open.pop_back();
        for (std::size_t next = 0; next < size; ++next) {
            if (seen[next] || !has_edge(here, next)) continue;
            seen[next] = true;
            open.push_back(next);
        }
    }
    return seen;
}

// Groups of mutually reachable members. Quadratic per group, for tables of some hundreds.
template <class HasEdge>
std::vector<std::uint32_t> groups_by(std::size_t size, const HasEdge& has_edge) {
    constexpr auto kNone = static_cast<std::uint32_t>(-1);
    std::vector<std::uint32_t> groups(size, kNone);
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < size; ++i) {
        if (groups[i] != kNone) continue;
        const auto there = reachable(size, i, has_edge);
        const auto back =
            reachable(size, i, [&](std::size_t a, std::size_t b) { return has_edge(b, a); });
        for (std::size_t j = i; j < size; ++j)
            if (there[j] && back[j]) groups[j] = count;
        ++count;
    }
    return groups;
}

// Solves the symmetric positive definite system in place; `matrix` is stored by rows.
void solve(std::vector<double>& matrix, std::vector<double>& right) {
    const std::size_t size = right.size();
    for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t i = k + 1; i < size; ++i) {
            const double factor = matrix[i * size + k] / matrix[k * size + k];
            for (std::size_t j = k; j < size; ++j)
                matrix[i * size + j] -= factor * matrix[k * size + j];
            right[i] -= factor * right[k];
        }
    }
    for (std::size_t k = size; k-- > 0;) {
        for (std::size_t j = k + 1; j < size; ++j)
            right[k] -= matrix[k * size + j] * right[j];
        right[k] /= matrix[k * size + k];
    }
}

// Fits one group. The first member stays at 0 until the end, which makes the solution unique.
class GroupFit {
  public:
    GroupFit(const WinTable& table, std::vector<std::size_t> members)
        : table_(table), members_(std::move(members)), strengths_(members_.size()) {}

    // Returns Elo with mean 0.
    std::vector<double> run() {
        for (int round = 0; round < 100; ++round) {
            std::vector<double> step = newton_step();
            double longest = 0;
            for (const double part : step)
                longest = std::max(longest, std::abs(part));
            // Far from the optimum a full step may overshoot; a factor of e is safe.
            const double scale = longest > 1 ? 1 / longest : 1;
            for (std::size_t i = 0; i < step.size(); ++i)
                strengths_[i + 1] += scale * step[i];
            if (longest < 1e-10) break;
        }
        double mean = 0;
        for (const double strength : strengths_)
            mean += strength / static_cast<double>(strengths_.size());
        for (double& strength : strengths_)
            strength = (strength - mean) * kEloPerLogit;
        return strengths_;
    }

  private:
    [[nodiscard]] std::vector<double> newton_step() const {
        const std::size_t size = members_.size() - 1;
        std::vector<double> matrix(size * size);
        std::vector<double> gradient(size);
        for (std::size_t i = 1; i <= size; ++i) {
            for (std::size_t j = 0; j <= size; ++j) {
                if (i == j) continue;
                const double won = table_.at(members_[i], members_[j]);
                const double all = won + table_.at(members_[j], members_[i]);
                if (all == 0) continue;
                const double expected = 1 / (1 + std::exp(strengths_[j] - strengths_[i]));
                const double weight = all * expected * (1 - expected);
                gradient[i - 1] += won - all * expected;
                matrix[(i - 1) * size + i - 1] += weight;
                if (j > 0) matrix[(i - 1) * size + j - 1] -= weight;
            }
        }
        solve(matrix, gradient);
        return gradient;
    }

    const WinTable& table_;
    std::vector<std::size_t> members_;
    std::vector<double> strengths_; // natural logarithms
};

std::vector<std::vector<std::size_t>> members_of(std::span<const std::uint32_t> groups) {
    std::vector<std::vector<std::size_t>> result;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (groups[i] >= result.size()) result.resize(groups[i] + 1);
        result[groups[i]].push_back(i);
    }
    return result;
}

// Whether the members are still comparable in a replicate that lacks some blocks.
bool hangs_together(const WinTable& table, const std::vector<std::size_t>& members) {
    WinTable part(members.size());
    for (std::size_t i = 0; i < members.size(); ++i)
        for (std::size_t j = 0; j < members.size(); ++j)
            part.at(i, j) = table.at(members[i], members[j]);
    for (const std::uint32_t group : comparable_groups(part))
        if (group != 0) return false;
    return true;
}

// Rates members without a rating by a prior, on the scale of those they met that have one.
void rate_by_prior(const WinTable& table, std::vector<Rating>& ratings) {
    const auto prior = fit_with_prior(table);
    for (const auto& members : members_of(met_groups(table))) {
        double apart = 0;
        double rated = 0;
        for (const std::size_t i : members) {
            if (!ratings[i].elo || !prior[i]) continue;
            apart += *ratings[i].elo - *prior[i];
            ++rated;
        }
        for (const std::size_t i : members)
            if (!ratings[i].elo && prior[i])
                ratings[i].with_prior = *prior[i] + (rated > 0 ? apart / rated : 0);
    }
}

} // namespace

std::optional<double> elo_of_score(double score) {
    if (!(score > 0 && score < 1)) return std::nullopt;
    return -400 * std::log10(1 / score - 1);
}

double score_of_elo(double elo) {
    return 1 / (1 + std::pow(10, -elo / 400));
}

Estimate elo_of(const BlockMean& scores, double z) {
    const Estimate score = scores.estimate(z);
    Estimate result;
    if (!score.error) return result; // without any error, a difference is not shown
    result.value = elo_of_score(*score.value);
    result.low = elo_of_score(*score.low);
    result.high = elo_of_score(*score.high);
    result.error = half_width(result, z);
    return result;
}

Estimate elo_of(const BlockMoments& scores, double confidence) {
    Estimate result;
    if (!scores.mean || scores.blocks < 2) return result;
    if (*scores.mean >= 1) {
        result.low = elo_of_score(*lower_limit(scores, 1 - confidence));
        result.one_sided = true;
    } else if (*scores.mean <= 0) {
        result.high = elo_of_score(*upper_limit(scores, 1 - confidence));
        result.one_sided = true;
    } else {
        const Estimate score = mean_estimate(scores, confidence);
        result.value = elo_of_score(*score.value);
        result.low = elo_of_score(*score.low);
        result.high = elo_of_score(*score.high);
        result.error = half_width(result, two_sided_z(confidence));
    }
    return result;
}

Estimate elo_difference(const PairedDifference& scores, double confidence) {
    const BlockMoments a = scores.under_a().moments(kShare);
    const BlockMoments b = scores.under_b().moments(kShare);
    if (!a.mean || !b.mean) return {};
    const auto elo_a = elo_of_score(*a.mean);
    const auto elo_b = elo_of_score(*b.mean);
    if (!elo_a || !elo_b) return elo_beyond(a, b, confidence);
    Estimate result;
    result.value = *elo_b - *elo_a;
    const Estimate score = mean_estimate(scores.difference(kShare).blocks, confidence);
    if (!score.low || !score.high) return result;
    const auto slope = [](double at) { return 400 / std::numbers::ln10 / (at * (1 - at)); };
    result.error = scores.error_of(slope(*a.mean), slope(*b.mean));
    const double unit =
        result.error && score.error ? *result.error / *score.error : slope((*a.mean + *b.mean) / 2);
    result.low = *result.value + unit * (*score.low - *score.value);
    result.high = *result.value + unit * (*score.high - *score.value);
    return result;
}

Estimate normalized_elo_of(const BlockMean& scores, double games_per_block, double z) {
    const Estimate score = scores.estimate(z);
    Estimate result;
    if (!score.error) return result;
    const double unit = kNormalizedElo / std::sqrt(games_per_block * *scores.variance());
    result.value = (*score.value - 0.5) * unit;
    result.error = *score.error * unit;
    result.low = *result.value - z * *result.error;
    result.high = *result.value + z * *result.error;
    return result;
}

Estimate normalized_elo_of_run(const BlockMean& scores, double games_per_block, double confidence) {
    Estimate result;
    const BlockMoments moments = scores.moments(kShare);
    const auto error = moments.error();
    if (!error) return result;
    const double sigma = std::sqrt(*scores.variance());
    const double apart = (*scores.mean() - 0.5) / sigma;
    const double unit = kNormalizedElo / (std::sqrt(games_per_block) * sigma);
    const auto n = static_cast<double>(scores.blocks());
    const double reach = student_quantile((1 + confidence) / 2, n - 1);
    result.value = (*scores.mean() - 0.5) * unit;
    // Mean and spread are correlated if scores are skewed.
    const double skewness = moments.cubes / (n * sigma * sigma * sigma);
    const double spread = std::max(1.0, 1 - apart * skewness + apart * apart / 2);
    result.error = *error * unit * std::sqrt(spread);
    result.low = *result.value - reach * *result.error;
    result.high = *result.value + reach * *result.error;
    return result;
}

std::optional<double> likelihood_of_superiority(const BlockMean& scores) {
    const auto error = scores.standard_error();
    if (!error) return std::nullopt;
    return normal_cdf((*scores.mean() - 0.5) / *error);
}

std::optional<double> likelihood_of_superiority(const BlockMoments& scores) {
    if (!scores.mean || scores.blocks < kMinBlocks) return std::nullopt;
    const double above = *scores.mean - 0.5;
    if (above == 0 && scores.squares == 0) return std::nullopt;
    return above > 0 ? 1 - *p_at_most(scores, 0.5) : *p_at_least(scores, 0.5);
}

Estimate wilson(double rate, double n, double z) {
    Estimate result;
    if (!(n > 0)) return result;
    const double middle = (rate + z * z / (2 * n)) / (1 + z * z / n);
    const double reach =
        z / (1 + z * z / n) * std::sqrt(rate * (1 - rate) / n + z * z / (4 * n * n));
    result.value = rate;
    result.error = std::sqrt(rate * (1 - rate) / n);
    result.low = std::max(0.0, middle - reach);
    result.high = std::min(1.0, middle + reach);
    return result;
}

// Poisson weights by a counter-based generator.
ReplicateWeights replicate_weights(std::uint64_t seed, std::uint64_t block) {
    constexpr std::size_t kPerWord = 4;
    const std::uint64_t start = mixed(mixed(seed + 0x9E3779B97F4A7C15U) + block);
    ReplicateWeights weights{};
    for (std::size_t word = 0; word < kReplicates / kPerWord; ++word) {
        std::uint64_t bits = mixed(start + (word + 1) * 0x9E3779B97F4A7C15U);
        for (std::size_t i = 0; i < kPerWord; ++i, bits >>= 16)
            weights[word * kPerWord + i] = poisson(static_cast<std::uint32_t>(bits & 0xFFFF));
    }
    return weights;
}

double standard_deviation(std::span<const double> values) {
    double mean = 0;
    for (const double value : values)
        mean += value / static_cast<double>(values.size());
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::vector<std::uint32_t> met_groups(const WinTable& table) {
    return groups_by(table.size(), [&](std::size_t i, std::size_t j) {
        return table.at(i, j) > 0 || table.at(j, i) > 0;
    });
}

std::vector<std::uint32_t> comparable_groups(const WinTable& table) {
    return groups_by(table.size(),
                     [&](std::size_t i, std::size_t j) { return table.at(i, j) > 0; });
}

std::vector<std::optional<double>> fit_ratings(const WinTable& table,
                                               std::span<const std::uint32_t> groups) {
    std::vector<std::optional<double>> result(table.size());
    for (const auto& members : members_of(groups)) {
        if (members.size() < 2 || !hangs_together(table, members)) continue;
        const std::vector<double> elo = GroupFit(table, members).run();
        for (std::size_t i = 0; i < members.size(); ++i)
            result[members[i]] = elo[i];
    }
    return result;
}

std::vector<std::optional<double>> fit_with_prior(const WinTable& table) {
    std::vector<std::optional<double>> result(table.size());
    for (const auto& members : members_of(met_groups(table))) {
        if (members.size() < 2) continue;
        const std::size_t mean = members.size(); // an additional member that stands for the mean
        WinTable part(mean + 1);
        for (std::size_t i = 0; i < mean; ++i) {
            for (std::size_t j = 0; j < mean; ++j)
                part.at(i, j) = table.at(members[i], members[j]);
            part.at(i, mean) = part.at(mean, i) = 1; // half of two halves
        }
        std::vector<std::size_t> all(mean + 1);
        std::iota(all.begin(), all.end(), 0);
        const std::vector<double> elo = GroupFit(part, all).run();
        for (std::size_t i = 0; i < mean; ++i)
            result[members[i]] = elo[i] - elo[mean];
    }
    return result;
}

void MeetingTable::count_blocks(std::span<const Meeting> meetings) {
    std::vector<Contestant> present;
    for (const Meeting& meeting : meetings)
        present.insert(present.end(), {meeting.first, meeting.second});
    std::ranges::sort(present);
    present.erase(std::unique(present.begin(), present.end()), present.end());
    if (!present.empty() && blocks_.size() <= present.back()) blocks_.resize(present.back() + 1);
    for (const Contestant each : present)
        ++blocks_[each];
}

void MeetingTable::add(std::uint64_t seed, std::uint64_t block, std::span<const Meeting> meetings) {
    if (meetings.empty()) return;
    count_blocks(meetings);
    const ReplicateWeights weights = replicate_weights(seed, block);
    for (const Meeting& meeting : meetings) {
        Couple& couple = couples_[{meeting.first, meeting.second}];
        const double first = meeting.halves;
        const double second = 2.0 * meeting.pairs - first;
        couple.first += first;
        couple.second += second;
        for (std::size_t i = 0; i < kReplicates; ++i) {
            couple.replicate_first[i] += weights[i] * first;
            couple.replicate_second[i] += weights[i] * second;
        }
    }
}

WinTable MeetingTable::wins(std::size_t contestants) const {
    WinTable table(contestants);
    for (const auto& [who, couple] : couples_) {
        table.at(who.first, who.second) = couple.first;
        table.at(who.second, who.first) = couple.second;
    }
    return table;
}

WinTable MeetingTable::replicate(std::size_t contestants, std::size_t index) const {
    WinTable table(contestants);
    for (const auto& [who, couple] : couples_) {
        table.at(who.first, who.second) = couple.replicate_first[index];
        table.at(who.second, who.first) = couple.replicate_second[index];
    }
    return table;
}

std::vector<Rating> MeetingTable::ratings(std::size_t contestants,
                                          std::optional<Contestant> anchor) const {
    const WinTable table = wins(contestants);
    const auto groups = comparable_groups(table);
    const auto fitted = [&](const WinTable& wins) {
        auto elo = fit_ratings(wins, groups);
        if (!anchor || !elo[*anchor]) return elo;
        const double zero = *elo[*anchor];
        for (std::size_t i = 0; i < contestants; ++i)
            if (elo[i] && groups[i] == groups[*anchor]) *elo[i] -= zero;
        return elo;
    };
    const auto fit = fitted(table);
    std::vector<std::vector<double>> drawn(contestants);
    for (std::size_t r = 0; r < kReplicates; ++r) {
        const auto again = fitted(replicate(contestants, r));
        for (std::size_t i = 0; i < contestants; ++i)
            if (again[i]) drawn[i].push_back(*again[i]);
    }
    std::vector<Rating> result(contestants);
    for (std::size_t i = 0; i < contestants; ++i) {
        result[i].elo = fit[i];
        result[i].group = groups[i];
        if (static_cast<double>(drawn[i].size()) < (1 - kFailuresAllowed) * kReplicates) continue;
        const auto blocks = static_cast<double>(blocks_[i]);
        const double spread = standard_deviation(drawn[i]);
        if (!(spread > 1e-9) || blocks < 2) continue; // all blocks agree: no error
        // The replicates' variance has the divisor N.
        result[i].error = spread * std::sqrt(blocks / (blocks - 1));
        const double reach = student_quantile((1 + kConfidence) / 2, blocks - 1);
        result[i].low = *result[i].elo - reach * *result[i].error;
        result[i].high = *result[i].elo + reach * *result[i].error;
    }
    rate_by_prior(table, result);
    return result;
}

} // namespace croupier::results
