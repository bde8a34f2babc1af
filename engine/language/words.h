// The @-words of the language, and what to say about a word that is none.
#pragma once

#include "engine/language/expression_parser.h"
#include "engine/language/pattern.h"
#include "engine/language/reading.h"

#include <optional>
#include <string_view>

namespace croupier::engine {

// As it is written; empty for kinds without a word.
std::string_view word_of(KeyKind kind);
std::string_view word_of(ActionKeyKind kind);
std::optional<KeyKind> find_condition_word(std::string_view word);
std::optional<ActionKeyKind> find_action_word(std::string_view word);
Words condition_words();
Words action_words();

// A key that begins with an unknown @-word; `known` are those allowed in its place.
void report_key_word(Reading& reading, const ParsedKey& key, const Words& known);

// A value that begins with @ and is none of `known`.
void report_value_word(Reading& reading, const Quoted& string, const Words& known);

// Reports each `$this` of the expression with that message.
void forbid_this(Reading& reading, const Expr& expr, std::string_view message);

// The documented keys of a ruleset's outermost object.

// All documented keys, for suggestions.
const Words& top_keys();

// False for the documented keys that hold data or definitions. Every other key may name a group.
bool is_group_key(std::string_view key);

// setup, moves, play, ..: a group by its name alone.
bool is_known_group(std::string_view key);

} // namespace croupier::engine
