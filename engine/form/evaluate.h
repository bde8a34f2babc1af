// Computes nodes with known operands, for passes that evaluate in advance.
#pragma once

#include "engine/form/form.h"

#include <optional>
#include <span>

namespace croupier::engine::form {

// Arithmetic and comparisons of integers between bounds.

struct Bounds {
    std::int64_t low = INT64_MIN;
    std::int64_t high = INT64_MAX;

    [[nodiscard]] Type type() const { return {TypeKind::Int, 0, low, high}; }
    friend bool operator==(const Bounds&, const Bounds&) = default;
};

Bounds joined(const Bounds& a, const Bounds& b);

// The bounds of the operator's results for integers between such bounds, errors excluded; nullopt
// if a result may not be an integer.
struct Computed {
    Bounds bounds;
    bool total = false; // never ends in an error
};
std::optional<Computed> computed(ExprOp how, std::span<const Bounds> of);
// The bounds of the sums of 0 to `count` such integers.
Computed summed(const Bounds& each, std::int64_t count);
// Whether the comparison holds for all such integers, or for none; nullopt if it depends on them.
std::optional<bool> compared(ExprOp how, const Bounds& a, const Bounds& b);

// The result of Calculate, never an error; outside the bounds it was made for, any integer.
std::int64_t calculate(ExprOp how, std::span<const std::int64_t> of);
// Whether Calculate supports that operator of arithmetic.
bool may_calculate(ExprOp how);

// Whether the value of a node of that kind depends only on its operands.
bool can_evaluate(Kind kind);
// Returns nullopt if it could end in an error or depends on an unknown operand. A code is given as
// the value in its list, code 0 as none.
std::optional<Value> result_of(const Module& module, const Function& function, const Node& node,
                               std::span<const std::optional<Value>> operands);
// The value of an expression; nullopt if it needs a state.
std::optional<Value> evaluate(const Module& module, const Function& function, Id id);

} // namespace croupier::engine::form
