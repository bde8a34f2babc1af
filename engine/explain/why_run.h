// Runs a rule's group and watches every run of the rule, be it inside others.
#pragma once

#include "engine/explain/why.h"

#include <optional>
#include <vector>

namespace croupier::engine {

// Where a rule stands.
struct RulePlace {
    GroupId group = kNone;      // the named one
    std::vector<RuleId> around; // the rules that it stands in, the outermost first
    std::vector<bool> in_else;  // of each of these
};
RulePlace place_of(const Program& program, RuleId rule);

// Runs the named group on the state, which it changes, and notes in `why` what became of the rule.
void watch_group(const Program& program, RuleId rule, const RulePlace& place, State& state,
                 Random& random, const Budgets& budgets, Why& why);

// Searches the rule's condition on the state, which must be in no other rule.
void watch_match(const Program& program, RuleId rule, State& state, Random& random,
                 const Budgets& budgets, Why& why);

} // namespace croupier::engine
