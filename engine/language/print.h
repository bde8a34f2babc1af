// Converts the parsed form back to the rule language, as shown by plan, why, profile and diff.
#pragma once

#include "engine/language/ruleset.h"

#include <string>

namespace croupier::engine {

// Canonical text: reading it gives the same tree, and equal trees have equal texts.
std::string print(const Expr& expr);
std::string print(const PathExpr& path);   // "a.$X.b"
std::string print_key(const Entry& entry); // "$X:Seat", "@path(a.b)"
std::string print_key(const ActionEntry& entry);
std::string print(const Rule& rule, int indent = 2); // as JSON
std::string print(const Group& group, int indent = 2);

// The same as documents, with the spans of their sources.
Document to_document(const Pattern& pattern);
Document to_document(const ActionNode& node);
Document to_document(const Action& action);
Document to_document(const Rule& rule);
Document to_document(const Group& group);

// The name of a shape's leaf, "int", "0..10" or "Suit", and the key of a map's children, "$:Seat".
std::string leaf_name(const Shape& shape);
std::string map_key(const Shape& shape);

// In the form used under `types` and `shape`.
Document to_document(const Domain& domain);
// `types` defines the names it mentions; the members of an anonymous domain are listed.
Document to_document(const Shape& shape, const std::vector<Domain>& types);

} // namespace croupier::engine
