// Functions of facts and their agenda that rules use: retract, halt, fact-index, ...
#include "engine/clips/function.h"

#include <fmt/format.h>

namespace croupier::engine::clips {

Fact* find_fact(Session& session, std::int64_t index) {
    Fact* const found = session.network().find(index);
    if (found == nullptr) unable(session, "fact", fmt::format("f-{}", index));
    return found;
}

namespace {

Value retract(Session& session, const Expr& expr) {
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
        const Value value = session.call(expr.args[i]);
        if (session.stopped()) return {};
        if (value.type == Type::FactAddress) {
            if (value.as_fact()->alive) session.retract_fact(value.as_fact());
        } else if (value.type == Type::Integer) {
            if (Fact* fact = find_fact(session, value.as_integer())) session.retract_fact(fact);
        } else if (value.type == Type::Symbol && value.text() == "*") {
            while (session.network().facts().first != nullptr)
                session.retract_fact(session.network().facts().first);
        } else {
            return wrong_type(session, expr, i, "fact-address, fact-index, or the symbol *");
        }
    }
    return {};
}

bool fact_argument(Session& session, const Expr& expr, std::size_t at, Fact*& into) {
    const Value value = session.call(expr.args[at]);
    if (session.stopped()) return false;
    into = nullptr;
    if (value.type == Type::FactAddress) {
        into = value.as_fact();
        return true;
    }
    if (value.type == Type::Integer) {
        into = find_fact(session, value.as_integer());
        return into != nullptr;
    }
    wrong_type(session, expr, at, "fact-address or fact-index");
    return false;
}

Value fact_index(Session& session, const Expr& expr) {
    const Value value = session.call(expr.args[0]);
    if (session.stopped()) return session.interner().no();
    if (value.type != Type::FactAddress) return wrong_type(session, expr, 0, "fact-address");
    return Value::integer(value.as_fact()->alive ? value.as_fact()->index : -1);
}

Value slot_value(Session& session, const Expr& expr) {
    Fact* fact = nullptr;
    if (!fact_argument(session, expr, 0, fact)) return session.interner().no();
    const Value name = expr.args.size() > 1 ? session.call(expr.args[1]) : Value{};
    if (session.stopped()) return session.interner().no();
    if (fact->of->implied) return fact->slots()[0];
    const int slot = name.is_text() ? fact->of->slot(name.as_text()) : -1;
    if (slot < 0)
        return session.fail(fmt::format(
            "[TMPLTDEF1] Invalid slot {} not defined in corresponding deftemplate {}.\n",
            session.shown(name, false), fact->of->name->text));
    return fact->slots()[slot];
}

Value relation(Session& session, const Expr& expr) {
    Fact* fact = nullptr;
    if (!fact_argument(session, expr, 0, fact)) return session.interner().no();
    return Value::symbol(fact->of->name);
}

Value existing(Session& session, const Expr& expr) {
    const Value value = session.call(expr.args[0]);
    if (session.stopped()) return session.interner().no();
    if (value.type == Type::FactAddress) return session.interner().boolean(value.as_fact()->alive);
    if (value.type == Type::Integer)
        return session.interner().boolean(session.network().find(value.as_integer()) != nullptr);
    return wrong_type(session, expr, 0, "fact-address or fact-index");
}

Value halt(Session& session, const Expr&) {
    session.halt();
    return {};
}

Value assert_string(Session& session, const Expr& expr) {
    const Value text = session.call(expr.args[0]);
    if (session.stopped()) return session.interner().no();
    if (text.type != Type::String) return wrong_type(session, expr, 0, "string");
    return session.assert_text(text.text());
}

constexpr Builtin kFactFunctions[] = {
    {"retract", 1, -1, retract},
    {"fact-index", 1, 1, fact_index},
    {"fact-slot-value", 2, 2, slot_value},
    {"fact-relation", 1, 1, relation},
    {"fact-existp", 1, 1, existing},
    {"halt", 0, 0, halt},
    {"assert-string", 1, 1, assert_string},
};

} // namespace

std::span<const Builtin> fact_functions() {
    return kFactFunctions;
}

} // namespace croupier::engine::clips
