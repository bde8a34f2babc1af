// Finds errors in rulesets whose parts can all be read.
#pragma once

#include "engine/language/reading.h"
#include "engine/language/ruleset.h"

#include <set>
#include <string>

namespace croupier::engine {

struct CheckSettings {
    bool unused = true;  // warn about unused variables
    bool strict = false; // warn about rules without a name
};
// All checks.
void check_ruleset(Reading& reading, const Ruleset& ruleset, const CheckSettings& settings);

// Variables must be bound before they are used. A part that could not be read might have bound
// them, so `damage` names the rules with missing parts.
struct Damage {
    std::set<std::string> rules;
    bool outside_rules = false; // perhaps in a pattern
};
void check_variables(Reading& reading, const Ruleset& ruleset, bool unused, const Damage& damage);
// Keys, values and types must agree with shape, types, options and constants.
void check_shape(Reading& reading, const Ruleset& ruleset);
// Initial state and constants must agree with the shape and with each other.
void check_data(Reading& reading, const Ruleset& ruleset);

} // namespace croupier::engine
