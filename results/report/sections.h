// A report for people, as titled paragraphs and tables; terminal and Markdown lay them out.
#pragma once

#include "results/report/layout.h"
#include "results/report/report.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace croupier::results {

struct Section {
    std::string id;    // "standings": what programs and links find it by, whatever its title says
    std::string title; // may be empty
    Table table;       // may have no rows
    // Columns that may go where there is no room, the least important first.
    std::vector<std::size_t> spare;
    std::vector<std::string> notes; // paragraphs below
};

// Bars of histograms are at most `bar_length` long.
std::vector<Section> sections_of(const Report& report, std::size_t bar_length);

// For a terminal, in `width` columns as far as it goes; and as Markdown. What could drive a
// terminal is made visible.
std::string table_text(std::span<const Section> sections, std::size_t width);
std::string markdown_text(std::span<const Section> sections);

// The table in at most `width` columns if leaving out spare columns can make it so.
LaidOut lay_out_within(const Section& section, std::size_t width);

} // namespace croupier::results
