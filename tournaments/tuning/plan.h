// The specification of a tuning: tune.json in its folder.
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
// One value per line: the tuned agent's block scores against the original one.
inline constexpr std::string_view kProofFile = "proof.csv";

struct TuningPlan {
    std::string game;
    std::vector<std::string> set; // "name=value"
    std::string agent;
    std::vector<std::string> against; // opponents of both sides of a step; if empty, each other
    std::vector<TunedParameter> parameters;
    // 0 to tune for wins. Otherwise for points: a lead of at least `worth` in a game is a win, a
    // smaller lead a part of one.
    double worth = 0;
    std::uint64_t blocks = 0; // for finding values
    std::uint64_t blocks_a_step = 1;
    std::uint64_t proof_blocks = 0; // limit for proving them; 0 if not requested
    results::SprtBounds bounds;
    std::uint64_t seed = 1;
    std::uint32_t games_a_block = 0; // for each side
    // Must be unchanged when resuming: program, rules, agents. JSON.
    std::string identity = "{}";
};

nlohmann::ordered_json to_json(const TuningPlan& plan);
// Throws JsonMistake if it is not a plan, or was altered since it was written.
TuningPlan plan_of(const results::JsonField& json);

// The agent's spec with these values in place of its own.
std::string with_values(const std::string& agent, const std::vector<TunedParameter>& parameters,
                        const std::vector<double>& values);

// The score of a block when tuning for points: the first agent's lead in a game, as a part of
// `worth`, from 0 to 1; the mean over games. Nothing if no game has points.
std::optional<double> point_score(std::span<const results::GameRecord> games, double worth);

// Lines of proof.csv: a block score, or an empty one for a void block, and the checksum of all
// scores so far.
class ProofLines {
  public:
    // Absent if it is not a valid next line.
    std::optional<std::optional<double>> read(std::string_view line);
    std::string write(std::optional<double> score);

  private:
    std::uint32_t checksum_ = 0;
};

// steps.csv in the folder of a tuning: a row for each step, from which an interrupted tuning
// continues.

inline constexpr std::string_view kStepsFile = "steps.csv";

// A row: blocks played so far, the result of the step, the values after it.
struct TuningStep {
    std::uint64_t blocks = 0;
    double result = 0;
    std::vector<double> values;
};

// Feeds the complete steps of the file, if it exists, into `spsa`, which must be at its start, and
// `steps`; sets `bytes` to the number of bytes read. Fails if a row does not follow from those
// before, because it or the parameters were altered. Changes nothing.
results::Failure read_steps(const std::string& folder, Spsa& spsa, std::vector<TuningStep>& steps,
                            std::uint64_t& bytes);

class StepsFile {
  public:
    // Reads or creates it; cuts off an incomplete end.
    results::Failure open(const std::string& folder, Spsa& spsa);
    // The step that `spsa` has just learnt from.
    results::Failure append(const Spsa& spsa, double result);

    [[nodiscard]] const std::vector<TuningStep>& steps() const { return steps_; }

  private:
    results::File file_;
    std::vector<TuningStep> steps_;
};

} // namespace croupier::tournaments
