// Expressions of the rule language: precedence, functions, options.
#pragma once

#include "engine/lang/expr.h"
#include "engine/lang/lexer.h"
#include "engine/lang/reading.h"
#include "engine/lang/ruleset.h"

#include <optional>

namespace croupier::engine {

// Parses string.text() from `begin` to `end`. A mistake is reported and gives nullopt.
// `options.NAME` becomes the literal that the option holds.
std::optional<Expr> parse_expression(Reading& reading, const Quoted& string, std::size_t begin,
                                     const std::vector<Option>& options,
                                     std::size_t end = std::string_view::npos);

// Reports a mistake found in `string`.
void report(Reading& reading, const Quoted& string, const Mistake& mistake);

} // namespace croupier::engine
