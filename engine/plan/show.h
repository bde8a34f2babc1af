// A program as text and as JSON, for `croupier plan`.
#pragma once

#include "engine/plan/program.h"
#include "engine/text/document.h"
#include "engine/text/source.h"

#include <string>
#include <string_view>

namespace croupier::engine {

// Every declared path with where it lives in a state's block.
std::string show_layout(const Program& program);

// The ops of all rules, or of the rule with that name and the groups that it runs. Expressions are
// shown as the ruleset spells them.
std::string show_plan(const Program& program, const Sources& sources, std::string_view rule = {});

// The same as values: "layout" (not of a single rule) and "plan", a list of groups and rules in the
// order of the text, each with its blocks of ops.
Document plan_document(const Program& program, const Sources& sources, std::string_view rule = {});

} // namespace croupier::engine
