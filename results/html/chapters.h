// The parts of a page, each in a file of its own; html_page() is what others call.
#pragma once

#include "results/html/markup.h"
#include "results/html/page.h"
#include "results/report/sections.h"

#include <string>

namespace croupier::results {

std::string title_of(const RunChapter& chapter);
std::string title_of(const CompareChapter& chapter);
std::string title_of(const AblateChapter& chapter);

void add_chapter(Markup& page, const RunChapter& chapter);
void add_chapter(Markup& page, const CompareChapter& chapter);
void add_chapter(Markup& page, const AblateChapter& chapter);

// A section of a report: its notes, and its table, which scrolls by itself where it is too wide.
// With a chart, the table can be opened below it.
void add_section(Markup& page, const Section& section, const std::string& chart = {});

// The games, of which one is seen at a time, and the data that the script steps through.
void add_viewer(Markup& page, std::span<const Replay> replays);

} // namespace croupier::results
