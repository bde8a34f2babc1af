// The normal distribution, and what two-sided confidence means in it.
#pragma once

namespace croupier::results {

// The share of a standard normal variable below x.
double normal_cdf(double x);

// The x below which the share p lies, for 0 < p < 1; exact to the last digits of a double.
double normal_quantile(double p);

// How many standard errors a two-sided interval reaches to each side: 1.96 for 0.95.
double two_sided_z(double confidence);

constexpr double kConfidence = 0.95; // of every interval, unless somebody asks for another

} // namespace croupier::results
