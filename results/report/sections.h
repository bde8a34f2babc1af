// A report for people, as titled paragraphs and tables; terminal and Markdown lay them out.
#pragma once

#include "results/costs/decision_times.h"
#include "results/record.h"
#include "results/report/layout.h"
#include "results/report/report.h"
#include "results/report/standings.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

// What agents did wrong, in a line.

// "bot 12 (crash 10, stall 2), other 1 (illegal 1)", most first: of faults that ended their games,
// or of those after which another agent has played on. Empty if there are none.
std::string faults_told(const Summary& summary, bool ended);

struct Section {
    std::string id;    // "standings": what programs and links find it by, whatever its title says
    std::string title; // may be empty
    Table table;       // may have no rows
    // Columns that may go where there is no room, the least important first.
    std::vector<std::size_t> spare;
    std::vector<std::string> notes; // paragraphs below
};

// "agent|>games|>95 %": a column each; those with > are aligned right.
Section begin_section(std::string id, std::string title = {}, std::string_view columns = {},
                      std::vector<std::size_t> spare = {});
void add_columns(Section& section, std::string_view titles);

// Bars of histograms are at most `bar_length` long.
std::vector<Section> sections_of(const Report& report, std::size_t bar_length);

// For a terminal, in `width` columns as far as it goes; and as Markdown. What could drive a
// terminal is made visible.
std::string table_text(std::span<const Section> sections, std::size_t width);
std::string markdown_text(std::span<const Section> sections);

// The table in at most `width` columns if leaving out spare columns can make it so.
LaidOut lay_out_within(const Section& section, std::size_t width);

// What agents take for a decision, as reports show it.

// `games`: of the run, of which the times may be only a part.
Section times_of(const TimeTable& times, const RunFacts& facts, std::uint64_t games);
nlohmann::ordered_json time_json(const TimeTable& times, const RunFacts& facts);

} // namespace croupier::results
