// The joint fit by Newton's method, group by group; see ratings.h.
#include "results/statistics/ratings.h"

#include "results/statistics/normal.h"
#include "results/statistics/student.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

namespace croupier::results {
namespace {

constexpr double kEloPerLogit = 400 / std::numbers::ln10;
constexpr double kFailuresAllowed = 0.01; // of the replicates

// Everybody reachable from `start` along the edges that `has_edge` knows.
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

// Groups of those who reach each other. Quadratic a group, for tables of some hundreds.
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

// Solves the symmetric positive definite system in place; `matrix` holds rows.
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

// One group's fit. The first member is held at 0 until the end, which makes the rest unique.
class GroupFit {
  public:
    GroupFit(const WinTable& table, std::vector<std::size_t> members)
        : table_(table), members_(std::move(members)), strengths_(members_.size()) {}

    // In Elo, with mean 0.
    std::vector<double> run() {
        for (int round = 0; round < 100; ++round) {
            std::vector<double> step = newton_step();
            double longest = 0;
            for (const double part : step)
                longest = std::max(longest, std::abs(part));
            // Far from the optimum a full step may overshoot; e-fold at most is safe.
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

// Whether the members can still be compared in a replicate that lacks some blocks.
bool hangs_together(const WinTable& table, const std::vector<std::size_t>& members) {
    WinTable part(members.size());
    for (std::size_t i = 0; i < members.size(); ++i)
        for (std::size_t j = 0; j < members.size(); ++j)
            part.at(i, j) = table.at(members[i], members[j]);
    for (const std::uint32_t group : comparable_groups(part))
        if (group != 0) return false;
    return true;
}

} // namespace

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
        const std::size_t mean = members.size(); // the one more that stands for it
        WinTable part(mean + 1);
        for (std::size_t i = 0; i < mean; ++i) {
            for (std::size_t j = 0; j < mean; ++j)
                part.at(i, j) = table.at(members[i], members[j]);
            part.at(i, mean) = part.at(mean, i) = 1; // a half of two
        }
        std::vector<std::size_t> all(mean + 1);
        std::iota(all.begin(), all.end(), 0);
        const std::vector<double> elo = GroupFit(part, all).run();
        for (std::size_t i = 0; i < mean; ++i)
            result[members[i]] = elo[i] - elo[mean];
    }
    return result;
}

namespace {

// Those without a rating by a prior, moved to the scale of those that they met and that have one.
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

void MeetingTable::count_blocks(std::span<const Meeting> meetings) {
    std::vector<Contestant> present;
    for (const Meeting& meeting : meetings)
        present.insert(present.end(), {meeting.first, meeting.second});
    std::sort(present.begin(), present.end());
    present.erase(std::unique(present.begin(), present.end()), present.end());
    if (!present.empty() && blocks_.size() <= present.back()) blocks_.resize(present.back() + 1);
    for (const Contestant each : present)
        ++blocks_[each];
}

void MeetingTable::add(std::uint64_t block, std::span<const Meeting> meetings) {
    if (meetings.empty()) return;
    count_blocks(meetings);
    const ReplicateWeights weights = replicate_weights(seed_, block);
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

std::vector<Rating> MeetingTable::ratings(std::size_t contestants) const {
    const WinTable table = wins(contestants);
    const auto groups = comparable_groups(table);
    const auto fit = fit_ratings(table, groups);
    std::vector<std::vector<double>> drawn(contestants);
    for (std::size_t r = 0; r < kReplicates; ++r) {
        const auto again = fit_ratings(replicate(contestants, r), groups);
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
        if (!(spread > 1e-9) || blocks < 2) continue; // blocks that all agree have none
        // Replicates vary with the divisor N.
        result[i].error = spread * std::sqrt(blocks / (blocks - 1));
        const double reach = student_quantile((1 + kConfidence) / 2, blocks - 1);
        result[i].low = *result[i].elo - reach * *result[i].error;
        result[i].high = *result[i].elo + reach * *result[i].error;
    }
    rate_by_prior(table, result);
    return result;
}

} // namespace croupier::results
