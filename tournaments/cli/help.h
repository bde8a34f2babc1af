// Prints --help in the width of the terminal.
#pragma once

#include "tournaments/cli/command.h"

namespace croupier::cli {

// Of the whole program: what it is, its subcommands, its options.
void print_help(Page& page, const CLI::App& app,
                const std::vector<std::unique_ptr<Command>>& commands);

// Of one subcommand, ending in its example.
void print_help(Page& page, const CLI::App& subcommand, const Command& command);

} // namespace croupier::cli
