// What differs between two rulesets, rule by rule and entry by entry.
#pragma once

#include "engine/language/ruleset.h"

#include <string>
#include <vector>

namespace croupier::engine {

enum class Difference { Added, Removed, Changed, Moved };

// One place where two rules, or two other named parts, differ.
struct EntryDifference {
    Difference kind = Difference::Changed;
    // From the rule or part downwards: {"condition", "player", "$X", "gold"}.
    std::vector<std::string> path;
    std::string before; // as rule-language text; empty when added
    std::string after;  // empty when removed
    Span before_span;
    Span after_span;
};

struct RuleDifference {
    Difference kind = Difference::Changed;
    std::string group; // the group that contains it
    std::string name;
    Span before_span;                     // of the rule in the first ruleset, unless added
    Span after_span;                      // in the second, unless removed
    std::vector<EntryDifference> entries; // Changed
};

// A type, an option, a node of the shape or of the initial state, ..: anything but a rule.
struct PartDifference {
    std::string part;      // "types", "options", "shape", "state", "constants", "game", ..
    EntryDifference entry; // its path starts below the part
};

struct RulesetDifference {
    std::vector<RuleDifference> rules; // by group, then position
    std::vector<PartDifference> parts;

    [[nodiscard]] bool empty() const { return rules.empty() && parts.empty(); }
};

// Rules are identified by name, unnamed ones by their text: a changed unnamed rule counts as one
// removed and one added. Spans belong to the two loads.
RulesetDifference difference(const Ruleset& before, const Ruleset& after);

} // namespace croupier::engine
