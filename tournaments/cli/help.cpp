// Lays out what the command line offers.
#include "tournaments/cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace croupier::cli {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;
constexpr std::size_t kLongName = 24; // longer ones stand on a line of their own
constexpr std::size_t kNarrow = 60;   // so do all on a terminal with fewer columns

void print_options(Page& page, std::string_view title, const std::vector<ShownOption>& options) {
    if (options.empty()) return;
    page.line();
    page.heading(title);
    std::size_t column = 0; // where sentences begin
    for (const ShownOption& option : options)
        if (const std::size_t width = option.spelling().size(); width <= kLongName)
            column = std::max(column, kIndent + width + kGap);
    const bool narrow = page.width() < kNarrow;
    if (narrow) column = 2 * kIndent;
    for (const ShownOption& option : options) {
        std::string name = std::string(kIndent, ' ') + option.spelling();
        const bool own_line = narrow || name.size() + kGap > column;
        std::size_t at = 0;
        if (own_line) page.line({name});
        for (const std::string& line : wrap(option.sentence(), page.width() - column)) {
            const bool beside = !own_line && at++ == 0;
            if (beside) name.resize(column, ' ');
            page.line({beside ? name : std::string(column, ' '), line});
        }
    }
}

} // namespace

void print_help(Page& page, const Surface& surface) {
    page.paragraph(surface.about);
    page.line();
    page.paragraph("Usage: croupier [options] SUBCOMMAND ...");
    page.line();
    page.heading("Subcommands:");
    Table table{{{""}, {""}}, {}, kIndent};
    for (const ShownCommand& command : surface.commands)
        table.rows.push_back(
            {std::string(command.description.name), std::string(command.description.summary)});
    page.table(table);
    print_options(page, "Options, of every subcommand too:", surface.options);
    page.line();
    page.paragraph(kExitCodes);
    page.line();
    page.heading("Example:");
    page.line({"  croupier ", surface.commands.front().description.name, " --help"});
}

void print_help(Page& page, const ShownCommand& command) {
    const Description& description = command.description;
    page.paragraph(fmt::format("{}.", description.summary));
    page.line();
    page.paragraph("Usage: " + command.usage());
    if (!description.details.empty()) {
        page.line();
        page.paragraph(description.details);
    }
    print_options(page, "Arguments:", command.arguments);
    print_options(page, "Options:", command.options);
    page.line();
    page.heading("Example:");
    // Unwrapped: an example is there to be copied.
    for (const std::string& line : wrap(description.example, SIZE_MAX))
        page.line({"  ", line});
}

} // namespace croupier::cli
