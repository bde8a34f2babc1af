// A self-contained HTML page of runs and comparisons.
#pragma once

#include "results/compare/comparison.h"
#include "results/html/charts.h"
#include "results/html/markup.h"
#include "results/report/compared.h"
#include "results/report/history.h"
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

// Games to look at move by move, as plain values, filled in by code that can play them.

struct ReplayFrame {
    std::string player; // who made the move that led here; empty at the beginning
    std::string move;
    std::uint64_t legal = 0;          // number of legal moves
    std::string scene;                // the position after the move, as JSON: see README.md
    std::vector<std::string> log;     // reasons given by the agent, or by rules
    std::vector<std::string> refused; // illegal moves with reasons, one per line
};

struct Replay {
    std::uint64_t block = 0;
    std::uint32_t game = 0;
    std::string why;                // why it is shown: "the longest"
    std::string problem;            // why it could not be replayed; then there are no frames
    std::vector<std::string> seats; // "A: rules:naive"
    std::vector<ReplayFrame> frames;
    std::uint32_t plies = 0; // of the whole game; `frames` may be only its beginning
    std::string ending;      // "over: A 1 point, place 1; ..."
};

// What the moves of a run lost: the JSON that croupier analyse keeps in the run's folder, and a
// section of a page.

inline constexpr std::string_view kAnalysisFile = "analysis.json"; // in a run's folder

struct RegretRow {
    std::string agent;
    std::uint64_t decisions = 0;
    std::uint64_t mistakes = 0;
    Estimate loss;  // points per decision
    Estimate known; // against what could be known; no value if no deals were drawn
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
    std::uint64_t plies = 0; // solved with at most that many moves to come
    std::uint64_t worlds = 0;
    std::uint64_t games = 0;
    std::vector<RegretRow> agents;
    std::vector<BlunderRow> blunders; // worst first
};

// Nothing if the document has another form.
std::optional<Regret> regret_of(const nlohmann::ordered_json& json);

// Blunders link to the game if the page shows it; otherwise the section gives the command for
// `folder`.
void add_regret(Outline& outline, const Regret& regret, std::span<const Replay> replays,
                const std::string& folder);

// Where a chapter's numbers come from, as its folder says; empty members are not shown.
struct Origin {
    std::string folder;  // as the user named it
    std::string program; // "croupier 0.1.0"
    std::string time;    // when it was played: "2026-11-23T03:11:25Z"
    std::string machine;
    std::string command; // the command line
};

// A run, with facts from its games.
struct RunChapter {
    Origin origin;
    Report report;
    std::vector<std::pair<std::string, Spread>> scores = {}; // by agent
    std::vector<StopCourse> courses = {};                    // one per stop rule
    std::vector<Replay> replays = {};
    std::optional<Regret> regret = {}; // if the run was analysed
    // Source texts of the rules in report.costs; empty if unknown.
    std::vector<std::string> rule_texts = {};
};

struct CompareChapter {
    Origin origin;
    RevisionSummary summary;
    std::vector<std::string> rules = {}; // how one differs from the other, for people
};

struct AblateChapter {
    Origin origin;
    AblationSummary summary;
};

struct SweepChapter {
    Origin origin;
    SweepSummary summary;
};

struct TuneChapter {
    Origin origin;
    TuningSummary summary;
    StopCourse course; // of the test that proves the tuning
};

struct HistoryChapter {
    Origin origin; // of no single folder
    History summary;
};

using Chapter = std::variant<RunChapter, CompareChapter, AblateChapter, SweepChapter, TuneChapter,
                             HistoryChapter>;

// The whole file. A function of its arguments: no clock, no version.
std::string html_page(std::span<const Chapter> chapters);

} // namespace croupier::results
