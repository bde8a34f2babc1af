// `croupier report --history`: all runs of a game below some folders.
#pragma once

#include "results/report/history.h"
#include "tournaments/run/host.h"

#include <string>
#include <vector>

namespace croupier::tournaments {

struct HistoryRequest {
    std::string game; // "belote", with all its revisions; or "belote:contest"
    std::vector<std::string> paths;
    // What the newest revision is compared with: a revision's name or the beginning of its hash, or
    // a day, for the last one begun before it. Empty for the revision before.
    std::string since;
    std::string anchor; // "AGENT" or "AGENT=ELO"; empty for the mean
};

// Warns of runs that cannot be read, and leaves them out. Throws UserError.
results::History read_history(const HistoryRequest& request, const HostServices& host);

} // namespace croupier::tournaments
