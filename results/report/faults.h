// What agents did wrong, in a line.
#pragma once

#include "results/report/summary.h"

#include <string>

namespace croupier::results {

// "bot 12 (crash 10, stall 2), other 1 (illegal 1)", most first: of faults that ended their games,
// or of those after which another agent has played on. Empty if there are none.
std::string faults_told(const Summary& summary, bool ended);

} // namespace croupier::results
