// The services of the command line for one call of Python: what it prints is kept.
#pragma once

#include "tournaments/cli/command.h"
#include "tournaments/cli/terminal.h"

#include <sstream>

namespace croupier::python {

struct Session {
    Session();

    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    cli::Terminal terminal{out, err, {}};
    cli::Context context;
};

} // namespace croupier::python
