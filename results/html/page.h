// One HTML page of everything that is known of runs and comparisons; it needs nothing but itself.
#pragma once

#include "results/compare/ablation.h"
#include "results/compare/revisions.h"
#include "results/html/regret.h"
#include "results/html/replay.h"
#include "results/html/stop_course.h"
#include "results/report/report.h"
#include "results/report/tuning.h"
#include "results/statistics/spread.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace croupier::results {

// Where a chapter's numbers come from, as its folder says; what is empty is not shown.
struct Origin {
    std::string folder;  // as it was named
    std::string program; // "croupier 0.1.0"
    std::string time;    // when it was played: "2026-11-23T03:11:25Z"
    std::string machine;
    std::string command; // the command line
};

// A run, and what only its games tell.
struct RunChapter {
    Origin origin;
    Report report;
    std::vector<std::pair<std::string, Spread>> scores = {}; // by agent
    std::vector<StopCourse> courses = {};                    // of the stop rules
    std::vector<Replay> replays = {};
    std::optional<Regret> regret = {}; // where the run was analysed
    // The rules in report.costs as their authors wrote them; empty where there is no text.
    std::vector<std::string> rule_texts = {};
};

struct CompareChapter {
    Origin origin;
    RevisionSummary summary;
    std::vector<std::string> rules = {}; // what one says differently from the other, for people
};

struct AblateChapter {
    Origin origin;
    AblationSummary summary;
};

struct TuneChapter {
    Origin origin;
    TuningSummary summary;
    StopCourse course; // of the test that proves it
};

using Chapter = std::variant<RunChapter, CompareChapter, AblateChapter, TuneChapter>;

// The whole file. A function of its arguments: no clock, no version.
std::string html_page(std::span<const Chapter> chapters);

} // namespace croupier::results
