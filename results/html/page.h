// One HTML page of everything that is known of runs and comparisons; it needs nothing but itself.
#pragma once

#include "results/compare/comparison.h"
#include "results/html/charts.h"
#include "results/html/markup.h"
#include "results/report/compared.h"
#include "results/report/report.h"
#include "results/statistics/histogram.h"
#include "results/statistics/means.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace croupier::results {

// Games to be looked at move by move, as plain values: whoever can play them fills these in.

struct ReplayFrame {
    std::string player; // whose move led here; empty: the beginning
    std::string move;
    std::uint64_t legal = 0;          // how many moves there were to choose from
    std::string scene;                // the position afterwards, as JSON: README.md has its members
    std::vector<std::string> log;     // why: what the agent, or rules, had to say
    std::vector<std::string> refused; // moves that are not legal here, and why, in lines
};

struct Replay {
    std::uint64_t block = 0;
    std::uint32_t game = 0;
    std::string why;                // it is shown: "the longest"
    std::string problem;            // why it could not be played again; then there are no frames
    std::vector<std::string> seats; // "A: rules:naive"
    std::vector<ReplayFrame> frames;
    std::uint32_t plies = 0; // of the whole game, of which `frames` may be the beginning
    std::string ending;      // "over: A 1 point, place 1; ..."
};

// What the moves of a run have lost, as croupier analyse keeps it with the run: read from its JSON,
// and a section of a page.

inline constexpr std::string_view kAnalysisFile = "analysis.json"; // in the folder of a run

struct RegretRow {
    std::string agent;
    std::uint64_t decisions = 0;
    std::uint64_t mistakes = 0;
    Estimate loss;  // points a decision
    Estimate known; // of what could be known; without a value where no deals were drawn
};

struct BlunderRow {
    std::string game; // "3.1"
    std::uint64_t ply = 0;
    std::string agent;
    std::string player;
    std::string move;
    std::string best;
    double loss = 0;
};

struct Regret {
    std::uint64_t plies = 0; // solved where no more were to come
    std::uint64_t worlds = 0;
    std::uint64_t games = 0;
    std::vector<RegretRow> agents;
    std::vector<BlunderRow> blunders; // the worst first
};

// Nothing if it is no such document.
std::optional<Regret> regret_of(const nlohmann::ordered_json& json);

// Blunders lead to the game, where it is among those that the page shows; else the command of
// `folder` is told.
void add_regret(Outline& outline, const Regret& regret, std::span<const Replay> replays,
                const std::string& folder);

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
