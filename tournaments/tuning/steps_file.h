// steps.csv of a folder where an agent is tuned: a row for each step, which a tuning that was
// interrupted goes on from.
#pragma once

#include "results/store/file.h"
#include "tournaments/tuning/spsa.h"

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::tournaments {

inline constexpr std::string_view kStepsFile = "steps.csv";

// A row: blocks played so far, the result of the step, the values after it.
struct TuningStep {
    std::uint64_t blocks = 0;
    double result = 0;
    std::vector<double> values;
};

// Takes the steps that are whole in the file, if there is one, into `spsa`, which is at its start,
// and `steps`; `bytes` of the file were read. A row that does not follow from those before is a
// failure: somebody has altered it, or the parameters. Changes nothing.
results::Failure read_steps(const std::string& folder, Spsa& spsa, std::vector<TuningStep>& steps,
                            std::uint64_t& bytes);

class StepsFile {
  public:
    // Reads it, or makes it; what is torn at its end is cut off.
    results::Failure open(const std::string& folder, Spsa& spsa);
    // The step that `spsa` has just learnt from.
    results::Failure append(const Spsa& spsa, double result);

    [[nodiscard]] const std::vector<TuningStep>& steps() const { return steps_; }

  private:
    results::File file_;
    std::vector<TuningStep> steps_;
};

} // namespace croupier::tournaments
