// Elo and its kin, Wilson's interval for rates.
#pragma once

#include "results/statistics/accumulator.h"
#include "results/statistics/paired.h"

#include <cstdint>
#include <numbers>
#include <optional>

namespace croupier::results {

// 800 / ln 10: nElo of a game whose expected score is one standard deviation above one half.
constexpr double kNormalizedElo = 800 / std::numbers::ln10;

// The Elo difference at which `score` is expected. Absent outside ]0, 1[, where there is none.
std::optional<double> elo_of_score(double score);
double score_of_elo(double elo);

// Elo difference of a mean block score. The interval is that of the mean, mapped: its bounds are
// not equally far from the value, and one may be absent. `error` is half of its width over z.
Estimate elo_of(const BlockMean& scores, double z);

// By how much Elo the mean score under B is above that under A, against the same opponents: each
// mean is mapped, the error by the slope there and the covariance. Absent where a score is 0 or 1.
Estimate elo_difference(const PairedDifference& scores, double z);

// Elo difference in units of the spread of scores, (mu - 1/2) / sqrt(k var) * 800 / ln 10 with k
// games a block: comparable between games that draw much and games that do not.
Estimate normalized_elo_of(const BlockMean& scores, double games_per_block, double z);

// The chance that who has these scores is the stronger, if both were as likely before.
std::optional<double> likelihood_of_superiority(const BlockMean& scores);

// Wilson's interval for a rate of `successes` in n independent trials; n need not be whole.
Estimate wilson(double rate, double n, double z);

// The same for a rate measured over blocks, whose values correlate: n is the number of independent
// trials with the same error, p (1 - p) / SE^2. If all blocks say 0 or all say 1, n is the number
// of blocks, which is the least that it can be. Absent bounds where blocks agree on anything else.
Estimate rate_of(const BlockMean& rate, double z);

} // namespace croupier::results
