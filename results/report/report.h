// A run as text, in one of several formats. Nothing here prints.
#pragma once

#include "results/costs/cost.h"
#include "results/report/standings.h"
#include "results/statistics/stop.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::results {

// The line that tells how a run is going.

struct Progress {
    std::uint64_t games = 0;
    std::optional<std::uint64_t> games_planned; // absent: until a stop rule or somebody says so
    double seconds = 0;                         // since the start
    std::uint64_t games_before = 0;             // of `games`, played by an earlier run: not timed
    std::vector<std::pair<std::string, double>> standing; // names and scores, best first
    std::optional<StopStatus> stop;
    std::vector<std::string> told; // whatever else changes on the way
};

// One line without a newline, at most `width` columns: games done, rate, time left, standing, LLR.
// What is least missed goes first where there is no room. 0 is any width; else at least 2.
std::string progress_line(const Progress& progress, std::size_t width = 0);

// "4 s", "3 min 20 s", "2 h 05 min"
std::string duration(double seconds);

enum class Format { Table, Json, Csv, Markdown, Autoplay };

// "table", "json", "csv", "markdown", "autoplay".
std::vector<std::string> format_names();
std::optional<Format> format_of(std::string_view name);

// What the runner knows and records do not. Not a function of the seed: kept out of what must be
// the same bytes, unless it is filled in.
struct RunStatus {
    std::optional<double> seconds;  // wall time of the games that are reported
    std::optional<StopStatus> stop; // of the stop rule, if there is one
    std::string ended;              // "interrupted", "all games played"; empty: not said
};

// What rules cost, as a report shows it.
struct CostReport {
    Costs costs;
    bool has_times = true;     // false: counts alone, which are a function of the seed
    bool coverage = false;     // what was never exercised is to be told, too
    std::string missing;       // why nothing is known of costs; empty: it is
    std::string each = "game"; // what is run
};

struct Report {
    Summary summary;
    RunStatus status;
    std::optional<CostReport> costs = {}; // absent: nobody asks
    std::optional<TimeTable> times = {};  // absent: nobody asks, or nothing was measured
};

// How much a table tells: who won and what it took; on one screen, with the dearest rules; all.
enum class Detail { Brief, Summary, Full };

Report make_report(Standings& standings, RunStatus status = {});

// Ends in a newline. `width` is for tables only, which leave out their least important columns
// before they become wider; the text never contains what could drive a terminal.
std::string render(const Report& report, Format format, std::size_t width = 80,
                   Detail detail = Detail::Full);

} // namespace croupier::results
