// What a run knows of its rules, as a member of run.json.
#pragma once

#include "results/costs/cost.h"

#include <nlohmann/json.hpp>

namespace croupier::results {

nlohmann::ordered_json to_json(const ProfileFacts& facts);
// Throws nlohmann's exceptions where something is missing or of another kind.
ProfileFacts read_profile(const nlohmann::ordered_json& json);

} // namespace croupier::results
