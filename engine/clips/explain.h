// Why a rule does not fire, what it costs, and what looks wrong in it.
#pragma once

#include "engine/clips/session.h"

#include <string>
#include <vector>

namespace croupier::engine::clips {

// The nearest miss of a rule in the present state, as text; empty when there is no such rule.
std::string why(Session& session, std::string_view rule);

// What a run cost, rule by rule. Times need Network::profiling and a clock.
struct ElementCost {
    std::string text;          // the condition element as written
    std::uint64_t offered = 0; // partial matches and facts that came to it
    std::uint64_t tested = 0;  // pairs compared
    std::uint64_t passed = 0;
    double nanoseconds = 0; // this rule's share of the join
    int shared_by = 1;      // rules that use the same join
};
struct RuleCost {
    std::string rule;
    std::uint64_t activations = 0;
    std::uint64_t withdrawn = 0;
    std::uint64_t firings = 0;
    double match_nanoseconds = 0;
    double action_nanoseconds = 0;
    std::vector<ElementCost> elements;
};
std::vector<RuleCost> costs(Session& session);

// Warnings W06xx about the rules of a session, added to its diagnostics.
void lint(Session& session);

} // namespace croupier::engine::clips
