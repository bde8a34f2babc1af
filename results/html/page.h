// One HTML page of everything that is known of runs and comparisons; it needs nothing but itself.
#pragma once

#include "results/compare/ablation.h"
#include "results/compare/revisions.h"
#include "results/html/replay.h"
#include "results/report/report.h"
#include "results/statistics/spread.h"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace croupier::results {

// A run, and what only its games tell.
struct RunChapter {
    std::string source; // the folder it was read from
    Report report;
    std::vector<std::pair<std::string, Spread>> scores; // by agent
    std::vector<Replay> replays;
};

struct CompareChapter {
    std::string source;
    RevisionSummary summary;
    std::vector<std::string> rules; // what one says differently from the other, for people
};

struct AblateChapter {
    std::string source;
    AblationSummary summary;
};

using Chapter = std::variant<RunChapter, CompareChapter, AblateChapter>;

// The whole file. A function of its arguments: no clock, no version.
std::string html_page(std::span<const Chapter> chapters);

} // namespace croupier::results
