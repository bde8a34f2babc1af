// Revises a list of rules by the rules of a later file.
#pragma once

#include "engine/lang/reading.h"

namespace croupier::engine {

// Rules of `over` with the name of one in `base` replace or remove it; others go to the end or
// where their `before` or `after` says.
void overlay_rules(Reading& reading, std::vector<Member>& base, std::vector<Member> over);

// The lists of rules that a rule's action and else run.
std::vector<std::vector<Member>*> rule_lists(Document& rule);

} // namespace croupier::engine
