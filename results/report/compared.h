// Comparisons, ablations and tunings as text, in the formats of reports.
#pragma once

#include "results/compare/comparison.h"
#include "results/report/sections.h"
#include "results/statistics/means.h"
#include "results/statistics/stop.h"
#include "results/store/file.h"

#include <nlohmann/json_fwd.hpp>

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

// The version of the JSON; its readers refuse others.
inline constexpr int kComparedFormat = 1;
inline constexpr const char* kGamesToDecide = "Undecided: in brackets the games of each that would "
                                              "give 80 % power at the observed difference.";
// "play.pair", "play/5/action/0".
std::string cost_title(const CostChange& change);
// "[0.98, 1.04]", of its ratio.
std::string ratio_interval(const CostChange& change);
// "undecided (12000)"; the words alone where no number is known.
std::string with_games(const std::string& words, std::optional<double> games_to_decide);
// "higher"; where undecided, how many games it would take: "undecided (12000)".
std::string verdict_text(const Judgement& judgement, std::optional<double> games_to_decide);

// Comparisons and ablations read back from the JSON that they were written as.

// "compare", "ablate": what a text of JSON holds; nothing if it is neither.
std::optional<std::string> kind_of_compared(const nlohmann::ordered_json& json);

// The failure says what is missing, or which format it has; `name` stands for the text.
Failure read_compared(const std::string& name, const nlohmann::ordered_json& json,
                      RevisionSummary& into);
Failure read_compared(const std::string& name, const nlohmann::ordered_json& json,
                      AblationSummary& into);

inline constexpr std::string_view kCompareFile = "compare.json";
inline constexpr std::string_view kAblateFile = "ablate.json";

// ---- what tuning an agent has come to -----------------------------------------------------------

// A parameter, and where its value has gone.
struct TunedValue {
    std::string name;
    double start = 0;
    double tuned = 0; // as an agent is given it
    double least = 0;
    double greatest = 0;
    struct Point {
        std::uint64_t blocks = 0;
        double value = 0;
    };
    std::vector<Point> course;
};

// The tuned agent against the one that it began as, on deals that nothing was tuned with.
struct TuningProof {
    StopStatus status; // of the sequential test
    Estimate score;    // a block: 0.5 if both are as strong
    std::uint64_t blocks = 0;
    std::uint64_t most_blocks = 0; // then it ends, decided or not
};

struct TuningSummary {
    std::string game;
    std::string agent;                // as it was named
    std::string tuned;                // with the values that were found
    std::vector<std::string> against; // empty: itself, with other values
    double worth = 0;                 // points that count as a win; 0: it was tuned to win
    std::uint64_t seed = 0;
    std::uint64_t blocks = 0; // played of
    std::uint64_t wanted = 0;
    std::vector<TunedValue> values;
    bool unchanged = false; // rounded, the values are those of the start
    std::optional<TuningProof> proof;
};

// "stronger", "not stronger", "undecided".
std::string verdict_of(const TuningProof& proof);

std::vector<Section> sections_of(const TuningSummary& summary);
nlohmann::ordered_json json_of(const TuningSummary& summary);
std::string csv_of(const TuningSummary& summary);

} // namespace croupier::results
