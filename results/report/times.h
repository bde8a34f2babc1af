// What agents take for a decision, as reports show it.
#pragma once

#include "results/costs/decision_times.h"
#include "results/record.h"
#include "results/report/layout.h"
#include "results/report/sections.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace croupier::results {

// `games`: of the run, of which the times may be only a part.
Section times_of(const TimeTable& times, const RunFacts& facts, std::uint64_t games);
nlohmann::ordered_json time_json(const TimeTable& times, const RunFacts& facts);
// One number at a time: agent, metric, value; times in nanoseconds.
void time_numbers(
    const TimeTable& times, const RunFacts& facts,
    const std::function<void(const std::string&, const char*, std::optional<double>)>& take);

} // namespace croupier::results
