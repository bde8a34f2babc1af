// A tuning: where each value went, and whether it is worth it.
#include "results/html/chapters.h"

#include "results/html/charts.h"
#include "results/report/tuning.h"

#include <fmt/format.h>

namespace croupier::results {

std::string title_of(const TuneChapter& chapter) {
    return fmt::format("{}: {} tuned", chapter.summary.game, chapter.summary.agent);
}

std::vector<std::string> summary_of(const TuneChapter& chapter) {
    return sections_of(chapter.summary).front().notes;
}

void add_chapter(Outline& outline, const TuneChapter& chapter) {
    for (const Section& section : sections_of(chapter.summary)) {
        if (section.id == "summary") continue;
        outline.begin(section.id, headline(section.title), Weight::Answer);
        if (section.id == "proof") {
            outline.page().raw(course_chart({"llr", "LLR"}, chapter.course));
        } else {
            outline.add_table(section, false);
            for (const TunedValue& value : chapter.summary.values) {
                const std::string chart = value_chart(value);
                if (chart.empty()) continue;
                outline.heading("Where " + value.name + " went");
                outline.page().raw(chart);
            }
        }
        outline.add_notes(section);
        outline.end();
    }
}

} // namespace croupier::results
