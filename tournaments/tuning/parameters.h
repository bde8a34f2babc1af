// Which parameters of an agent are tuned, as the user and the agent's file say.
#pragma once

#include "tournaments/run/prepared_run.h"
#include "tournaments/tuning/plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::tournaments {

// What --vary and --params say; without either, all whole numbers among the options of the agent's
// file for which `option_values` gives a range. `blocks`: how many they are tuned with. Throws
// UserError.
std::vector<TunedParameter> parameters_to_tune(const std::vector<std::string>& varied,
                                               const std::string& file, const std::string& agent,
                                               const PreparedRun& run, std::uint64_t blocks);

} // namespace croupier::tournaments
