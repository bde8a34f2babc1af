// What nodes come to whose operands are known: how passes compute in advance.
#pragma once

#include "engine/form/form.h"

#include <optional>
#include <span>

namespace croupier::engine::form {

// Integers between bounds: what arithmetic and comparisons make of them.

struct Bounds {
    std::int64_t low = INT64_MIN;
    std::int64_t high = INT64_MAX;

    [[nodiscard]] Type type() const { return {TypeKind::Int, 0, low, high}; }
    friend bool operator==(const Bounds&, const Bounds&) = default;
};

Bounds joined(const Bounds& a, const Bounds& b);

// What the operator makes of integers between such bounds, as far as it ends in no error; nothing
// if it may make something else of them.
struct Computed {
    Bounds bounds;
    bool total = false; // it never ends in one
};
std::optional<Computed> computed(ExprOp how, std::span<const Bounds> of);
// Between the least and the greatest sum of at most `count` such integers, 0 among them.
Computed summed(const Bounds& each, std::int64_t count);
// Whether all such integers compare so; nothing if it depends on them.
std::optional<bool> compared(ExprOp how, const Bounds& a, const Bounds& b);

// What Calculate comes to: never an error; of integers that it is not made for any integer.
std::int64_t calculate(ExprOp how, std::span<const std::int64_t> of);
// Calculate can be of that operator of arithmetic.
bool may_calculate(ExprOp how);

// What a node of such a kind comes to depends on its operands alone.
bool can_evaluate(Kind kind);
// Nothing where it could end in an error, or an operand cannot be told that matters. A code is its
// list's value, a code of 0 none.
std::optional<Value> result_of(const Module& module, const Function& function, const Node& node,
                               std::span<const std::optional<Value>> operands);
// What an expression comes to; nothing where it needs a state.
std::optional<Value> evaluate(const Module& module, const Function& function, Id id);

} // namespace croupier::engine::form
