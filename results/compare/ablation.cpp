// Pairs of with and without; see ablation.h.
#include "results/compare/ablation.h"

#include "results/compare/metrics.h"
#include "results/compare/revisions.h"
#include "results/statistics/elo.h"
#include "results/statistics/mean_interval.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace croupier::results {
namespace {

constexpr std::uint32_t kAgent = 0;
constexpr double kNsPerUs = 1000;

// Who comes first: worth for time. A cost that is not known is no more than the least that is.
double rank_of(const WorthRow& row, double least_cost) {
    return row.score.value.value_or(0) / row.rule.cost_ns.value_or(least_cost);
}

} // namespace

AblationTally::AblationTally(const RunFacts& facts, std::vector<AblatedRule> rules)
    : facts_(facts), reader_(facts), rules_(std::move(rules)), worths_(rules_.size()) {}

AblationTally::Outcome AblationTally::outcome_of(std::span<const GameRecord> games) {
    const MetricSum wins = wins_of(kAgent, games, reader_);
    const MetricSum points = points_of(kAgent, games);
    Outcome outcome{wins.sum, wins.count, points.sum, points.count, {}};
    outcome.score = reader_.read(games).scores[kAgent];
    return outcome;
}

void AblationTally::add_block(std::span<const GameRecord> games) {
    const std::size_t each = games.size() / (rules_.size() + 1);
    assert(each * (rules_.size() + 1) == games.size());
    const auto whole_games = games.first(each);
    const Outcome whole = outcome_of(whole_games);
    win_rate_.add(whole.win_sum, whole.wins);
    points_.add(whole.point_sum, whole.points);
    if (whole.score) score_.add(*whole.score);
    for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
        const auto part_games = games.subspan((rule + 1) * each, each);
        const Outcome part = outcome_of(part_games);
        Worth& worth = worths_[rule];
        worth.win_rate.add(part.win_sum, part.wins, whole.win_sum, whole.wins);
        worth.points.add(part.point_sum, part.points, whole.point_sum, whole.points);
        worth.score.add(part.score.value_or(0), part.score ? 1 : 0, whole.score.value_or(0),
                        whole.score ? 1 : 0);
        if (same_lines(whole_games, part_games)) ++worth.alike;
    }
    ++blocks_;
    games_ += each;
}

void AblationTally::set_costs(std::span<const std::optional<double>> cost_ns) {
    assert(cost_ns.size() == rules_.size());
    assert(std::none_of(cost_ns.begin(), cost_ns.end(),
                        [](const auto& ns) { return ns && *ns <= 0; }));
    for (std::size_t rule = 0; rule < rules_.size(); ++rule)
        rules_[rule].cost_ns = cost_ns[rule];
}

WorthRow AblationTally::row_of(std::size_t rule) const {
    const Worth& worth = worths_[rule];
    WorthRow row;
    row.rule = rules_[rule];
    row.win_rate = mean_estimate(worth.win_rate.difference(kShare).blocks);
    row.points = mean_estimate(worth.points.difference().blocks);
    row.score = mean_estimate(worth.score.difference(kShare).blocks);
    row.elo = elo_difference(worth.score);
    row.alike = worth.alike;
    if (row.rule.cost_ns && row.elo.value && row.elo.low && row.elo.high) {
        const double us = *row.rule.cost_ns / kNsPerUs;
        row.elo_per_us = {*row.elo.value / us, {}, *row.elo.low / us, *row.elo.high / us};
    }
    return row;
}

AblationSummary AblationTally::summary(double margin) const {
    AblationSummary result;
    result.game = facts_.game;
    result.agent = facts_.agents.front();
    result.against.assign(facts_.agents.begin() + 1, facts_.agents.end());
    result.seed = facts_.seed;
    result.starts = facts_.starts;
    result.blocks = blocks_;
    result.games = games_;
    result.win_rate = mean_estimate(win_rate_.moments(kShare));
    result.points = mean_estimate(points_.moments());
    result.score = mean_estimate(score_.moments(kShare));
    result.margin = margin;
    std::vector<PairedMoments> differences;
    for (const Worth& worth : worths_)
        differences.push_back(worth.score.difference(kShare));
    const Judgements judged = judge(differences, std::vector<double>(worths_.size(), margin));
    result.corrected_for = judged.corrected_for;
    std::optional<double> least_cost;
    for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
        WorthRow row = row_of(rule);
        row.judgement = judged.rows[rule];
        if (row.judgement.blocks_to_decide)
            row.games_to_decide = *row.judgement.blocks_to_decide * static_cast<double>(games_) /
                                  static_cast<double>(blocks_);
        if (row.rule.cost_ns)
            least_cost = std::min(*row.rule.cost_ns, least_cost.value_or(*row.rule.cost_ns));
        result.rows.push_back(std::move(row));
    }
    std::stable_sort(
        result.rows.begin(), result.rows.end(), [&](const WorthRow& one, const WorthRow& other) {
            return rank_of(one, least_cost.value_or(1)) > rank_of(other, least_cost.value_or(1));
        });
    return result;
}

} // namespace croupier::results
