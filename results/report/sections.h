// A report for people, as titled paragraphs and tables, which terminal and Markdown lay out; and
// for programs, as JSON and CSV. render() is what others call.
#pragma once

#include "results/costs/cost.h"
#include "results/record.h"
#include "results/report/layout.h"
#include "results/report/report.h"
#include "results/report/standings.h"
#include "results/statistics/means.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
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
    TextTable table;   // may have no rows
    // Columns that may go where there is no room, the least important first.
    std::vector<std::size_t> spare;
    std::vector<std::string> notes; // paragraphs below
};

// "agent|>games|>95 %": a column each; those with > are aligned right.
Section begin_section(std::string id, std::string title = {}, std::string_view columns = {},
                      std::vector<std::size_t> spare = {});
void add_columns(Section& section, std::string_view titles);

// Bars of histograms are at most `bar_length` long.
std::vector<Section> sections_of(const Report& report, std::size_t bar_length,
                                 Detail detail = Detail::Full);

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

// What a report says of one run, and which run that is.
struct RunText {
    std::string run;
    std::string text;
};

// Several reports in CSV as one: one header, with a column `run` before the others.
std::string csv_of_runs(std::span<const RunText> runs);

// Rows of the CSV that reports are: one number a row, so that a new number is not a new column.
// Names are quoted where they must be.
class CsvRows {
  public:
    // A number, null or a truth; or an estimate, of which it takes value, error, low and high.
    void add(std::string_view section, const std::string& name, const std::string& other,
             std::string_view metric, const nlohmann::ordered_json& value);
    // A row for each of these members that there is, called as they are.
    void take(std::string_view section, const std::string& name, const std::string& other,
              const nlohmann::ordered_json& from, std::initializer_list<const char*> members);
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_ = "section,name,other,metric,value,error,low,high\n";
};

// Numbers as JSON has them: what is undefined is null.

nlohmann::ordered_json number_json(std::optional<double> value);
nlohmann::ordered_json number_json(std::optional<std::uint64_t> value);
nlohmann::ordered_json estimate_json(const Estimate& value);

// results/README.md lists the members, and the rows.
nlohmann::ordered_json json_of(const Report& report);
std::string csv_of(const Report& report);

} // namespace croupier::results
