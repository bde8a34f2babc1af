// Everything that is wrong with a ruleset although each of its parts can be read.
#pragma once

#include "engine/language/reading.h"
#include "engine/language/ruleset.h"

#include <set>
#include <string>

namespace croupier::engine {

struct CheckSettings {
    bool unused = true;  // warn about variables that nothing uses
    bool strict = false; // warn about rules without a name
};
// All checks.
void check_ruleset(Reading& reading, const Ruleset& ruleset, const CheckSettings& settings);

// Variables are bound before they are used. What could not be read may be what would have bound
// them, so `damage` names the rules of which a part is missing.
struct Damage {
    std::set<std::string> rules;
    bool outside_rules = false; // perhaps in a pattern
};
void check_variables(Reading& reading, const Ruleset& ruleset, bool unused, const Damage& damage);
// Keys, values and types agree with shape, types, options and constants.
void check_shape(Reading& reading, const Ruleset& ruleset);
// Initial state and constants agree with the shape and with each other.
void check_data(Reading& reading, const Ruleset& ruleset);

} // namespace croupier::engine
