// The line that tells how a run is going.
#pragma once

#include "results/statistics/stop.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::results {

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

} // namespace croupier::results
