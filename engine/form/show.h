// The intermediate form of rules after each pass, for engineers.
#pragma once

#include "engine/form/form.h"
#include "engine/text/document.h"
#include "engine/text/source.h"

#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine::form {

// Whether the tests of a rule are done in the order in which they are written. After all passes
// those that have become sets of rows are done at once.
bool keeps_order(const Module& module, RuleId rule);

struct Stage {
    std::string_view name;
    std::string_view does;
};

// What builds the form, and the passes that rewrite it, in the order in which they run.
std::vector<Stage> stages();

// As text: all functions, or only the group or the rule of that number, which may stand in an
// action.
std::string show(const Module& module, GroupId group = kNone, RuleId rule = kNone);
// After the pass of that name; the catalogue may get new symbols and types.
std::string show_after(Catalogue& catalogue, std::string_view stage, GroupId group = kNone,
                       RuleId rule = kNone);

// As values: groups and rules in the order of the text, or only the rule of that number, each rule
// with the lines of its form: none where the passes have found that it never matches.
Document document_of(const Module& module, const Sources& sources, RuleId rule = kNone);

} // namespace croupier::engine::form
