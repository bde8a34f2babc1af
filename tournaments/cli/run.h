// The command line as a function: arguments and streams in, exit code out.
#pragma once

#include "tournaments/cli/command.h"

#include <string>

namespace croupier::cli {

// Parses the arguments (without the program's name), runs the subcommand and reports mistakes.
// Only OutputFailed and what is a bug of ours leaves it as an exception.
int run(const std::vector<std::string>& arguments, Context& context);

} // namespace croupier::cli
