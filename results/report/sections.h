// A report as titled paragraphs and tables, for terminal and Markdown, and as JSON and CSV for
// programs. Callers use render().
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

// The agents' faults, in one line.

// "bot 12 (crash 10, stall 2), other 1 (illegal 1)", most first: faults that ended games, or faults
// after which another agent played on. Empty if there are none.
std::string faults_told(const Summary& summary, bool ended);

struct Section {
    std::string id;    // "standings": fixed id for programs and links
    std::string title; // may be empty
    TextTable table;   // may have no rows
    // Columns that may be dropped for lack of room, the least important first.
    std::vector<std::size_t> spare;
    std::vector<std::string> notes; // paragraphs below
};

// "agent|>games|>95 %": one column each; > aligns right.
Section begin_section(std::string id, std::string title = {}, std::string_view columns = {},
                      std::vector<std::size_t> spare = {});
void add_columns(Section& section, std::string_view titles);

// Bars of histograms have at most `bar_length` characters.
std::vector<Section> sections_of(const Report& report, std::size_t bar_length,
                                 Detail detail = Detail::Full);

// For a terminal, within `width` columns if possible; and as Markdown. Terminal control characters
// are made visible.
std::string table_text(std::span<const Section> sections, std::size_t width);
std::string markdown_text(std::span<const Section> sections);

// The table in at most `width` columns, if dropping spare columns is enough.
LaidOut lay_out_within(const Section& section, std::size_t width);

// Decision times of agents, as reports show them.

// `games` is the run's number; the times may cover only a part.
Section times_of(const TimeTable& times, const RunFacts& facts, std::uint64_t games);
nlohmann::ordered_json time_json(const TimeTable& times, const RunFacts& facts);

// A report of one run, with the name of the run.
struct RunText {
    std::string run;
    std::string text;
};

// Several CSV reports as one: one header, with a column `run` before the others.
std::string csv_of_runs(std::span<const RunText> runs);

// Rows of CSV reports: one number per row, so that a new number needs no new column. Names are
// quoted if necessary.
class CsvRows {
  public:
    // Adds a number, null or a boolean; or an estimate as value, error, low and high.
    void add(std::string_view section, const std::string& name, const std::string& other,
             std::string_view metric, const nlohmann::ordered_json& value);
    // Adds a row for each of these members that exists, named as the member.
    void take(std::string_view section, const std::string& name, const std::string& other,
              const nlohmann::ordered_json& from, std::initializer_list<const char*> members);
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_ = "section,name,other,metric,value,error,low,high\n";
};

// JSON numbers: undefined ones are null.

nlohmann::ordered_json number_json(std::optional<double> value);
nlohmann::ordered_json number_json(std::optional<std::uint64_t> value);
nlohmann::ordered_json estimate_json(const Estimate& value);

// results/README.md lists the members, and the rows.
nlohmann::ordered_json json_of(const Report& report);
std::string csv_of(const Report& report);

} // namespace croupier::results
