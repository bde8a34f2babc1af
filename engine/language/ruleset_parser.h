// From the document that all files make together to a Ruleset.
#pragma once

#include "engine/language/pattern_parser.h"
#include "engine/language/reader.h"
#include "engine/language/reading.h"
#include "engine/language/ruleset.h"

namespace croupier::engine {

// From JSON to rules and groups of rules.

// What the parsers of rules, actions and calls share.
struct RuleReading {
    Reading& reading;
    PatternLibrary& patterns;
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

// From JSON to actions.

// `part` is "action" or "else": with the rule's name it names the groups inside.
Action parse_action(RuleReading& in, const Document& document, const std::string& rule,
                    std::string_view part);

// `document` is a normalized file with all overlays. Mistakes are reported; what could be read is
// returned. Checks that need the whole ruleset come later.
Ruleset parse_ruleset(Reading& reading, const Document& document, const LoadSettings& settings);

} // namespace croupier::engine
