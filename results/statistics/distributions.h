// The normal distribution, Student's t and the binomial, and what two-sided confidence means in
// them.
#pragma once

namespace croupier::results {

// The share of a standard normal variable below x.
double normal_cdf(double x);

// The x below which the share p lies, for 0 < p < 1; exact to the last digits of a double.
double normal_quantile(double p);

// How many standard errors a two-sided interval reaches to each side: 1.96 for 0.95.
double two_sided_z(double confidence);

constexpr double kConfidence = 0.95; // of every interval, unless somebody asks for another

// Student's t and the binomial distribution, by the incomplete beta function.

// The share of a beta variable with parameters a, b > 0 below x.
double beta_cdf(double x, double a, double b);
// The x below which the share p lies, for 0 < p < 1.
double beta_quantile(double p, double a, double b);

// The same for t with `freedom` > 0 degrees of freedom, which need not be whole.
double student_cdf(double t, double freedom);
double student_quantile(double p, double freedom);

// The largest chance of success that `successes` in n independent trials do not speak against:
// fewer would be seen with a chance of at least alpha (Clopper and Pearson, one-sided). What is
// counted need not be whole.
double most_likely_above(double successes, double n, double alpha);

} // namespace croupier::results
