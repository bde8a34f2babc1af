// From JSON to rules and groups of rules.
#pragma once

#include "engine/lang/pattern_parser.h"
#include "engine/lang/ruleset.h"

namespace croupier::engine {

// What the parsers of rules, actions and calls share.
struct RuleReading {
    Reading& reading;
    PatternLibrary& patterns;
    const std::vector<Option>& options;
    const std::vector<HostFunction>& functions; // of the host program, for @call
    unsigned depth = 0;                         // rules around the present one
};

// A group of the ruleset, or, if `nested`, one inside a rule.
Group parse_group(RuleReading& in, const Document& document, std::string name, bool nested);

// "name condition action ..": what a rule may hold.
const Words& rule_keys();

// True if every key is a rule's and at least one makes it a rule that does something.
bool looks_like_rule(const Document& document);
// True for an array of objects, or an object with "rules".
bool looks_like_group(const Document& document);

} // namespace croupier::engine
