// Comparisons and tests of a value.
#include "engine/clips/function.h"

namespace croupier::engine::clips {
namespace {

// All neighbours in that relation to the first (<>), or to each other.
template <typename Holds>
Value compare(Session& session, const Expr& expr, Holds holds) {
    Value before;
    if (!number(session, expr, 0, before)) return session.interner().no();
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
        Value next;
        if (!number(session, expr, i, next)) return session.interner().no();
        const bool right = before.type == Type::Integer && next.type == Type::Integer
                               ? holds(before.as_integer(), next.as_integer())
                               : holds(before.to_real(), next.to_real());
        if (!right) return session.interner().no();
        before = next;
    }
    return session.interner().yes();
}

Value less(Session& s, const Expr& e) {
    return compare(s, e, [](auto a, auto b) { return a < b; });
}
Value less_equal(Session& s, const Expr& e) {
    return compare(s, e, [](auto a, auto b) { return a <= b; });
}
Value greater(Session& s, const Expr& e) {
    return compare(s, e, [](auto a, auto b) { return a > b; });
}
Value greater_equal(Session& s, const Expr& e) {
    return compare(s, e, [](auto a, auto b) { return a >= b; });
}

template <bool kEqual>
Value to_first_number(Session& session, const Expr& expr) {
    Value first;
    if (!number(session, expr, 0, first)) return session.interner().no();
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
        Value next;
        if (!number(session, expr, i, next)) return session.interner().no();
        const bool equal = first.type == Type::Integer && next.type == Type::Integer
                               ? first.as_integer() == next.as_integer()
                               : first.to_real() == next.to_real();
        if (equal != kEqual) return session.interner().no();
    }
    return session.interner().yes();
}

template <bool kEqual>
Value to_first(Session& session, const Expr& expr) {
    const Value first = session.call(expr.args[0]);
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
        const Value next = session.call(expr.args[i]);
        if (session.stopped()) return session.interner().no();
        if ((first == next) != kEqual) return session.interner().no();
    }
    return session.interner().yes();
}

Value negate(Session& session, const Expr& expr) {
    const Value value = session.call(expr.args[0]);
    if (session.stopped()) return session.interner().no();
    return session.interner().boolean(value == session.interner().no());
}

template <std::uint32_t kTypes>
Value is_of(Session& session, const Expr& expr) {
    const Value value = session.call(expr.args[0]);
    if (session.stopped()) return session.interner().no();
    return session.interner().boolean((kTypes & Constraint::bit(value.type)) != 0);
}
constexpr std::uint32_t kInteger = Constraint::bit(Type::Integer);
constexpr std::uint32_t kFloat = Constraint::bit(Type::Float);
constexpr std::uint32_t kSymbol = Constraint::bit(Type::Symbol);
constexpr std::uint32_t kString = Constraint::bit(Type::String);

template <bool kOdd>
Value parity(Session& session, const Expr& expr) {
    const Value value = session.call(expr.args[0]);
    if (session.stopped()) return session.interner().no();
    if (value.type != Type::Integer) return wrong_type(session, expr, 0, "integer");
    return session.interner().boolean((value.as_integer() % 2 != 0) == kOdd);
}

constexpr Builtin kPredicates[] = {
    {"<", 2, -1, less},
    {"<=", 2, -1, less_equal},
    {">", 2, -1, greater},
    {">=", 2, -1, greater_equal},
    {"=", 2, -1, to_first_number<true>},
    {"<>", 2, -1, to_first_number<false>},
    {"!=", 2, -1, to_first_number<false>},
    {"eq", 2, -1, to_first<true>},
    {"neq", 2, -1, to_first<false>},
    {"not", 1, 1, negate},
    {"integerp", 1, 1, is_of<kInteger>},
    {"floatp", 1, 1, is_of<kFloat>},
    {"numberp", 1, 1, is_of<kInteger | kFloat>},
    {"symbolp", 1, 1, is_of<kSymbol>},
    {"stringp", 1, 1, is_of<kString>},
    {"lexemep", 1, 1, is_of<kSymbol | kString>},
    {"wordp", 1, 1, is_of<kSymbol>},
    {"multifieldp", 1, 1, is_of<Constraint::bit(Type::Multifield)>},
    {"sequencep", 1, 1, is_of<Constraint::bit(Type::Multifield)>},
    {"fact-addressp", 1, 1, is_of<Constraint::bit(Type::FactAddress)>},
    {"evenp", 1, 1, parity<false>},
    {"oddp", 1, 1, parity<true>},
};

} // namespace

std::span<const Builtin> predicate_functions() {
    return kPredicates;
}

} // namespace croupier::engine::clips
