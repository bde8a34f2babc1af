// The functions that expressions can call, in one table.
#pragma once

#include "engine/lang/expr.h"
#include "engine/lang/reading.h"

#include <limits>

namespace croupier::engine {

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
    for (const Function& function : kFunctions) {
        if (function.name == name) return &function;
    }
    return nullptr;
}

inline Words function_names() {
    Words names;
    for (const Function& function : kFunctions)
        names.emplace_back(function.name);
    return names;
}

} // namespace croupier::engine
