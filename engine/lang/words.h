// The @-words of the language, and what to say about a word that is none.
#pragma once

#include "engine/lang/expression_parser.h"
#include "engine/lang/pattern.h"
#include "engine/lang/reading.h"

#include <limits>
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

// The documented keys of a ruleset's outermost object.

// All documented keys, for suggestions.
const Words& top_keys();

// False for the documented keys that hold data or definitions. Every other key may name a group.
bool is_group_key(std::string_view key);

// setup, moves, play, ..: a group by its name alone.
bool is_known_group(std::string_view key);

// The functions that expressions can call, in one table.

struct Function {
    std::string_view name;
    ExprOp op;
    std::size_t least; // arguments
    std::size_t most;
    const char* arguments; // in words
};

inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();
inline constexpr Function kFunctions[] = {
    {"min", ExprOp::Min, 2, kAnyNumber, "two or more values"},
    {"max", ExprOp::Max, 2, kAnyNumber, "two or more values"},
    {"abs", ExprOp::Abs, 1, 1, "one value"},
    {"floor", ExprOp::Floor, 1, 1, "one value"},
    {"round", ExprOp::Round, 1, 1, "one value"},
    {"random", ExprOp::Random, 1, 1, "one value"},
    {"size", ExprOp::Size, 0, 0, "a path"}, // the path is no expression
};

inline const Function* find_function(std::string_view name) {
    for (const Function& function : kFunctions)
        if (function.name == name) return &function;
    return nullptr;
}

inline Words function_names() {
    Words names;
    for (const Function& function : kFunctions)
        names.emplace_back(function.name);
    return names;
}

} // namespace croupier::engine
