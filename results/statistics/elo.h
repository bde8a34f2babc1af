// Elo and its kin, Wilson's interval for rates.
#pragma once

#include "results/statistics/accumulator.h"
#include "results/statistics/normal.h"
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

// Elo difference of a mean block score, as it is published for counts. The interval is that of the
// mean, mapped: its bounds are not equally far from the value, and one may be absent. `error` is
// half of its width over z.
Estimate elo_of(const BlockMean& scores, double z);

// The same of a run, by the interval of mean_interval.h. Who won everything, or lost it, has a
// bound to one side in place of a value.
Estimate elo_of(const BlockMoments& scores, double confidence = kConfidence);

// By how much Elo the mean score under B is above that under A, against the same opponents: each
// mean is mapped, its error by the slope there, and the interval is as lopsided as that of the
// difference of scores. Where a score is 0 or 1, a bound to one side.
Estimate elo_difference(const PairedDifference& scores, double confidence = kConfidence);

// Elo difference in units of the spread of scores, (mu - 1/2) / sqrt(k var) * 800 / ln 10 with k
// games a block: comparable between games that draw much and games that do not.
Estimate normalized_elo_of(const BlockMean& scores, double games_per_block, double z);

// The same of a run: t for z, and the error knows that the spread is measured, too, by what normal
// and as skewed scores would make of it.
Estimate normalized_elo_of_run(const BlockMean& scores, double games_per_block,
                               double confidence = kConfidence);

// The chance that who has these scores is the stronger, if both were as likely before.
std::optional<double> likelihood_of_superiority(const BlockMean& scores);
// The same of a run: beyond 97.5 % where the interval of the score leaves out one half. Absent
// below kFewestBlocks.
std::optional<double> likelihood_of_superiority(const BlockMoments& scores);

// Wilson's interval for a rate of `successes` in n independent trials; n need not be whole.
Estimate wilson(double rate, double n, double z);

} // namespace croupier::results
