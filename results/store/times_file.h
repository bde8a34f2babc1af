// times.csv: how long agents took for their decisions, as far as it was measured.
#pragma once

#include "results/costs/decision_times.h"
#include "results/record.h"
#include "results/store/file.h"

#include <span>
#include <string>
#include <string_view>

namespace croupier::results {

inline constexpr std::string_view kTimesFile = "times.csv";

// A row for each agent on each seat that has made a decision.
std::string times_text(const TimeTable& times, const RunFacts& facts);

// The same of several rulesets or agents that were played on the same deals: a column `variant`
// comes first.
struct VariantTimes {
    std::string variant;
    TimeTable times;
};
std::string variant_times_text(std::span<const VariantTimes> variants, const RunFacts& facts);

// Reads the folder's file into a table of all agents and seats; without a file nothing was
// measured. The failure names file and line.
Failure read_times_file(const std::string& folder, const RunFacts& facts, TimeTable& times);

} // namespace croupier::results
