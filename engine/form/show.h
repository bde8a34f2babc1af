// The intermediate form of rules after each pass, for engineers.
#pragma once

#include "engine/form/form.h"
#include "engine/text/document.h"
#include "engine/text/source.h"

#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine::form {

// Whether the tests of a rule run in the order in which they are written. After all passes, tests
// that have become sets of rows run at once.
bool keeps_order(const Module& module, RuleId rule);

struct Stage {
    std::string_view name;
    std::string_view does;
};

// The builder and the passes that rewrite the form, in the order in which they run.
std::vector<Stage> stages();

// The text of all functions, or only of that group or rule, which may be inside an action.
std::string show(const Module& module, GroupId group = kNone, RuleId rule = kNone);
// The text after the pass of that name; may add symbols and types to the catalogue.
std::string show_after(Catalogue& catalogue, std::string_view stage, GroupId group = kNone,
                       RuleId rule = kNone);

// As a document: groups and rules in the order of the text, or only that rule. Each rule has the
// lines of its form, or none if the passes found that it never matches.
Document document_of(const Module& module, const Sources& sources, RuleId rule = kNone);

} // namespace croupier::engine::form
