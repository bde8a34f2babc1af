// Parsing, dispatch, help, and the messages for all errors in the command line.
#include "tournaments/cli/command_line.h"

#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace croupier::cli {

namespace {

constexpr std::string_view kAbout =
    "croupier plays thousands of games whose rules are data, and reports who wins, how certain "
    "that is, and what every rule costs.";

const std::map<std::string, ColorMode> kColorModes{
    {"auto", ColorMode::Auto}, {"always", ColorMode::Always}, {"never", ColorMode::Never}};

// The parser with the commands that its subcommands are bound to, index by index.
struct Parser {
    CLI::App app{std::string(kAbout), "croupier"};
    std::vector<std::unique_ptr<Command>> commands = make_commands();
    std::vector<CLI::App*> subcommands;
    FactsByOption facts;
    CLI::Option* color = nullptr;
    std::string color_word;
    std::vector<std::string> include_from;
    bool ascii = false;
    bool quiet = false;

    Parser() {
        app.set_help_flag("-h,--help", "Print this help");
        app.set_version_flag("-V,--version", "croupier " CROUPIER_VERSION)
            ->description("Print the version");
        Options global(app, facts);
        global.add("--color", color_word, "Use colour")
            .one_of({"auto", "always", "never"})
            .type_name("WHEN")
            .default_text("auto");
        color = app.get_option("--color");
        global.add_flag("--ascii", ascii, "Draw positions in ASCII only");
        global.add_flag("-q,--quiet", quiet, "Show no progress and no notes, only what is wrong");
        global
            .add("--include-from", include_from,
                 "Files may include others that lie below this folder, too")
            .type_name("DIR")
            .offers(Offers::Folders)
            .one_value_each();
        // Remaining words are reported below, with a suggestion.
        app.allow_extras();
        for (const auto& command : commands) {
            const Description description = command->describe();
            CLI::App* subcommand =
                app.add_subcommand(std::string(description.name), std::string(description.summary));
            subcommand->set_help_flag("-h,--help", "Print this help");
            subcommand->allow_extras(false);
            subcommand->fallthrough(); // croupier check --color never FILE
            Options options(*subcommand, facts);
            command->declare(options);
            subcommands.push_back(subcommand);
        }
        app.require_subcommand(0, 1);
    }

    // The index of the subcommand given.
    [[nodiscard]] std::optional<std::size_t> chosen() const {
        for (std::size_t i = 0; i < subcommands.size(); ++i)
            if (subcommands[i]->parsed()) return i;
        return std::nullopt;
    }

    [[nodiscard]] Surface surface() const {
        Surface surface{kAbout, shown_options(app, false), {}};
        for (std::size_t i = 0; i < commands.size(); ++i)
            surface.commands.push_back({commands[i]->describe(),
                                        shown_options(*subcommands[i], true),
                                        shown_options(*subcommands[i], false)});
        return surface;
    }

    [[nodiscard]] std::vector<ShownOption> shown_options(const CLI::App& of,
                                                         bool positional) const {
        std::vector<ShownOption> shown;
        for (const CLI::Option* option : of.get_options()) {
            if (option->nonpositional() == positional || option->get_group().empty()) continue;
            shown.emplace_back();
            ShownOption& each = shown.back();
            each.text = option->get_description();
            each.preset = option->get_default_str();
            each.positional = positional;
            each.required = option->get_required();
            if (const auto known = facts.find(option); known != facts.end())
                each.facts = known->second;
            if (positional) {
                each.names = {option->get_name(true)};
                continue;
            }
            for (const std::string& name : option->get_snames())
                each.names.push_back("-" + name);
            for (const std::string& name : option->get_lnames())
                each.names.push_back("--" + name);
            if (option->get_items_expected_max() > 0) each.placeholder = option->get_type_name();
        }
        return shown;
    }

    [[nodiscard]] std::string name_of_chosen() const {
        const auto index = chosen();
        return index ? "croupier " + subcommands[*index]->get_name() : "croupier";
    }
};

std::vector<std::string> long_options(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    return names;
}

// The error about the first word that was not accepted, if there is one.
std::optional<std::string> unknown_word(const Parser& parser,
                                        const std::vector<std::string>& given) {
    std::vector<std::string> unknown = parser.app.remaining(true);
    std::erase(unknown, "--"); // which CLI11 reports in some places
    if (unknown.empty()) return std::nullopt;
    const std::string& word = unknown.front();
    // Words after "--" are not options.
    const bool arguments =
        std::find(std::find(given.begin(), given.end(), "--"), given.end(), word) != given.end();
    const auto chosen = parser.chosen();
    if (word.size() > 1 && word.front() == '-' && !arguments) {
        std::vector<std::string> known = long_options(parser.app);
        if (chosen)
            for (std::string& name : long_options(*parser.subcommands[*chosen]))
                known.push_back(std::move(name));
        const std::string name = word.substr(0, word.find('='));
        if (chosen && parser.subcommands[*chosen]->get_option_no_throw(name) != nullptr) {
            const std::string subcommand = parser.subcommands[*chosen]->get_name();
            return fmt::format("the option '{}' goes after the subcommand: croupier {} {}", name,
                               subcommand, name);
        }
        return fmt::format("unknown option '{}'{}", name, did_you_mean(name, known));
    }
    if (chosen) return fmt::format("unexpected argument '{}'", word);
    std::vector<std::string> known;
    for (const CLI::App* subcommand : parser.subcommands)
        known.push_back(subcommand->get_name());
    return fmt::format("unknown subcommand '{}'{}", word, did_you_mean(word, known));
}

// Quoted for a shell, so that the command can be repeated.
std::string command_line(const std::vector<std::string>& arguments) {
    constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                        "0123456789_@%+=:,./-";
    std::string line = "croupier";
    for (const std::string& word : arguments) {
        line += ' ';
        if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
            line += word;
            continue;
        }
        line += '\'';
        for (const char c : word)
            line += c == '\'' ? "'\\''" : std::string(1, c);
        line += '\'';
    }
    return line;
}

// CLI11's message if it is clear, otherwise ours.
std::string reworded(const CLI::ParseError& error, const Parser& parser) {
    std::string words = error.what();
    constexpr std::string_view kOneOf = ": 1 required "; // "--out: 1 required DIR missing"
    if (const std::size_t at = words.find(kOneOf); at != std::string::npos) {
        std::string value = words.substr(at + kOneOf.size());
        value = value.substr(0, value.rfind(" missing"));
        return fmt::format("{} needs a value: {} {}", words.substr(0, at), words.substr(0, at),
                           value);
    }
    constexpr std::string_view kCannot = "Could not convert: ";
    const std::size_t equals = words.find(" = ");
    if (!words.starts_with(kCannot) || equals == std::string::npos) return words;
    const std::string name = words.substr(kCannot.size(), equals - kCannot.size());
    const std::string value = words.substr(equals + 3);
    const auto chosen = parser.chosen();
    const CLI::App& app = chosen ? *parser.subcommands[*chosen] : parser.app;
    const CLI::Option* option = app.get_option_no_throw(name);
    if (option != nullptr && option->get_items_expected_max() == 0)
        return fmt::format("{} takes no value, found '{}'", name, value);
    return fmt::format("{}: '{}' is not a number", name, value);
}

// Reads the option itself, since a failed parse has not yet stored it.
void apply_color(Context& context, const Parser& parser) {
    for (const std::string& word : parser.color->results())
        if (const auto mode = kColorModes.find(word); mode != kColorModes.end())
            context.terminal.choose_color(mode->second);
}

int mistake(Context& context, const Parser& parser, std::string_view message) {
    apply_color(context, parser);
    const std::string name = parser.name_of_chosen();
    context.terminal.error(name, fmt::format("{}\ntry '{} --help'", message, name));
    return kMistake;
}

int print_wanted_help(Context& context, const Parser& parser) {
    apply_color(context, parser);
    const auto chosen = parser.chosen();
    const Surface surface = parser.surface();
    if (chosen && parser.subcommands[*chosen]->get_help_ptr()->count() > 0)
        print_help(context.out(), surface.commands[*chosen]);
    else
        print_help(context.out(), surface);
    return kGood;
}

constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;
constexpr std::size_t kLongName = 24; // longer ones get their own line
constexpr std::size_t kNarrow = 60;   // below this width, all names do

void print_options(Page& page, std::string_view title, const std::vector<ShownOption>& options) {
    if (options.empty()) return;
    page.line();
    page.heading(title);
    std::size_t column = 0; // where descriptions begin
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

int run(const std::vector<std::string>& arguments, Context& context) {
    context.command = command_line(arguments);
    context.words = arguments;
    Parser parser;
    try {
        // CLI11 expects the arguments in reverse order.
        parser.app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
        if (const auto unknown = unknown_word(parser, arguments); unknown && !parser.chosen())
            return mistake(context, parser, *unknown);
        return print_wanted_help(context, parser);
    } catch (const CLI::CallForVersion&) {
        context.out().line({"croupier " CROUPIER_VERSION});
        return kGood;
    } catch (const CLI::ParseError& error) {
        // A mistyped option explains more than a missing one.
        const auto unknown = unknown_word(parser, arguments);
        return mistake(context, parser, unknown ? *unknown : reworded(error, parser));
    }
    apply_color(context, parser);
    if (parser.ascii) context.out().use_ascii(true);
    context.quiet = context.quiet || parser.quiet;
    if (const auto unknown = unknown_word(parser, arguments))
        return mistake(context, parser, *unknown);
    const auto chosen = parser.chosen();
    if (!chosen) {
        print_help(context.err(), parser.surface());
        return kMistake;
    }
    context.surface = [&parser] { return parser.surface(); };
    if (context.resumed == nullptr) context.who = parser.name_of_chosen();
    try {
        include_from(parser.include_from, context);
        return parser.commands[*chosen]->run(context);
    } catch (const UserError& error) {
        context.terminal.error(parser.name_of_chosen(), error.what());
        return kMistake;
    }
}

#define COMMAND(name) std::unique_ptr<Command> make_##name();
#include "tournaments/cli/commands.def"
#undef COMMAND

std::vector<std::unique_ptr<Command>> make_commands() {
    std::vector<std::unique_ptr<Command>> commands;
#define COMMAND(name) commands.push_back(make_##name());
#include "tournaments/cli/commands.def"
#undef COMMAND
    return commands;
}

const std::string_view kExitCodes =
    "Exit code: 0 good; 1 a check failed, something was not found, or faults of agents ended every "
    "game; 2 a mistake in the command line, a file or a ruleset; 130 and 143 "
    "a run that Ctrl-C or SIGTERM interrupted.";

bool ShownOption::named(std::string_view name) const {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string ShownOption::spelling() const {
    std::string all;
    for (const std::string& name : names)
        all += (all.empty() ? "" : ", ") + name;
    if (positional) return facts.repeats ? all + "..." : all;
    return placeholder.empty() ? all : all + " " + placeholder;
}

std::string ShownOption::sentence() const {
    std::vector<std::string> asides;
    if (!facts.words.empty()) {
        const std::span<const std::string> words(facts.words);
        asides.push_back(
            fmt::format("{} or {}", fmt::join(words.first(words.size() - 1), ", "), words.back()));
    }
    if (!preset.empty()) asides.push_back("default: " + preset);
    if (facts.repeats && !positional) asides.emplace_back("may be repeated");
    return asides.empty() ? text : fmt::format("{} ({})", text, fmt::join(asides, "; "));
}

std::string ShownCommand::usage() const {
    std::string line = fmt::format("croupier {} [options]", description.name);
    for (const ShownOption& each : arguments)
        line += each.required ? " " + each.spelling() : " [" + each.spelling() + "]";
    return line;
}

const ShownCommand* Surface::find(std::string_view name) const {
    const auto found = std::find_if(commands.begin(), commands.end(), [&](const auto& command) {
        return command.description.name == name;
    });
    return found == commands.end() ? nullptr : &*found;
}

void print_help(Page& page, const Surface& surface) {
    page.paragraph(surface.about);
    page.line();
    page.paragraph("Usage: croupier [options] SUBCOMMAND ...");
    page.line();
    page.heading("Subcommands:");
    TextTable table{{{""}, {""}}, {}, kIndent};
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
    // Unwrapped, so that it can be copied.
    for (const std::string& line : wrap(description.example, SIZE_MAX))
        page.line({"  ", line});
}

} // namespace croupier::cli
