// Terminal, Markdown and AutoPlay formats; see report.h.
#include "results/report/report.h"

#include "results/report/layout.h"
#include "results/report/numbers.h"
#include "results/report/sections.h"
#include "results/store/json_field.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

namespace croupier::results {

namespace {

// Part of the progress line.
struct Part {
    std::string text;
    int rank; // the highest is dropped first
};

std::string ratio_of(const StopStatus& stop) {
    if (stop.rule == "sprt")
        return fmt::format("LLR {} [{:.2f}, {:.2f}]", fixed(stop.value, 2), stop.low, stop.high);
    return fmt::format("{} {} of {:.4g}", stop.rule, fixed(stop.value, 4), stop.high);
}

std::vector<Part> parts_of(const Progress& progress) {
    std::vector<Part> parts;
    const double played = static_cast<double>(progress.games - progress.games_before);
    const double rate = progress.seconds > 0 ? played / progress.seconds : 0;
    if (progress.games_planned) {
        parts.push_back({fmt::format("{}/{} games", progress.games, *progress.games_planned), 0});
        if (*progress.games_planned > 0)
            parts.push_back(
                {fmt::format("{} %", 100 * progress.games / *progress.games_planned), 6});
    } else {
        parts.push_back({counted(progress.games, "game"), 0});
    }
    if (rate > 0) parts.push_back({fmt::format("{:.{}f}/s", rate, rate < 10 ? 1 : 0), 3});
    if (rate > 0 && progress.games_planned && progress.games < *progress.games_planned) {
        const auto left = static_cast<double>(*progress.games_planned - progress.games);
        parts.push_back({duration(left / rate) + " left", 1});
    }
    int rank = 4; // the leader is more important than the others
    for (const auto& [name, share] : progress.standing) {
        parts.push_back({fmt::format("{} {}", printable(name), percent(share)), rank});
        rank = std::min(rank + 1, 5);
    }
    for (const std::string& each : progress.told)
        parts.push_back({printable(each), 4});
    if (progress.stop) parts.push_back({ratio_of(*progress.stop), 2});
    return parts;
}

std::string joined(const std::vector<Part>& parts) {
    std::string line;
    for (const Part& part : parts)
        line += (line.empty() ? "" : "  ") + part.text;
    return line;
}

constexpr std::size_t kMarkdownBar = 30;

constexpr auto kFormatNames =
    std::to_array<std::string_view>({"table", "json", "csv", "markdown", "autoplay"});
static_assert(kFormatNames.size() == static_cast<std::size_t>(Format::Autoplay) + 1);

void add_lines(std::string& text, const std::vector<std::string>& lines, std::size_t indent) {
    for (const std::string& line : lines)
        text += (line.empty() ? line : std::string(indent, ' ') + line) + "\n";
}

// Escapes characters that would end a cell or start markup.
std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (std::string_view("\\|*_`<>[]").find(c) != std::string_view::npos) result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result;
}

std::string markdown_row(const std::vector<std::string>& cells) {
    std::string line = "|";
    for (const std::string& cell : cells)
        line += " " + escaped(cell) + " |";
    return line + "\n";
}

std::string as_table(const Report& report, std::size_t width, Detail detail) {
    constexpr std::size_t kBesideBars = 30; // for the labels of bars
    const std::size_t bars = std::clamp<std::size_t>(width, kBesideBars + 10, 80) - kBesideBars;
    return table_text(sections_of(report, bars, detail), width);
}

// A name in the form of Axiom's AutoPlay: "Random" for the agents `random` and `random#2`, as
// numbers distinguish the players there.
std::string autoplay_name(const std::string& name, const std::vector<ContestantRow>& rows) {
    std::string shown = name;
    const std::size_t mark = name.rfind('#');
    if (mark != std::string::npos &&
        name.find_first_not_of("0123456789", mark + 1) >= name.size()) {
        const bool twin = std::ranges::any_of(
            rows, [&](const ContestantRow& row) { return row.name == name.substr(0, mark); });
        shown.resize(twin ? mark : name.size());
    }
    if (!shown.empty() && shown[0] >= 'a' && shown[0] <= 'z')
        shown[0] = static_cast<char>(shown[0] - 'a' + 'A');
    return shown;
}

std::string as_autoplay(const Summary& summary) {
    const auto& rows = summary.contestants;
    std::string text = "Final results:\n";
    for (std::size_t i = 0; i < rows.size(); ++i)
        text += fmt::format("Player {} \"{}\", wins = {}.\n", i + 1,
                            autoplay_name(rows[i].name, rows), rows[i].wins);
    text += fmt::format("Draws = {}\n", summary.draws);
    if (const std::string faults = faults_told(summary, true); !faults.empty())
        text += fmt::format("Faults = {} ({})\n",
                            summary.endings[static_cast<std::size_t>(End::Fault)], faults);
    text += fmt::format("{} game(s) played\n", summary.games);
    return printable(text);
}

} // namespace

std::string duration(double seconds) {
    const auto whole = static_cast<std::uint64_t>(std::llround(std::clamp(seconds, 0.0, 1e15)));
    if (whole == 0) return fmt::format("{:.1f} s", std::max(0.0, seconds));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string progress_line(const Progress& progress, std::size_t width) {
    std::vector<Part> parts = parts_of(progress);
    std::string line = joined(parts);
    while (width > 0 && display_width(line) > width && parts.size() > 1) {
        // Drops the last among equal ranks.
        const auto least =
            std::max_element(parts.rbegin(), parts.rend(), [](const Part& one, const Part& other) {
                return one.rank < other.rank;
            });
        parts.erase(std::next(least).base());
        line = joined(parts);
    }
    if (width > 0 && display_width(line) > width) line = wrap(line, width, LongWords::Break)[0];
    return line;
}

std::string table_text(std::span<const Section> sections, std::size_t width) {
    std::string text;
    for (const Section& section : sections) {
        if (!text.empty()) text += "\n";
        const std::size_t indent = section.title.empty() ? 0 : 2;
        if (!section.title.empty()) add_lines(text, wrap(section.title, width), 0);
        const std::size_t room = std::max(width, indent + 1) - indent;
        if (!section.table.rows.empty()) {
            const LaidOut table = lay_out_within(section, room);
            add_lines(text, table.title, indent);
            add_lines(text, table.body, indent);
        }
        for (const std::string& note : section.notes)
            add_lines(text, wrap(note, room), indent);
    }
    return printable(text);
}

std::string markdown_text(std::span<const Section> sections) {
    std::string text;
    for (const Section& section : sections) {
        if (!section.title.empty()) text += "\n### " + escaped(section.title) + "\n";
        if (!section.table.rows.empty()) {
            std::vector<std::string> titles;
            std::string rule = "|";
            for (const Column& column : section.table.columns) {
                titles.push_back(column.title);
                rule += column.align == Align::Right ? "---:|" : "---|";
            }
            text += "\n" + markdown_row(titles) + rule + "\n";
            for (const auto& row : section.table.rows)
                text += markdown_row(row);
        }
        for (const std::string& note : section.notes)
            text += (text.empty() ? "" : "\n") + escaped(note) + "\n";
    }
    return printable(text);
}

std::vector<std::string> format_names() {
    return {kFormatNames.begin(), kFormatNames.end()};
}

std::optional<Format> format_of(std::string_view name) {
    return value_named<Format>(kFormatNames, name);
}

Report make_report(Standings& standings, RunStatus status) {
    return {standings.summary(), std::move(status), {}, {}};
}

std::string render(const Report& report, Format format, std::size_t width, Detail detail) {
    switch (format) {
    case Format::Table:
        return as_table(report, width, detail);
    case Format::Json:
        return json_text(json_of(report));
    case Format::Csv:
        return csv_of(report);
    case Format::Markdown:
        return markdown_text(sections_of(report, kMarkdownBar));
    case Format::Autoplay:
        return as_autoplay(report.summary);
    }
    assert(false);
    return {};
}

} // namespace croupier::results
