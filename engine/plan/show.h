// A program as text, for `croupier plan`.
#pragma once

#include "engine/plan/program.h"
#include "engine/text/source.h"

#include <string>
#include <string_view>

namespace croupier::engine {

// Every declared path with where it lives in a state's block.
std::string show_layout(const Program& program);

// The ops of all rules, or of the rule with that name and the groups that it runs. Expressions are
// shown as the ruleset spells them.
std::string show_plan(const Program& program, const Sources& sources, std::string_view rule = {});

} // namespace croupier::engine
