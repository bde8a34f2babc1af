// What agents take for a decision, as reports show it.
#pragma once

#include "results/costs/decision_times.h"
#include "results/record.h"
#include "results/report/layout.h"
#include "results/report/sections.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>
#include <string>

namespace croupier::results {

Section times_of(const TimeTable& times, const RunFacts& facts);
nlohmann::ordered_json time_json(const TimeTable& times, const RunFacts& facts);
// One number at a time: agent, metric, value; times in nanoseconds.
void time_numbers(
    const TimeTable& times, const RunFacts& facts,
    const std::function<void(const std::string&, const char*, std::optional<double>)>& take);

} // namespace croupier::results
