// Terminal, Markdown and the old tournament's form; see report.h. JSON and CSV have their own
// files.
#include "results/report/report.h"

#include "results/report/faults.h"
#include "results/report/formats.h"
#include "results/report/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace croupier::results {
namespace {

constexpr std::size_t kMarkdownBar = 30;

constexpr std::array<std::pair<std::string_view, Format>, 5> kFormats{{
    {"table", Format::Table},
    {"json", Format::Json},
    {"csv", Format::Csv},
    {"markdown", Format::Markdown},
    {"autoplay", Format::Autoplay},
}};

void add_lines(std::string& text, const std::vector<std::string>& lines, std::size_t indent) {
    for (const std::string& line : lines)
        text += (line.empty() ? line : std::string(indent, ' ') + line) + "\n";
}

// What would end a cell or start markup is escaped.
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

std::string as_table(const Report& report, std::size_t width) {
    constexpr std::size_t kBesideBars = 30; // what they are bars of
    const std::size_t bars = std::clamp<std::size_t>(width, kBesideBars + 10, 80) - kBesideBars;
    return table_text(sections_of(report, bars), width);
}

// As Axiom's AutoPlay shows it: "Random" for the agents `random` and `random#2`; here numbers tell
// players apart, not names.
std::string autoplay_name(const std::string& name, const std::vector<ContestantRow>& rows) {
    std::string shown = name;
    const std::size_t mark = name.rfind('#');
    if (mark != std::string::npos &&
        name.find_first_not_of("0123456789", mark + 1) >= name.size()) {
        const bool twin = std::any_of(rows.begin(), rows.end(), [&](const ContestantRow& row) {
            return row.name == name.substr(0, mark);
        });
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
    std::vector<std::string> names;
    names.reserve(kFormats.size());
    for (const auto& [name, format] : kFormats)
        names.emplace_back(name);
    return names;
}

std::optional<Format> format_of(std::string_view name) {
    for (const auto& [known, format] : kFormats)
        if (known == name) return format;
    return std::nullopt;
}

Report make_report(Standings& standings, RunStatus status) {
    return {standings.summary(), std::move(status), {}, {}};
}

std::string render(const Report& report, Format format, std::size_t width) {
    switch (format) {
    case Format::Table:
        return as_table(report, width);
    case Format::Json:
        return as_json(report);
    case Format::Csv:
        return as_csv(report);
    case Format::Markdown:
        return markdown_text(sections_of(report, kMarkdownBar));
    case Format::Autoplay:
        return as_autoplay(report.summary);
    }
    assert(false);
    return {};
}

} // namespace croupier::results
