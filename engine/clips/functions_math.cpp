// Arithmetic.
#include "engine/clips/function.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace croupier::engine::clips {

Value wrong_type(Session& session, const Expr& expr, std::size_t argument,
                 std::string_view wanted) {
    return session.fail(
        fmt::format("[ARGACCES5] Function {} expected argument #{} to be of type {}\n",
                    name_of(expr), argument + 1, wanted));
}

bool integer(Session& session, const Expr& expr, std::size_t at, std::int64_t& into) {
    const Value value = session.call(expr.args[at]);
    if (session.stopped()) return false;
    if (value.type == Type::Integer) {
        into = value.as_integer();
        return true;
    }
    if (value.type == Type::Float) {
        into = truncated(value.as_real());
        return true;
    }
    wrong_type(session, expr, at, "integer");
    return false;
}

namespace {

std::int64_t wrap(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}
std::uint64_t bits(const Value& value) {
    return value.bits;
}

// Integer until the first float, as CLIPS goes through its arguments.
template <typename OnIntegers, typename OnReals>
Value fold(Session& session, const Expr& expr, OnIntegers on_integers, OnReals on_reals) {
    Value sum;
    if (!number(session, expr, 0, sum)) return session.interner().no();
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
        Value next;
        if (!number(session, expr, i, next)) return session.interner().no();
        if (sum.type == Type::Integer && next.type == Type::Integer)
            sum = Value::integer(wrap(on_integers(bits(sum), bits(next))));
        else
            sum = Value::real(on_reals(sum.to_real(), next.to_real()));
    }
    return sum;
}

Value add(Session& s, const Expr& e) {
    return fold(
        s, e, [](auto a, auto b) { return a + b; }, [](double a, double b) { return a + b; });
}
Value subtract(Session& s, const Expr& e) {
    return fold(
        s, e, [](auto a, auto b) { return a - b; }, [](double a, double b) { return a - b; });
}
Value multiply(Session& s, const Expr& e) {
    return fold(
        s, e, [](auto a, auto b) { return a * b; }, [](double a, double b) { return a * b; });
}

Value by_zero(Session& session, const Expr& expr) {
    return session.fail(
        fmt::format("[PRNTUTIL7] Attempt to divide by zero in {} function.\n", name_of(expr)));
}

Value divide(Session& session, const Expr& expr) {
    Value first;
    if (!number(session, expr, 0, first)) return session.interner().no();
    double result = first.to_real();
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
        Value next;
        if (!number(session, expr, i, next)) return session.interner().no();
        if (next.to_real() == 0.0) {
            by_zero(session, expr);
            return Value::real(1.0);
        }
        result /= next.to_real();
    }
    return Value::real(result);
}

Value integer_divide(Session& session, const Expr& expr) {
    std::int64_t result = 0;
    if (!integer(session, expr, 0, result)) return session.interner().no();
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
        std::int64_t next = 0;
        if (!integer(session, expr, i, next)) return session.interner().no();
        if (next == 0) {
            by_zero(session, expr);
            return Value::integer(1);
        }
        result = next == -1 ? wrap(0 - static_cast<std::uint64_t>(result)) : result / next;
    }
    return Value::integer(result);
}

Value modulus(Session& session, const Expr& expr) {
    Value a;
    Value b;
    if (!number(session, expr, 0, a) || !number(session, expr, 1, b))
        return session.interner().no();
    if (b.to_real() == 0.0) {
        by_zero(session, expr);
        return Value::integer(0);
    }
    if (a.type == Type::Integer && b.type == Type::Integer)
        return Value::integer(b.as_integer() == -1 ? 0 : a.as_integer() % b.as_integer());
    return Value::real(a.to_real() - std::trunc(a.to_real() / b.to_real()) * b.to_real());
}

template <bool kLargest>
Value extreme(Session& session, const Expr& expr) {
    Value best;
    if (!number(session, expr, 0, best)) return session.interner().no();
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
        Value next;
        if (!number(session, expr, i, next)) return session.interner().no();
        const bool both = best.type == Type::Integer && next.type == Type::Integer;
        const bool less_than =
            both ? next.as_integer() < best.as_integer() : next.to_real() < best.to_real();
        const bool more_than =
            both ? next.as_integer() > best.as_integer() : next.to_real() > best.to_real();
        if (kLargest ? more_than : less_than) best = next;
    }
    return best;
}

Value absolute(Session& session, const Expr& expr) {
    Value value;
    if (!number(session, expr, 0, value)) return session.interner().no();
    if (value.type == Type::Float) return Value::real(std::fabs(value.as_real()));
    return value.as_integer() < 0 ? Value::integer(wrap(0 - value.bits)) : value;
}

Value to_integer(Session& session, const Expr& expr) {
    Value value;
    if (!number(session, expr, 0, value)) return session.interner().no();
    return value.type == Type::Integer ? value : Value::integer(truncated(value.as_real()));
}
Value to_float(Session& session, const Expr& expr) {
    Value value;
    if (!number(session, expr, 0, value)) return session.interner().no();
    return Value::real(value.to_real());
}
Value round_number(Session& session, const Expr& expr) {
    Value value;
    if (!number(session, expr, 0, value)) return session.interner().no();
    if (value.type == Type::Integer) return value;
    return Value::integer(truncated(std::ceil(value.as_real() - 0.5)));
}

template <double (*kFunction)(double)>
Value real_function(Session& session, const Expr& expr) {
    Value value;
    if (!number(session, expr, 0, value)) return session.interner().no();
    return Value::real(kFunction(value.to_real()));
}
Value square_root(Session& session, const Expr& expr) {
    Value value;
    if (!number(session, expr, 0, value)) return session.interner().no();
    if (value.to_real() < 0)
        return session.fail("[EMATHFUN2] Argument overflow for sqrt function.\n");
    return Value::real(std::sqrt(value.to_real()));
}
Value power(Session& session, const Expr& expr) {
    Value a;
    Value b;
    if (!number(session, expr, 0, a) || !number(session, expr, 1, b))
        return session.interner().no();
    return Value::real(std::pow(a.to_real(), b.to_real()));
}
Value pi(Session&, const Expr&) {
    return Value::real(3.14159265358979323846);
}

Value random_number(Session& session, const Expr& expr) {
    if (expr.args.empty()) return Value::integer(session.draw());
    std::int64_t from = 0;
    std::int64_t to = 0;
    if (expr.args.size() != 2)
        return session.fail("[MISCFUN2] Function random expected either 0 or 2 arguments\n");
    if (!integer(session, expr, 0, from) || !integer(session, expr, 1, to))
        return session.interner().no();
    const std::int64_t draw = session.draw();
    if (from > to)
        return session.fail(
            "\n[MISCFUN3] Function random expected argument #1 to be less than argument #2\n");
    const std::uint64_t width =
        static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from) + 1;
    const std::uint64_t step =
        width == 0 ? static_cast<std::uint64_t>(draw) : static_cast<std::uint64_t>(draw) % width;
    return Value::integer(wrap(static_cast<std::uint64_t>(from) + step));
}

Value seed(Session& session, const Expr& expr) {
    std::int64_t seed = 0;
    if (!integer(session, expr, 0, seed)) return session.interner().no();
    session.seed(static_cast<std::uint32_t>(seed));
    return {};
}

constexpr Builtin kMathFunctions[] = {
    {"+", 2, -1, add},
    {"-", 2, -1, subtract},
    {"*", 2, -1, multiply},
    {"/", 2, -1, divide},
    {"div", 2, -1, integer_divide},
    {"mod", 2, 2, modulus},
    {"**", 2, 2, power},
    {"min", 1, -1, extreme<false>},
    {"max", 1, -1, extreme<true>},
    {"abs", 1, 1, absolute},
    {"integer", 1, 1, to_integer},
    {"float", 1, 1, to_float},
    {"round", 1, 1, round_number},
    {"sqrt", 1, 1, square_root},
    {"exp", 1, 1, real_function<std::exp>},
    {"log", 1, 1, real_function<std::log>},
    {"log10", 1, 1, real_function<std::log10>},
    {"sin", 1, 1, real_function<std::sin>},
    {"cos", 1, 1, real_function<std::cos>},
    {"tan", 1, 1, real_function<std::tan>},
    {"asin", 1, 1, real_function<std::asin>},
    {"acos", 1, 1, real_function<std::acos>},
    {"atan", 1, 1, real_function<std::atan>},
    {"pi", 0, 0, pi},
    {"random", 0, 2, random_number},
    {"seed", 1, 1, seed},
};

} // namespace

std::span<const Builtin> math_functions() {
    return kMathFunctions;
}

} // namespace croupier::engine::clips
