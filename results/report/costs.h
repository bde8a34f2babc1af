// The part of a report that tells what rules cost, in every format; render() is what others call.
#pragma once

#include "results/report/report.h"
#include "results/report/sections.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

namespace croupier::results {

class CsvRows;

// Rules by their own time, the dearest first; in full also phases and players, and what was never
// exercised.
std::vector<Section> cost_sections(const CostReport& report, const RunFacts& facts,
                                   Detail detail = Detail::Full);
// One row for each rule, phase and player.
nlohmann::ordered_json cost_json(const CostReport& report, const RunFacts& facts);
// A row for each number, rules never tried included.
void add_costs(CsvRows& rows, const CostReport& report, const RunFacts& facts);

// Notes of a table of costs: what it was made from, or why it is empty; a sentence each.
std::vector<std::string> cost_notes(const CostReport& report);
// What of the games' time is at a place, as cells: nanoseconds a game, its part, the interval of
// that.
void add_time(const CostTable& table, std::uint64_t ns, bool shared,
              std::vector<std::string>& cells);
// "lead", or "moves.lead" where there is another one; of an agent's rules "naive: lead".
std::string rule_title(const ProfileFacts& known, std::uint32_t rule, const RunFacts& facts);
// A part of its time that is worth a mark is work that it shares with other rules.
bool is_shared(const Cost& cost);
// What takes time beside rules, in nanoseconds, the dearest first; small parts in one.
std::vector<std::pair<std::string, std::uint64_t>> outside_parts(const CostTable& table);
// A rule and its place among all of them. Those that ticks cannot tell from the first of a rank
// have the same, and are tied.
struct RankedRule {
    std::uint32_t rule = 0;
    std::size_t rank = 1;
    bool tied = false;
};
std::vector<RankedRule> ranked_rules(const Costs& costs, bool by_time);
// The rules, dearest first; without times those with matches, tried most often. Equal ones as they
// are written.
std::vector<std::uint32_t> dearest_first(const Costs& costs, bool by_time);

} // namespace croupier::results
