// Lays one file over another: LANGUAGE.md section 1.
#pragma once

#include "engine/language/reading.h"
#include "engine/text/document.h"

#include <functional>

namespace croupier::engine {

// Makes a file an object of top-level keys: a rule or a list of rules becomes {"rules": [..]}.
// Reports a file that is not a ruleset and returns false.
bool normalize_file(Reading& reading, Document& file);

// Visits the lists of rules of all groups of a normalized file, with the names of the groups.
void for_each_rule_list(
    Document& file,
    const std::function<void(const std::string& group, std::vector<Member>& rules)>& visit);

// Members of `over` win over those of `base`; groups of rules are revised rule by rule.
// Both are normalized files.
void overlay_file(Reading& reading, Document& base, Document over);

// The same for one group: lists of rules, or objects with "rules".
void overlay_group(Reading& reading, Document& base, Document over);

// Merges key by key; the later value wins. With `deep` also merges objects present in both;
// otherwise replaces them.
void merge_objects(Document& base, Document over, bool deep = true);

// Settles a list into which other lists were included; `included[i]` is true for their elements. A
// rule of the list itself that has the name of an included one replaces it in its place, or removes
// it.
void settle_included(std::vector<Member>& list, const std::vector<bool>& included);

// Renames rules that occur several times because their file was included several times.

// Adds the name of the enclosing rule or group as a prefix to a rule name that occurred before:
// "derive-start/kinds". `whole` must be a normalized file with all overlays laid, since later files
// refer to the rule by its own name.
void name_repeated_rules(Document& whole);

} // namespace croupier::engine
