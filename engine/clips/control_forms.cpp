// bind, if, loops, switch, return.
#include "engine/clips/special_forms.h"

#include "engine/clips/function.h"

#include <fmt/format.h>

namespace croupier::engine::clips {
namespace {

Value run_all(Session& session, const std::vector<Expr>& actions, std::size_t from,
              std::size_t to) {
    Value last = session.interner().no();
    for (std::size_t i = from; i < to && !session.stopped(); ++i)
        last = session.call(actions[i]);
    return last;
}

bool is_false(Session& session, const Value& value) {
    return value == session.interner().no();
}

// True when the loop is over; takes a break.
bool loop_ends(Session& session) {
    if (!session.stopped()) return false;
    session.end_break();
    return true;
}

// What bind gives its variable: one value, or several as one multifield.
Value bound_value(Session& session, const Expr& expr) {
    if (expr.args.size() == 1) return session.call(expr.args[0]);
    std::vector<Value> all;
    for (const Expr& one : expr.args)
        flatten(session.call(one), all);
    return session.interner().multifield(all);
}

} // namespace

Value bind_local(Session& session, const Expr& expr) {
    if (expr.args.empty()) {
        session.local(expr.a) = {};
        return session.interner().no();
    }
    const Value value = bound_value(session, expr);
    if (session.stopped()) return session.interner().no();
    return session.local(expr.a) = value;
}

Value bind_global(Session& session, const Expr& expr) {
    auto& global = *static_cast<Global*>(const_cast<void*>(expr.data));
    const Value value =
        expr.args.empty() ? session.call(global.initial) : bound_value(session, expr);
    if (session.stopped()) return session.interner().no();
    session.set_global(global, value);
    return value;
}

Value do_if(Session& session, const Expr& expr) {
    const Value condition = session.call(expr.args[0]);
    if (session.stopped()) return session.interner().no();
    if (!is_false(session, condition)) return run_all(session, expr.args, 1, expr.a);
    return run_all(session, expr.args, expr.a, expr.args.size());
}

Value do_while(Session& session, const Expr& expr) {
    for (;;) {
        const Value condition = session.call(expr.args[0]);
        if (session.stopped() || is_false(session, condition)) break;
        run_all(session, expr.args, 1, expr.args.size());
        if (session.interrupted_now()) session.fail("");
        if (loop_ends(session)) break;
    }
    return session.returned_or(session.interner().no());
}

Value do_count(Session& session, const Expr& expr) {
    const Value from = session.call(expr.args[0]);
    const Value to = session.call(expr.args[1]);
    if (session.stopped()) return session.interner().no();
    if (from.type != Type::Integer || to.type != Type::Integer)
        return session.fail(
            "[ARGACCES5] Function loop-for-count expected argument #1 to be of type "
            "integer\n");
    for (std::int64_t i = from.as_integer(); i <= to.as_integer(); ++i) {
        session.local(expr.a) = Value::integer(i);
        run_all(session, expr.args, 2, expr.args.size());
        if (loop_ends(session)) break;
    }
    return session.returned_or(session.interner().no());
}

Value do_each(Session& session, const Expr& expr) {
    const Value list = session.call(expr.args[0]);
    if (session.stopped()) return session.interner().no();
    if (list.type != Type::Multifield) {
        return session.fail(
            fmt::format("[ARGACCES5] Function {} expected argument #1 to be of type multifield\n",
                        expr.place.index == 1 ? "foreach" : "progn$"));
    }
    Value last = session.interner().no();
    const Multifield& fields = list.fields();
    session.hold(list);
    for (std::uint32_t i = 0; i < fields.size; ++i) {
        session.local(expr.a) = fields[i];
        session.local(expr.a + 1) = Value::integer(i + 1);
        last = run_all(session, expr.args, 1, expr.args.size());
        if (loop_ends(session)) break;
    }
    session.release();
    return session.returned_or(last);
}

Value do_switch(Session& session, const Expr& expr) {
    const Value value = session.call(expr.args[0]);
    if (session.stopped()) return session.interner().no();
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
        const Expr& branch = expr.args[i]; // a: 1 for default
        if (branch.a != 1) {
            const Value wanted = session.call(branch.args[0]);
            if (session.stopped()) return session.interner().no();
            if (wanted != value) continue;
        }
        const Value last = run_all(session, branch.args, branch.a == 1 ? 0 : 1, branch.args.size());
        session.end_break();
        return session.returned_or(last);
    }
    return session.interner().no();
}

Value do_progn(Session& session, const Expr& expr) {
    return run_all(session, expr.args, 0, expr.args.size());
}

Value do_return(Session& session, const Expr& expr) {
    Value value{};
    if (!expr.args.empty()) {
        value = session.call(expr.args[0]);
        if (session.flow() == Flow::Error) return value;
    }
    session.give_back(value);
    return value;
}

Value do_break(Session& session, const Expr&) {
    session.break_off();
    return {};
}

Value do_and(Session& session, const Expr& expr) {
    for (const Expr& one : expr.args) {
        const Value value = session.call(one);
        if (session.stopped()) return session.interner().no();
        if (is_false(session, value)) return session.interner().no();
    }
    return session.interner().yes();
}

Value do_or(Session& session, const Expr& expr) {
    for (const Expr& one : expr.args) {
        const Value value = session.call(one);
        if (session.stopped()) return session.interner().no();
        if (!is_false(session, value)) return session.interner().yes();
    }
    return session.interner().no();
}

} // namespace croupier::engine::clips
