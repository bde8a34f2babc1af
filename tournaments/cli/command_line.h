// The command line: run() for one invocation, and what it offers as values, of which help, the man
// page and completion are made.
#pragma once

#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"

#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {

struct ShownOption {
    std::vector<std::string> names; // "-h", "--help"; of an argument its one word
    std::string placeholder;        // of the value; empty: it takes none
    std::string text;               // what it is for
    std::string preset;             // the value it has by itself, where that says something
    bool positional = false;
    bool required = false;
    OptionFacts facts;

    [[nodiscard]] bool named(std::string_view name) const;
    // "-o, --out DIR"; of an argument "GAME".
    [[nodiscard]] std::string spelling() const;
    // The text with the values it may have, its default, and whether it may be repeated.
    [[nodiscard]] std::string sentence() const;
};

struct ShownCommand {
    Description description;
    std::vector<ShownOption> arguments; // in their order
    std::vector<ShownOption> options;

    // "croupier play [options] GAME"
    [[nodiscard]] std::string usage() const;
};

struct Surface {
    std::string_view about;
    std::vector<ShownOption> options; // before or after any subcommand
    std::vector<ShownCommand> commands;

    [[nodiscard]] const ShownCommand* find(std::string_view name) const;
};

// What exit codes mean, in one paragraph.
extern const std::string_view kExitCodes;

// Prints --help in the width of the terminal.

// Help of the whole program: what it is, its subcommands, its options.
void print_help(Page& page, const Surface& surface);

// Help of one subcommand, ending in its example.
void print_help(Page& page, const ShownCommand& command);

// The command line as a function: arguments and streams in, exit code out.

// Parses the arguments (without the program's name), runs the subcommand and reports mistakes.
// Only OutputFailed and what is a bug of ours leaves it as an exception.
int run(const std::vector<std::string>& arguments, Context& context);

} // namespace croupier::cli
