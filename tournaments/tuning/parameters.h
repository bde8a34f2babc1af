// The parameters of an agent to tune, from the user and the agent's file.
#pragma once

#include "tournaments/run/prepared_run.h"
#include "tournaments/tuning/plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::tournaments {

// The parameters of --vary and --params; without these, all whole-number options of the agent's
// file with a range in `option_values`. `blocks`: the number of blocks for tuning. Throws
// UserError.
std::vector<TunedParameter> parameters_to_tune(const std::vector<std::string>& varied,
                                               const std::string& file, const std::string& agent,
                                               const PreparedRun& run, std::uint64_t blocks);

} // namespace croupier::tournaments
