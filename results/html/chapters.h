// The chapters of a page; callers use html_page().
#pragma once

#include "results/html/markup.h"
#include "results/html/page.h"
#include "results/report/compared.h"

#include <span>
#include <string>
#include <vector>

namespace croupier::results {

std::string title_of(const RunChapter& chapter);
std::string title_of(const CompareChapter& chapter);
std::string title_of(const AblateChapter& chapter);
std::string title_of(const SweepChapter& chapter);
std::string title_of(const TuneChapter& chapter);
std::string title_of(const HistoryChapter& chapter);

// The lines below the title: players and number of games.
std::vector<std::string> summary_of(const RunChapter& chapter);
template <class Any>
std::vector<std::string> summary_of(const Any& chapter) {
    return sections_of(chapter.summary).front().notes;
}

void add_chapter(Outline& outline, const RunChapter& chapter);
void add_chapter(Outline& outline, const CompareChapter& chapter);
void add_chapter(Outline& outline, const AblateChapter& chapter);
void add_chapter(Outline& outline, const SweepChapter& chapter);
void add_chapter(Outline& outline, const TuneChapter& chapter);
void add_chapter(Outline& outline, const HistoryChapter& chapter);

// The games, shown one at a time, and the data that the script steps through.
void add_viewer(Outline& outline, std::span<const Replay> replays);

} // namespace croupier::results
