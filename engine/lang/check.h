// Everything that is wrong with a ruleset although each of its parts can be read.
#pragma once

#include "engine/lang/reading.h"
#include "engine/lang/ruleset.h"

#include <set>
#include <string>

namespace croupier::engine {

struct CheckSettings {
    bool unused = true;  // warn about variables that nothing uses
    bool strict = false; // warn about rules without a name
};
// All checks.
void check_ruleset(Reading& reading, const Ruleset& ruleset, const CheckSettings& settings);

// Names of rules are unique, nested ones included.
void check_agendas(Reading& reading, const Ruleset& ruleset);
void check_names(Reading& reading, const Ruleset& ruleset, bool strict);
// Variables are bound before they are used. What could not be read may be what would have bound
// them, so `damage` names the rules of which a part is missing.
struct Damage {
    std::set<std::string> rules;
    bool outside_rules = false; // perhaps in a pattern
};
void check_variables(Reading& reading, const Ruleset& ruleset, bool unused, const Damage& damage);
// Keys, values and types agree with shape, types, options and constants.
void check_shape(Reading& reading, const Ruleset& ruleset);
// No rule of `play` changes what a later one, which reads the same move, then finds changed.
void check_same_step(Reading& reading, const Ruleset& ruleset);
// No condition contradicts itself.
void check_contradictions(Reading& reading, const Ruleset& ruleset);
// Initial state and constants agree with the shape and with each other.
void check_data(Reading& reading, const Ruleset& ruleset);

} // namespace croupier::engine
