// What `why` says of a rule in an agenda group.
#pragma once

#include "engine/explain/why.h"
#include "engine/tree/state.h"

#include <span>
#include <string>

namespace croupier::engine {

// Runs the group on the state, which it changes.
Why::Agenda explain_agenda(const Program& program, GroupId group, RuleId rule, State& state,
                           Random& random, const Budgets& budgets);

std::string to_text(const Why::Agenda& agenda);

// The values that a match gives the rule's variables.
NamedValues named_values(const RulePlan& rule, std::span<const Value> match, const State& state);

} // namespace croupier::engine
