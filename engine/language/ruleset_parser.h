// Parses the document merged from all files into a Ruleset.
#pragma once

#include "engine/language/pattern_parser.h"
#include "engine/language/reader.h"
#include "engine/language/reading.h"
#include "engine/language/ruleset.h"

namespace croupier::engine {

// Parses JSON into rules and groups of rules.

// Shared by the parsers of rules, actions and calls.
struct RuleReading {
    Reading& reading;
    PatternLibrary& patterns;
    const std::vector<HostFunction>& functions; // of the host program, for @call
    unsigned depth = 0;                         // nesting depth of the current rule
};

// Parses a group of the ruleset or, if `nested`, one inside a rule.
Group parse_group(RuleReading& in, const Document& document, std::string name, bool nested);

// The keys that a rule may have: "name", "condition", "action", ..
const Words& rule_keys();

// True if every key is a rule's and at least one makes it do something.
bool looks_like_rule(const Document& document);
// True for an array of objects, or an object with "rules".
bool looks_like_group(const Document& document);

// Parses JSON into actions.

// `part` is "action" or "else"; nested groups are named after it and the rule.
Action parse_action(RuleReading& in, const Document& document, const std::string& rule,
                    std::string_view part);

// `document` must be a normalized file with all overlays. Reports errors and returns the parts that
// could be read. Checks that need the whole ruleset come later.
Ruleset parse_ruleset(Reading& reading, const Document& document, const LoadSettings& settings);

} // namespace croupier::engine
