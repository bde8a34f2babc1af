// Rules and groups of the model: who matches when, and who acts.
#pragma once

#include "engine/reference/world.h"

namespace croupier::engine::reference {

// Runs a group at the root of `scope`, with its variables bound.
void run_rules(const Group& group, Scope& scope);

// Does what one firing of the rule does.
void fire(const Rule& rule, const Action& action, const Match& match, const Scope& outer);

// The rule that errors name; the one around it is restored even when an error passes.
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

// Actions of the model: the state is changed, entry by entry, until it agrees with the template.

// Runs the action at the root of `scope`, with its variables.
void act(const Action& action, Scope& scope);

// @call (D37-D40).
void call_function(const ActionEntry& entry, Scope& scope);

} // namespace croupier::engine::reference
