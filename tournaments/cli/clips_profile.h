// What a CLIPS program's rules cost, as a table and as JSON.
#pragma once

#include "engine/clips/session.h"

#include <cstdint>
#include <string>

namespace croupier::cli {

// After a run with `network().profiling`. The dearest rule comes first; of each its condition
// elements in the order of the file.
std::string clips_profile_text(engine::clips::Session& session);
std::string clips_profile_json(engine::clips::Session& session, std::int64_t firings);

} // namespace croupier::cli
