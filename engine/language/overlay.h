// Lays one file over another: LANGUAGE.md section 1.
#pragma once

#include "engine/language/reading.h"
#include "engine/text/document.h"

#include <functional>

namespace croupier::engine {

// Makes a file an object of top-level keys: a rule or a list of rules becomes {"rules": [..]}.
// Reports what is no ruleset and returns false.
bool normalize_file(Reading& reading, Document& file);

// The lists of rules of all groups of a normalized file, with the names of the groups.
void for_each_rule_list(
    Document& file,
    const std::function<void(const std::string& group, std::vector<Member>& rules)>& visit);

// Members of `over` win over those of `base`; groups of rules are revised rule by rule.
// Both are normalized files.
void overlay_file(Reading& reading, Document& base, Document over);

// The same for one group: lists of rules, or objects with "rules".
void overlay_group(Reading& reading, Document& base, Document over);

// Key by key, later wins: objects in both are merged as well if `deep`, everything else is
// replaced.
void merge_objects(Document& base, Document over, bool deep = true);

// A list into which other lists were included: `included[i]` says which elements those are. Where
// one of its own rules has the name of an included one, it takes (or, removing, empties) its place.
void settle_included(std::vector<Member>& list, const std::vector<bool>& included);

// Gives rules that stand in several places, since their file was included there, names of their
// own.

// A named rule whose name has stood in an earlier place already is called after the rule or group
// around it as well: "derive-start/kinds". `whole` is a normalized file with all overlays, so that
// later files have still known the rule by its own name.
void name_repeated_rules(Document& whole);

} // namespace croupier::engine
