// Rules and groups of the model: when rules match and act.
#pragma once

#include "engine/reference/world.h"

namespace croupier::engine::reference {

// Runs a group at the root of `scope`, with its variables bound.
void run_rules(const Group& group, Scope& scope);

// Carries out one firing of the rule.
void fire(const Rule& rule, const Action& action, const Match& match, const Scope& outer);

// Sets the rule named in errors; the destructor restores the outer one, also after an exception.
class CurrentRule {
  public:
    CurrentRule(World& world, const Rule& rule) : world_(world), before_(world.rule) {
        world.rule = &rule;
    }
    ~CurrentRule() { world_.rule = before_; }
    CurrentRule(const CurrentRule&) = delete;
    CurrentRule& operator=(const CurrentRule&) = delete;

  private:
    World& world_;
    const Rule* before_;
};

// Actions of the model: change the state, entry by entry, until it agrees with the template.

// Runs the action at the root of `scope`, with its variables.
void act(const Action& action, Scope& scope);

// @call (D37-D40).
void call_function(const ActionEntry& entry, Scope& scope);

} // namespace croupier::engine::reference
