// The part of a report about the costs of rules, in every format; callers use render().
#pragma once

#include "results/report/report.h"
#include "results/report/sections.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

namespace croupier::results {

class CsvRows;

// Rules sorted by own time; in full also phases and players, and what was never exercised.
std::vector<Section> cost_sections(const CostReport& report, const RunFacts& facts,
                                   Detail detail = Detail::Full);
// One row per rule, phase and player.
nlohmann::ordered_json cost_json(const CostReport& report, const RunFacts& facts);
// One row per number, including rules never tried.
void add_costs(CsvRows& rows, const CostReport& report, const RunFacts& facts);

// Notes for a table of costs, a sentence each: its source, or why it is empty.
std::vector<std::string> cost_notes(const CostReport& report);
// The time at a place as table cells: nanoseconds per game, the share, and its interval.
void add_time(const CostTable& table, std::uint64_t ns, bool shared,
              std::vector<std::string>& cells);
// "lead", or "moves.lead" if the name is not unique; for an agent's rule "naive: lead".
std::string rule_title(const ProfileFacts& known, std::uint32_t rule, const RunFacts& facts);
// Whether enough of its time is work shared with other rules to mark it.
bool is_shared(const Cost& cost);
// Other time in nanoseconds, sorted, with small parts combined.
std::vector<std::pair<std::string, std::uint64_t>> outside_parts(const CostTable& table);
// A rule and its rank. Rules that ticks cannot distinguish from the first of a rank share it, and
// are tied.
struct RankedRule {
    std::uint32_t rule = 0;
    std::size_t rank = 1;
    bool tied = false;
};
std::vector<RankedRule> ranked_rules(const Costs& costs, bool by_time);
// The rules sorted by own time, or without times those with matches by tries. Equal ones stay in
// source order.
std::vector<std::uint32_t> dearest_first(const Costs& costs, bool by_time);

} // namespace croupier::results
