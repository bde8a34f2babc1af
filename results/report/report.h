// A run as text in one of several formats. Nothing here prints.
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

// The progress line of a run.

struct Progress {
    std::uint64_t games = 0;
    std::optional<std::uint64_t> games_planned; // absent until a stop rule or the caller sets it
    double seconds = 0;                         // since the start
    std::uint64_t games_before = 0;             // of `games`, those of an earlier run: not timed
    std::vector<std::pair<std::string, double>> standing; // names and scores, best first
    std::optional<StopStatus> stop;
    std::vector<std::string> told; // other changing values
};

// One line without a newline, at most `width` columns: games done, rate, time left, standing, LLR.
// Omits the least important parts if there is no room. Width 0 is unlimited; else at least 2.
std::string progress_line(const Progress& progress, std::size_t width = 0);

// "4 s", "3 min 20 s", "2 h 05 min"
std::string duration(double seconds);

enum class Format { Table, Json, Csv, Markdown, Autoplay };

// "table", "json", "csv", "markdown", "autoplay".
std::vector<std::string> format_names();
std::optional<Format> format_of(std::string_view name);

// Facts that the runner knows and records do not contain. Not a function of the seed: excluded from
// byte-identical output unless filled in.
struct RunStatus {
    std::optional<double> seconds;  // wall time of the games reported
    std::optional<StopStatus> stop; // of the stop rule, if there is one
    std::string ended;              // "interrupted", "all games played"; empty if unknown
};

// The costs of rules in a report.
struct CostReport {
    Costs costs;
    bool has_times = true;     // false for only counts, which are a function of the seed
    bool coverage = false;     // also show what was never exercised
    std::string missing;       // why costs are unknown; empty if they are known
    std::string each = "game"; // the unit of work
};

struct Report {
    Summary summary;
    RunStatus status;
    std::optional<CostReport> costs = {}; // absent if not requested
    std::optional<TimeTable> times = {};  // absent if not requested or not measured
};

// The detail of a table: the winner and the effort; one screen, with the dearest rules; everything.
enum class Detail { Brief, Summary, Full };

Report make_report(Standings& standings, RunStatus status = {});

// Ends in a newline. `width` is for tables only, which drop their least important columns before
// they become wider. The text never contains terminal control characters.
std::string render(const Report& report, Format format, std::size_t width = 80,
                   Detail detail = Detail::Full);

} // namespace croupier::results
