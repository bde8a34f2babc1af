// Finds the parameter values that win most: simultaneous perturbation stochastic approximation
// (Spall), with the settings that OpenBench and fishtest use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::tournaments {

struct TunedParameter {
    std::string name;
    double start = 0;
    double least = 0;
    double greatest = 0;
    bool whole = true; // takes only whole numbers
    double end_perturbation =
        0;               // how far values are moved apart when the last block is played (c_end)
    double end_rate = 0; // weight of the last block's result (r_end)

    bool operator==(const TunedParameter&) const = default;
};

// Why it cannot be tuned, in a sentence; empty if it can.
std::string wrong_with(const TunedParameter& parameter);
// Defaults of `end_perturbation` and `end_rate` for that many blocks: a twentieth of the range; and
// such that chance alone moves a value by about half of that over the whole run.
double default_apart(const TunedParameter& parameter);
double default_rate(std::uint64_t blocks);

// Perturbs all parameters at once, each up or down at random; blocks are played between these
// values and the opposite ones, and all values then move towards the winner's. A function of the
// parameters, the seed and the results.
class Spsa {
  public:
    // A step learns from `blocks_a_step` blocks, the last one from those left of `blocks`.
    Spsa(std::vector<TunedParameter> parameters, std::uint64_t blocks, std::uint64_t blocks_a_step,
         std::uint64_t seed);

    // The values of the two sides for the next blocks, by parameter.
    struct Pair {
        std::vector<double> one;
        std::vector<double> other;
    };
    [[nodiscard]] Pair pair() const;
    // The number of blocks to play with these values.
    [[nodiscard]] std::uint64_t step_blocks() const;
    // Learns from these blocks. `result`: the sum over blocks of one side's wins minus the other's,
    // 2 for a block won outright, as for two games.
    void learn(double result);

    [[nodiscard]] const std::vector<TunedParameter>& parameters() const { return parameters_; }
    [[nodiscard]] std::uint64_t blocks() const { return played_; }
    [[nodiscard]] bool is_done() const { return played_ >= blocks_; }
    // The total number of blocks of the search.
    [[nodiscard]] std::uint64_t wanted() const { return blocks_; }
    // The current values, and as an agent receives them.
    [[nodiscard]] const std::vector<double>& values() const { return values_; }
    [[nodiscard]] std::vector<double> rounded() const;

  private:
    [[nodiscard]] double perturbation(const TunedParameter& parameter) const;
    [[nodiscard]] std::vector<double> signs() const;

    std::vector<TunedParameter> parameters_;
    std::uint64_t blocks_;
    std::uint64_t blocks_a_step_;
    std::uint64_t seed_;
    std::uint64_t played_ = 0;
    std::vector<double> values_;
};

} // namespace croupier::tournaments
