// What a tuning was asked for: tune.json of its folder.
#pragma once

#include "results/record.h"
#include "results/statistics/stop.h"
#include "results/store/file.h"
#include "results/store/json_field.h"
#include "tournaments/tuning/spsa.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::tournaments {

inline constexpr std::string_view kTuneFile = "tune.json";
// A value a line: the tuned agent's block scores against the one that it began as.
inline constexpr std::string_view kProofFile = "proof.csv";

struct TuningPlan {
    std::string game;
    std::vector<std::string> set; // "name=value"
    std::string agent;
    std::vector<std::string> against; // whom both sides of a step play; empty: each other
    std::vector<TunedParameter> parameters;
    // 0: it is tuned to win. Else for points: who is ahead by so many in a game has won it, who is
    // ahead by less has won a part.
    double worth = 0;
    std::uint64_t blocks = 0; // to find values with
    std::uint64_t blocks_a_step = 1;
    std::uint64_t proof_blocks = 0; // to prove them with, at most; 0: not asked
    results::SprtBounds bounds;
    std::uint64_t seed = 1;
    std::uint32_t games_a_block = 0; // of each side
    // What else must be the same when it goes on: program, rules, agents. JSON.
    std::string identity = "{}";
};

nlohmann::ordered_json to_json(const TuningPlan& plan);
// Throws JsonMistake if it is none, or was altered since it was written.
TuningPlan plan_of(const results::JsonField& json);

// The agent with these values in place of what its text says of them.
std::string with_values(const std::string& agent, const std::vector<TunedParameter>& parameters,
                        const std::vector<double>& values);

// The score of a block for who tunes for points: what its first agent is ahead by in a game, as a
// part of `worth`, from 0 to 1; the mean over games. Nothing: no game has come to points.
std::optional<double> point_score(std::span<const results::GameRecord> games, double worth);

// Lines of proof.csv: a block score, or nothing for a block that is void, and the checksum of all
// scores so far.
class ProofLines {
  public:
    // Absent: it is not the line that comes next.
    std::optional<std::optional<double>> read(std::string_view line);
    std::string write(std::optional<double> score);

  private:
    std::uint32_t checksum_ = 0;
};

// steps.csv of a folder where an agent is tuned: a row for each step, which a tuning that was
// interrupted goes on from.

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
