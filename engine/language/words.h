// The @-words of the language, and diagnostics for unknown ones.
#pragma once

#include "engine/language/expression_parser.h"
#include "engine/language/pattern.h"
#include "engine/language/reading.h"

#include <optional>
#include <string_view>

namespace croupier::engine {

// The word as written; empty for kinds without one.
std::string_view word_of(KeyKind kind);
std::string_view word_of(ActionKeyKind kind);
std::optional<KeyKind> find_condition_word(std::string_view word);
std::optional<ActionKeyKind> find_action_word(std::string_view word);
Words condition_words();
Words action_words();

// A key that begins with an unknown @-word; `known` are those allowed in its place.
void report_key_word(Reading& reading, const ParsedKey& key, const Words& known);

// Reports a value that begins with @ and is not one of `known`.
void report_value_word(Reading& reading, const Quoted& string, const Words& known);

// Reports each `$this` of the expression with that message.
void forbid_this(Reading& reading, const Expr& expr, std::string_view message);

// The documented keys of a ruleset's outermost object.

// All documented keys, for suggestions.
const Words& top_keys();

// False for documented keys that hold data or definitions. Every other key may name a group.
bool is_group_key(std::string_view key);

// setup, moves, play, ..: keys that name a group whatever they contain.
bool is_known_group(std::string_view key);

} // namespace croupier::engine
