// Runs the command line inside a test's process.
#pragma once

#include "tournaments/cli/terminal.h"

#include <string>
#include <vector>

namespace croupier::cli {

struct Ran {
    int code;
    std::string out;
    std::string err;
};

// `croupier ARGUMENTS <<< input`, on no terminal unless the facts say so.
Ran run_in_process(const std::vector<std::string>& arguments, const std::string& input = "",
                   const TerminalFacts& facts = {});

} // namespace croupier::cli
