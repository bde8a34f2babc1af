// Looks for the values of parameters that win the most: simultaneous perturbation stochastic
// approximation (Spall), with the parameters that OpenBench and fishtest have for it.
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
    bool whole = true; // it takes whole numbers only
    double end_perturbation =
        0;               // how far values are moved apart when the last block is played (c_end)
    double end_rate = 0; // how much of that a block then counts (r_end)

    bool operator==(const TunedParameter&) const = default;
};

// What keeps it from being tuned, in a sentence; empty if nothing does.
std::string wrong_with(const TunedParameter& parameter);
// `end_perturbation` and `end_rate` for so many blocks, where nobody has said them: a twentieth of
// the range; and so that chance alone moves a value by about half of that in the whole run.
double default_apart(const TunedParameter& parameter);
double default_rate(std::uint64_t blocks);

// All parameters are moved at once, each up or down by chance, and blocks are played between those
// values and the opposite ones; all then go towards whoever won. A function of the parameters, the
// seed and the results.
class Spsa {
  public:
    // A step learns from `blocks_a_step`, the last one from what is left of `blocks`.
    Spsa(std::vector<TunedParameter> parameters, std::uint64_t blocks, std::uint64_t blocks_a_step,
         std::uint64_t seed);

    // What the two sides of the next blocks have, by parameter.
    struct Pair {
        std::vector<double> one;
        std::vector<double> other;
    };
    [[nodiscard]] Pair pair() const;
    // How many blocks are to be played with it.
    [[nodiscard]] std::uint64_t step_blocks() const;
    // They were. `result`: the sum over them of what the one side won less what the other did, 2
    // for a block won outright, as of two games.
    void learn(double result);

    [[nodiscard]] const std::vector<TunedParameter>& parameters() const { return parameters_; }
    [[nodiscard]] std::uint64_t blocks() const { return played_; }
    [[nodiscard]] bool is_done() const { return played_ >= blocks_; }
    // Blocks that the search for all values takes.
    [[nodiscard]] std::uint64_t wanted() const { return blocks_; }
    // Where the values are now, and what an agent would be given of them.
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
