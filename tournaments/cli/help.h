// Prints --help in the width of the terminal.
#pragma once

#include "tournaments/cli/surface.h"

namespace croupier::cli {

// Of the whole program: what it is, its subcommands, its options.
void print_help(Page& page, const Surface& surface);

// Of one subcommand, ending in its example.
void print_help(Page& page, const ShownCommand& command);

} // namespace croupier::cli
