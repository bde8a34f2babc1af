// Comparisons and ablations as text, in the formats of reports.
#pragma once

#include "results/compare/comparison.h"
#include "results/report/sections.h"
#include "results/store/file.h"

#include <nlohmann/json_fwd.hpp>

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

// Of the JSON; whoever reads it back refuses others.
inline constexpr int kComparedFormat = 1;
inline constexpr const char* kGamesToDecide =
    "Undecided: in brackets how many games of each would decide, four times in five, were the "
    "difference what it seems.";
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

} // namespace croupier::results
