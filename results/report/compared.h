// Comparisons, ablations, sweeps and tunings as text, in the formats of reports.
#pragma once

#include "results/compare/comparison.h"
#include "results/compare/sweep.h"
#include "results/report/sections.h"
#include "results/statistics/means.h"
#include "results/statistics/stop.h"
#include "results/store/file.h"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

std::vector<Section> sections_of(const RevisionSummary& summary);
nlohmann::ordered_json json_of(const RevisionSummary& summary);
std::string csv_of(const RevisionSummary& summary);

std::vector<Section> sections_of(const AblationSummary& summary);
nlohmann::ordered_json json_of(const AblationSummary& summary);
std::string csv_of(const AblationSummary& summary);

std::vector<Section> sections_of(const SweepSummary& summary);
nlohmann::ordered_json json_of(const SweepSummary& summary);
// Tidy: a row for each point and metric.
std::string csv_of(const SweepSummary& summary);
// How many of those sought are the first metrics: all, unless no game had one.
std::size_t known_sought(const SweepSummary& summary);
// The metrics that differ between points, as far as a table has room; what is sought first.
std::vector<std::size_t> shown_metrics(const SweepSummary& summary);
// The value in the metric's unit.
std::string value_text(const SweptMetric& metric, std::optional<double> value);

// Version of the JSON; readers refuse others.
inline constexpr int kComparedFormat = 1;
inline constexpr const char* kGamesToDecide = "Undecided: in brackets the games of each that would "
                                              "give 80 % power at the observed difference.";
// "play.pair", "play/5/action/0".
std::string cost_title(const CostChange& change);
// "[0.98, 1.04]", of the ratio.
std::string ratio_interval(const CostChange& change);
// "undecided (12000)"; only the words if the number is unknown.
std::string with_games(const std::string& words, std::optional<double> games_to_decide);
// "higher"; if undecided, with the games needed: "undecided (12000)".
std::string verdict_text(const Judgement& judgement, std::optional<double> games_to_decide);

// Reads comparisons, ablations and sweeps back from their JSON.

// "compare", "ablate" or "sweep", by the contents of the JSON; nothing if it is none.
std::optional<std::string> kind_of_compared(const nlohmann::ordered_json& json);

// The failure says what is missing, or which format it has; `name` identifies the text.
Failure read_compared(const std::string& name, const nlohmann::ordered_json& json,
                      RevisionSummary& into);
Failure read_compared(const std::string& name, const nlohmann::ordered_json& json,
                      AblationSummary& into);
Failure read_compared(const std::string& name, const nlohmann::ordered_json& json,
                      SweepSummary& into);

inline constexpr std::string_view kCompareFile = "compare.json";
inline constexpr std::string_view kAblateFile = "ablate.json";
inline constexpr std::string_view kSweepFile = "sweep.json";
inline constexpr std::array kComparedFiles{kCompareFile, kAblateFile, kSweepFile};
// Whether it is the name of one of these without its ending, which is that of a command.
bool is_compared(std::string_view kind);

// ---- the result of a tuning --------------------------------------------------------------------

// A parameter and the course of its value.
struct TunedValue {
    std::string name;
    double start = 0;
    double tuned = 0; // rounded as the agent needs it
    double least = 0;
    double greatest = 0;
    struct Point {
        std::uint64_t blocks = 0;
        double value = 0;
    };
    std::vector<Point> course;
};

// The tuned agent against the original one, on deals not used for tuning.
struct TuningProof {
    StopStatus status; // of the sequential test
    Estimate score;    // per block: 0.5 if both are equal
    std::uint64_t blocks = 0;
    std::uint64_t most_blocks = 0; // limit after which it ends undecided
};

struct TuningSummary {
    std::string game;
    std::string agent;                // as the user named it
    std::string tuned;                // with the tuned values
    std::vector<std::string> against; // empty if it played itself with other values
    double worth = 0;                 // points that count as a win; 0 if tuned to win
    std::uint64_t seed = 0;
    std::uint64_t blocks = 0; // played so far, of
    std::uint64_t wanted = 0;
    std::vector<TunedValue> values;
    bool unchanged = false; // rounded, the values equal those of the start
    std::optional<TuningProof> proof;
};

// "stronger", "not stronger", "undecided".
std::string verdict_of(const TuningProof& proof);

std::vector<Section> sections_of(const TuningSummary& summary);
nlohmann::ordered_json json_of(const TuningSummary& summary);
std::string csv_of(const TuningSummary& summary);

} // namespace croupier::results
