// Numbers of the rule language: integers stay integers, and nothing wraps around (D7, D9).
#pragma once

#include "engine/lang/expr.h"
#include "engine/reference/value.h"
#include "engine/run/error.h"

#include <string>
#include <vector>

namespace croupier::engine::reference {

struct ArithmeticError {
    RunErrorKind kind{};
    std::string detail;
};

// Negate, Add .. Modulo and Min .. Round. Throws ArithmeticError.
Value calculate(ExprOp op, const std::vector<Value>& args);

// Less .. GreaterEqual, and Equal and NotEqual: false where the kinds have no order.
bool holds(ExprOp comparison, const Value& left, const Value& right);

} // namespace croupier::engine::reference
