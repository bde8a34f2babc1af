// A game over all its runs: its numbers by revision and date, what has changed since a revision,
// and one list of ratings.
#pragma once

#include "results/compare/sweep.h"
#include "results/report/sections.h"
#include "results/statistics/ratings.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace croupier::results {

struct HistoryRun {
    std::string folder;
    std::string started;  // "2026-11-21T22:45:00Z"
    std::string revision; // "belote:contest annonces=off"; with a hash if the name has several
    std::string ruleset;  // hash
    std::string program;
    std::string machine;
    std::uint64_t seed = 0;
    std::uint64_t blocks = 0;
    std::uint64_t games = 0;
    bool repeated = false;         // another run has all its games: counted nowhere but for time
    std::optional<double> ns = {}; // CPU time of a game, if measured
    std::vector<Estimate> values = {}; // by metric of its series
};

// The time of a rule, or of all together, in a game: before, and in the newest revision. Each run
// of the machine that made the newest one counts once, since times differ more between runs than
// within one.
struct CostShift {
    std::string rule; // "belote: play/led"; empty for the whole game
    std::uint64_t runs_before = 0;
    std::uint64_t runs_now = 0;
    Estimate before; // ns
    Estimate now;
    Estimate difference;
    Judgement judgement; // corrected over the rules for false discoveries
};

// The runs of the same agents in the same seats, on the same terms.
struct HistorySeries {
    std::vector<std::string> agents;
    std::vector<SweptMetric> metrics;
    std::vector<HistoryRun> runs; // oldest first
    // A is the revision before, B the newest; absent if there is only one. Deals that both have
    // played are compared, others stand for themselves.
    std::optional<RevisionSummary> change;
    std::uint64_t blocks_before = 0; // that A has played
    std::uint64_t blocks_now = 0;
    std::uint64_t blocks_shared = 0;
    std::vector<CostShift> costs; // the whole game first; empty if not known
};

struct HistoryRating {
    std::string agent; // with a hash of its files, if there are several of the name
    std::uint64_t games = 0;
    Rating rating; // of games of all revisions, in one fit
};

struct History {
    std::string game;
    std::vector<HistorySeries> series;  // those with the most games first
    std::vector<HistoryRating> ratings; // best first; empty if no two agents have met
    std::string anchor;                 // empty for the mean
    double anchor_elo = 0;
};

std::vector<Section> sections_of(const History& history);
nlohmann::ordered_json json_of(const History& history);
// Tidy: a row for each run and metric.
std::string csv_of(const History& history);

// "rules:naive - random".
std::string title_of(const HistorySeries& series);
// The metrics that a table has room for: wins of all agents but the last of two, length, and draws
// if there are any.
std::vector<std::size_t> shown_metrics(const HistorySeries& series);

} // namespace croupier::results
