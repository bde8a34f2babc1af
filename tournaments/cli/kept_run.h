// A run's folder keeps copies of all files it was played with: the run is put together from these.
#pragma once

#include "tournaments/cli/run_input.h"

#include <string>

namespace croupier::cli {

// Game and schedule as they were, and where agents find their files; whoever makes agents may find
// that they cannot be made any more. What is wrong with the rules now goes to standard error, and
// Mistake is thrown. The rules are not described (PreparedRun::profile).
PreparedRun reopen_run(const std::string& folder, const ReadRun& read,
                       const std::string& agents_folder, Context& context);

} // namespace croupier::cli
