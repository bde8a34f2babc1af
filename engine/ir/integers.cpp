// Integers between bounds.
#include "engine/ir/integers.h"

#include "engine/ir/probe.h"

#include <algorithm>

namespace croupier::engine::ir {

namespace {

__extension__ using Wide = __int128;

struct WideBounds {
    Wide low;
    Wide high;
};

WideBounds wide(const Bounds& of) {
    return {of.low, of.high};
}

Computed narrowed(const WideBounds& of) {
    const auto bound = [](Wide at) {
        return static_cast<std::int64_t>(std::clamp<Wide>(at, INT64_MIN, INT64_MAX));
    };
    Computed made{{bound(of.low), bound(of.high)},
                  (of.low >= INT64_MIN && of.high <= INT64_MAX) ||
                      CROUPIER_MISTAKE(NothingOverflows)};
    return made;
}

WideBounds product(const WideBounds& a, const WideBounds& b) {
    const auto [low, high] =
        std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    return {low, high};
}

WideBounds absolute(const WideBounds& of) {
    if (of.low >= 0) {
        return of;
    }
    return {of.high <= 0 ? -of.high : 0, std::max(-of.low, of.high)};
}

// By 0 it is an error, by -1 always 0; it has the sign of what is divided.
Computed rest(const Bounds& of, const Bounds& by) {
    const WideBounds divisor = absolute(wide(by));
    const Wide most = divisor.high == 0 ? 0 : divisor.high - 1;
    Computed made = narrowed({of.low >= 0 ? 0 : std::max<Wide>(of.low, -most),
                              of.high <= 0 ? 0 : std::min<Wide>(of.high, most)});
    made.total = by.low == by.high && divisor.low > 1;
    return made;
}

std::uint64_t bits(std::int64_t of) {
    return static_cast<std::uint64_t>(of);
}

} // namespace

Bounds joined(const Bounds& a, const Bounds& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

std::optional<Computed> computed(ExprOp how, std::span<const Bounds> of) {
    const WideBounds a = wide(of[0]);
    const WideBounds b = wide(of.back());
    switch (how) {
    case ExprOp::Add:
        return narrowed({a.low + b.low, a.high + b.high});
    case ExprOp::Subtract:
        return narrowed({a.low - b.high, a.high - b.low});
    case ExprOp::Multiply:
        return narrowed(product(a, b));
    case ExprOp::Modulo:
        return rest(of[0], of[1]);
    case ExprOp::Negate:
        return narrowed({-a.high, -a.low});
    case ExprOp::Abs:
        return narrowed(absolute(a));
    case ExprOp::Floor: // are what they are
    case ExprOp::Round:
        return narrowed(a);
    case ExprOp::Min:
    case ExprOp::Max: {
        const bool least = how == ExprOp::Min;
        Bounds made = of[0];
        for (const Bounds& each : of.subspan(1)) {
            made.low = least ? std::min(made.low, each.low) : std::max(made.low, each.low);
            made.high = least ? std::min(made.high, each.high) : std::max(made.high, each.high);
        }
        return Computed{made, true};
    }
    default: // what a division does not make whole is a double
        return std::nullopt;
    }
}

Computed summed(const Bounds& each, std::int64_t count) {
    return narrowed(
        {std::min<Wide>(0, Wide{each.low} * count), std::max<Wide>(0, Wide{each.high} * count)});
}

std::optional<bool> compared(ExprOp how, const Bounds& a, const Bounds& b) {
    const bool apart = a.high < b.low || b.high < a.low;
    const bool same = a.low == a.high && b.low == b.high && a.low == b.low;
    switch (how) {
    case ExprOp::Equal:
    case ExprOp::NotEqual:
        if (apart || same) {
            return same == (how == ExprOp::Equal);
        }
        return std::nullopt;
    case ExprOp::Less:
    case ExprOp::GreaterEqual:
        if (a.high < b.low || a.low >= b.high || CROUPIER_MISTAKE(LessWhereTheyMeet)) {
            return (a.high < b.low) == (how == ExprOp::Less);
        }
        return std::nullopt;
    default:
        if (a.high <= b.low || a.low > b.high) {
            return (a.high <= b.low) == (how == ExprOp::LessEqual);
        }
        return std::nullopt;
    }
}

bool may_calculate(ExprOp how) {
    switch (how) {
    case ExprOp::Add:
    case ExprOp::Subtract:
    case ExprOp::Multiply:
    case ExprOp::Modulo:
    case ExprOp::Negate:
    case ExprOp::Abs:
    case ExprOp::Min:
    case ExprOp::Max:
        return true;
    default:
        return false;
    }
}

std::int64_t calculate(ExprOp how, std::span<const std::int64_t> of) {
    const std::int64_t a = of[0];
    const std::int64_t b = of.back();
    switch (how) {
    case ExprOp::Add:
        return static_cast<std::int64_t>(bits(a) + bits(b));
    case ExprOp::Subtract:
        return static_cast<std::int64_t>(bits(a) - bits(b));
    case ExprOp::Multiply:
        return static_cast<std::int64_t>(bits(a) * bits(b));
    case ExprOp::Modulo:
        return b == 0 || b == -1 ? 0 : a % b;
    case ExprOp::Abs:
        return a < 0 ? static_cast<std::int64_t>(-bits(a)) : a;
    case ExprOp::Min:
        return *std::min_element(of.begin(), of.end());
    case ExprOp::Max:
        return *std::max_element(of.begin(), of.end());
    default:
        return static_cast<std::int64_t>(-bits(a));
    }
}

} // namespace croupier::engine::ir
