// A run as text, in one of several formats. Nothing here prints.
#pragma once

#include "results/costs/cost.h"
#include "results/costs/decision_times.h"
#include "results/report/standings.h"
#include "results/report/summary.h"
#include "results/statistics/stop.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

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

Report make_report(Standings& standings, RunStatus status = {});

// Ends in a newline. `width` is for tables only, which leave out their least important columns
// before they become wider; the text never contains what could drive a terminal.
std::string render(const Report& report, Format format, std::size_t width = 80);

} // namespace croupier::results
