// The command line: run() for one invocation, and its options as values, from which help, the man
// page and completion are made.
#pragma once

#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"

#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {

struct ShownOption {
    std::vector<std::string> names; // "-h", "--help"; or the one name of an argument
    std::string placeholder;        // of the value; empty if there is none
    std::string text;               // what it is for
    std::string preset;             // the default, if worth showing
    bool positional = false;
    bool required = false;
    OptionFacts facts;

    [[nodiscard]] bool named(std::string_view name) const;
    // "-o, --out DIR"; for an argument "GAME".
    [[nodiscard]] std::string spelling() const;
    // The text with possible values, the default, and whether it may be repeated.
    [[nodiscard]] std::string sentence() const;
};

struct ShownCommand {
    Description description;
    std::vector<ShownOption> arguments; // in order
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

// The meaning of exit codes, in one paragraph.
extern const std::string_view kExitCodes;

// Prints --help in the width of the terminal.

// Help of the whole program: purpose, subcommands, options.
void print_help(Page& page, const Surface& surface);

// Help of one subcommand, ending in its example.
void print_help(Page& page, const ShownCommand& command);

// The command line as a function from arguments and streams to an exit code.

// Parses the arguments (without the program's name), runs the subcommand and reports errors. The
// only exceptions are OutputFailed and those of our own bugs.
int run(const std::vector<std::string>& arguments, Context& context);

} // namespace croupier::cli
