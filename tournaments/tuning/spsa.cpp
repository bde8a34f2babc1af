// Steps of SPSA, whose sizes decrease with the number of blocks played.
#include "tournaments/tuning/spsa.h"

#include "engine/api/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace croupier::tournaments {
namespace {

using engine::Random;

// Spall's exponents: how fast the weight of a block and the perturbation decrease.
constexpr double kAlpha = 0.602;
constexpr double kGamma = 0.101;
// SPSA's A, as a share of all blocks.
constexpr double kSteadying = 0.1;

constexpr double kPartOfRange = 20;
constexpr double kLeastApart = 0.5; // for whole numbers, so that the sides mostly differ

double ratio(double blocks, double played, double power) {
    return std::pow(blocks / played, power);
}

// In [0, 1).
double share(Random& random) {
    return std::ldexp(static_cast<double>(random.next() >> 11), -53);
}

} // namespace

std::string wrong_with(const TunedParameter& parameter) {
    const double numbers[] = {parameter.start, parameter.least, parameter.greatest,
                              parameter.end_perturbation, parameter.end_rate};
    if (std::any_of(std::begin(numbers), std::end(numbers),
                    [](double number) { return !std::isfinite(number); }))
        return "its numbers must be finite";
    if (parameter.least >= parameter.greatest)
        return fmt::format("there is nothing between {} and {}", parameter.least,
                           parameter.greatest);
    if (parameter.start < parameter.least || parameter.start > parameter.greatest)
        return fmt::format("it starts at {}, which is not between {} and {}", parameter.start,
                           parameter.least, parameter.greatest);
    if (parameter.end_perturbation <= 0 || parameter.end_rate <= 0)
        return "apart and rate must be above 0";
    return {};
}

double default_apart(const TunedParameter& parameter) {
    const double part = (parameter.greatest - parameter.least) / kPartOfRange;
    return parameter.whole ? std::max(part, kLeastApart) : part;
}

double default_rate(std::uint64_t blocks) {
    return 0.5 / std::sqrt(static_cast<double>(std::max<std::uint64_t>(blocks, 1)));
}

Spsa::Spsa(std::vector<TunedParameter> parameters, std::uint64_t blocks,
           std::uint64_t blocks_a_step, std::uint64_t seed)
    : parameters_(std::move(parameters)), blocks_(blocks), blocks_a_step_(blocks_a_step),
      seed_(seed) {
    for (const TunedParameter& parameter : parameters_)
        values_.push_back(parameter.start);
}

double Spsa::perturbation(const TunedParameter& parameter) const {
    const auto wanted = static_cast<double>(blocks_);
    return parameter.end_perturbation * ratio(wanted, static_cast<double>(played_ + 1), kGamma);
}

std::vector<double> Spsa::signs() const {
    Random random = Random(seed_).stream(played_);
    std::vector<double> signs;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
        signs.push_back(random.below(2) == 0 ? 1 : -1);
    return signs;
}

Spsa::Pair Spsa::pair() const {
    const std::vector<double> up = signs();
    Random random = Random(seed_).stream(played_).stream(1);
    Pair pair;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const TunedParameter& parameter = parameters_[i];
        // Rounds whole numbers at random, so that fractions count on average; both sides equally,
        // or their distance would be too large.
        const double chance = share(random);
        const auto taken = [&](double value) {
            if (parameter.whole) value = std::floor(value + chance);
            return std::clamp(value, parameter.least, parameter.greatest);
        };
        const double by = up[i] * perturbation(parameter);
        pair.one.push_back(taken(values_[i] + by));
        pair.other.push_back(taken(values_[i] - by));
    }
    return pair;
}

std::uint64_t Spsa::step_blocks() const {
    return std::min(blocks_a_step_, blocks_ - played_);
}

void Spsa::learn(double result) {
    const std::vector<double> up = signs();
    const auto wanted = static_cast<double>(blocks_);
    const auto block = static_cast<double>(played_ + 1);
    const double steadying = kSteadying * wanted;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const TunedParameter& parameter = parameters_[i];
        const double by = perturbation(parameter);
        const double end =
            parameter.end_rate * parameter.end_perturbation * parameter.end_perturbation;
        const double rate = end * ratio(steadying + wanted, steadying + block, kAlpha) / (by * by);
        values_[i] = std::clamp(values_[i] + rate * by * up[i] * result, parameter.least,
                                parameter.greatest);
    }
    played_ += step_blocks();
}

std::vector<double> Spsa::rounded() const {
    std::vector<double> rounded;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
        rounded.push_back(parameters_[i].whole ? std::round(values_[i]) : values_[i]);
    return rounded;
}

} // namespace croupier::tournaments
