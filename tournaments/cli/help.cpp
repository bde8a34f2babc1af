// Help text from what CLI11 knows of the options; its own formatter does not wrap.
#include "tournaments/cli/help.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <string>

namespace croupier::cli {
namespace {

constexpr std::size_t kIndent = 2;

std::string placeholder(const CLI::Option& option) {
    std::string name = option.get_positional() ? option.get_name(true) : option.get_type_name();
    if (option.get_expected_max() > 1) name += "...";
    return name;
}

std::string usage(const CLI::App& app, std::string_view name) {
    std::string line = fmt::format("Usage: {} [options]", name);
    for (const CLI::Option* option : app.get_options()) {
        if (option->nonpositional()) continue;
        const std::string name_of_it = placeholder(*option);
        line += option->get_required() ? " " + name_of_it : " [" + name_of_it + "]";
    }
    return line;
}

std::string spelling(const CLI::Option& option) {
    if (!option.nonpositional()) return placeholder(option);
    std::string names;
    for (const std::string& name : option.get_snames())
        names += (names.empty() ? "-" : ", -") + name;
    for (const std::string& name : option.get_lnames())
        names += (names.empty() ? "--" : ", --") + name;
    if (option.get_items_expected_max() > 0) names += " " + placeholder(option);
    return names;
}

void print_options(Page& page, const CLI::App& app, std::string_view title, bool positional) {
    Table table{{{""}, {""}}, {}, kIndent};
    for (const CLI::Option* option : app.get_options()) {
        if (option->nonpositional() == positional || option->get_group().empty()) continue;
        std::string text = option->get_description();
        if (!option->get_default_str().empty())
            text += fmt::format(" (default: {})", option->get_default_str());
        table.rows.push_back({spelling(*option), text});
    }
    if (table.rows.empty()) return;
    page.line();
    page.heading(title);
    page.table(table);
}

} // namespace

void print_help(Page& page, const CLI::App& app,
                const std::vector<std::unique_ptr<Command>>& commands) {
    page.paragraph(app.get_description());
    page.line();
    page.paragraph("Usage: croupier [options] SUBCOMMAND ...");
    page.line();
    page.heading("Subcommands:");
    Table table{{{""}, {""}}, {}, kIndent};
    for (const auto& command : commands) {
        const Description description = command->describe();
        table.rows.push_back({std::string(description.name), std::string(description.summary)});
    }
    page.table(table);
    print_options(page, app, "Options:", false);
    page.line();
    page.paragraph("Exit code: 0 good; 1 a check failed, or what was looked for is not there; "
                   "2 a mistake in the command line, a file or a ruleset.");
    page.line();
    page.heading("Example:");
    page.line({"  croupier ", commands.front()->describe().name, " --help"});
}

void print_help(Page& page, const CLI::App& subcommand, const Command& command) {
    const Description description = command.describe();
    page.paragraph(fmt::format("{}.", description.summary));
    page.line();
    page.paragraph(usage(subcommand, fmt::format("croupier {}", description.name)));
    if (!description.details.empty()) {
        page.line();
        page.paragraph(description.details);
    }
    print_options(page, subcommand, "Arguments:", true);
    print_options(page, subcommand, "Options:", false);
    page.line();
    page.heading("Example:");
    // Unwrapped: an example is there to be copied.
    for (const std::string& line : wrap(description.example, SIZE_MAX))
        page.line({"  ", line});
}

} // namespace croupier::cli
