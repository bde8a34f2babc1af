// The @-words of the language, and what to say about a word that is none.
#pragma once

#include "engine/lang/path_parser.h"
#include "engine/lang/pattern.h"
#include "engine/lang/reading.h"

#include <optional>

namespace croupier::engine {

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

} // namespace croupier::engine
