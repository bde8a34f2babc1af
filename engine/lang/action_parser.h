// From JSON to actions.
#pragma once

#include "engine/lang/rule_parser.h"

namespace croupier::engine {

// `part` is "action" or "else": with the rule's name it names the groups inside.
Action parse_action(RuleReading& in, const Document& document, const std::string& rule,
                    std::string_view part);

// The members of @call, one entry per function.
void parse_calls(RuleReading& in, const Member& member, std::vector<ActionEntry>& entries);

// The text of @print.
std::vector<PrintPart> parse_print(RuleReading& in, const Document& document);

} // namespace croupier::engine
