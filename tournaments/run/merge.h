// Merges the shards of a run.
#pragma once

#include "results/report/report.h"
#include "results/store/file.h"
#include "tournaments/run/host.h"

#include <cstddef>
#include <cstdint>
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
// Writes the folder `out`, or the next free one. Throws UserError if they are not all parts of one
// run.
MergedRun merge_shards(const std::vector<std::string>& folders, const std::string& out,
                       const HostServices& host);

} // namespace croupier::tournaments
