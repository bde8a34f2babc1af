// Answers which rules of a group give a node its children, and what keeps a rule from giving one.
#pragma once

#include "engine/explain/why.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine {

// What one rule did while the group ran. Rules inside its actions have entries of their own, which
// stand before it.
struct ChildrenGiven {
    RuleId rule = kNone;
    std::vector<std::string> added; // children of the node, by key
    std::vector<std::string> removed;
    // Where the furthest partial match ended, for a rule that has added and removed nothing. If
    // some variable held the child that is asked for, where the furthest of those matches ended,
    // also for a rule that has added other children; `about` is true then.
    std::optional<Why::Stop> stop;
    bool about = false;
};

struct WhyChildren {
    std::vector<ChildrenGiven> rules; // in the order in which they ended
    std::optional<RunError> error;
};

// Runs the group on the state, and watches the children of that node of the root. `child`: the key
// that is asked for; empty: none.
WhyChildren explain_children(const Program& program, GroupId group, State& state, Random& random,
                             std::string_view node, std::string_view child,
                             const Budgets& budgets = {});

} // namespace croupier::engine
