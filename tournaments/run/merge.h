// Merges the shards of a run.
#pragma once

#include "results/report/report.h"
#include "results/store/file.h"
#include "tournaments/run/host.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace croupier::tournaments {

// After a failure the other members are meaningless.
struct MergedRun {
    results::Failure failure;
    std::string folder;
    std::size_t shards = 0;
    results::Report report;
    std::uint64_t games = 0;
    bool nothing_but_faults = false;
};
// Waits until these folders hold all shards of a run, or enough for its stop rules to end it, and
// shows what is still missing. `find` names the folders that there are by now. False if the host
// was told to stop. Throws UserError if they are not parts of one run.
bool await_shards(const std::function<std::vector<std::string>()>& find, const HostServices& host);

// Writes the folder `out`, or the next free one. Throws UserError if they are not all parts of one
// run.
MergedRun merge_shards(const std::vector<std::string>& folders, const std::string& out,
                       const HostServices& host);

} // namespace croupier::tournaments
