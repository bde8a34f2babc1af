// What a run knows of its rules, as a member of run.json.
#pragma once

#include "results/costs/cost.h"
#include "results/store/json_field.h"

#include <nlohmann/json_fwd.hpp>

namespace croupier::results {

nlohmann::ordered_json to_json(const ProfileFacts& facts);
// Of a run with so many agents. Throws JsonMistake where something is missing or cannot be.
ProfileFacts read_profile(const JsonField& json, std::size_t agents);

} // namespace croupier::results
