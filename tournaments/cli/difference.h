// What differs between two rulesets, for people and programs.
#pragma once

#include "engine/api/ruleset.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace croupier::cli {

// "changed rule count in rules", "    + condition._: "$R > 1""; or "no difference".
std::vector<std::string> difference_lines(const engine::RulesetDifference& found);
nlohmann::ordered_json difference_json(const engine::RulesetDifference& found);

} // namespace croupier::cli
