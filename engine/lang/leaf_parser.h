// What stands at the end of a condition or an action: values, comparisons, bindings, expressions.
#pragma once

#include "engine/lang/pattern.h"
#include "engine/lang/reading.h"
#include "engine/lang/ruleset.h"

#include <optional>

namespace croupier::engine {

// A pattern that is no object. After a mistake, one that matches everything.
Pattern parse_leaf(Reading& reading, const std::vector<Option>& options, const Document& document);

// The value of the key _, where every string is an expression; nullopt for what can be none.
std::optional<Pattern> parse_test(Reading& reading, const std::vector<Option>& options,
                                  const Document& document);

// A number, true, false, null or a string that stands for a value: never a binding. `what` names
// the place in messages. Reports what is none and gives nullopt.
std::optional<Expr> parse_value(Reading& reading, const std::vector<Option>& options,
                                const Document& document, std::string_view what);

} // namespace croupier::engine
