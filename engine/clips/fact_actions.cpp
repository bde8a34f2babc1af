// assert, modify and duplicate at work.
#include "engine/clips/special_forms.h"

#include "engine/clips/function.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine::clips {

namespace {

void fail_many(Session& session, const Template& of, std::size_t slot) {
    session.fail(fmt::format("\n[TMPLTFUN2] Attempted to assert a multifield value \ninto the "
                             "single field slot {} of deftemplate {}.\n",
                             of.slots[slot].name->text, of.name->text));
}

} // namespace

// args: one per slot; `a` of an argument: how many expressions make up a multislot, in its args.
Value do_assert_one(Session& session, const Expr& expr) {
    auto& of = *static_cast<Template*>(const_cast<void*>(expr.data));
    Fact* fact = session.network().new_fact(of);
    for (std::size_t i = 0; i < of.slots.size(); ++i)
        fact->slots()[i] = session.interner().nil();
    std::vector<Value>& all = session.scratch();
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
        const Expr& value = expr.args[i];
        if (of.slots[i].multi) {
            if (value.data != nullptr) { // a constant multifield
                fact->slots()[i] = value.value;
                continue;
            }
            const std::size_t from = all.size();
            for (const Expr& one : value.args) {
                const Value part = session.call(one);
                if (session.stopped()) break;
                flatten(part, all);
            }
            fact->slots()[i] =
                session.interner().multifield({all.data() + from, all.size() - from});
            all.resize(from);
        } else {
            const Value one = session.call(value);
            if (one.type == Type::Multifield) {
                fail_many(session, of, i);
            }
            fact->slots()[i] = one;
        }
        if (session.stopped()) {
            session.network().free_fact(fact);
            return session.interner().no();
        }
    }
    Fact* made = session.assert_fact(fact);
    return made == nullptr ? session.interner().no() : session.fact_value(made);
}

Value do_assert(Session& session, const Expr& expr) {
    Value last = session.interner().no();
    for (const Expr& one : expr.args) {
        last = session.call(one);
        if (session.stopped()) return session.interner().no();
    }
    return last;
}

// args[0] the fact; then for each changed slot an expression with `a` its number.
Value do_modify(Session& session, const Expr& expr) {
    const bool keep = expr.a == 1; // duplicate
    const Value named = session.call(expr.args[0]);
    if (session.stopped()) return session.interner().no();
    Fact* old = nullptr;
    if (named.type == Type::FactAddress) {
        old = named.as_fact();
    } else if (named.type == Type::Integer) {
        old = session.network().find(named.as_integer());
        if (old == nullptr) {
            session.print(
                fmt::format("[PRNTUTIL1] Unable to find fact f-{}.\n", named.as_integer()));
            return session.interner().no();
        }
    } else {
        return session.fail(
            fmt::format("[ARGACCES5] Function {} expected argument #1 to be of type fact-address, "
                        "fact-index, or the symbol *\n",
                        keep ? "duplicate" : "modify"));
    }
    Template& of = *old->of;
    if (of.implied) return session.interner().no();
    Fact* fact = session.network().new_fact(of);
    std::copy_n(old->slots(), of.slots.size(), fact->slots());
    std::vector<Value>& all = session.scratch();
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
        const Expr& change = expr.args[i];
        const auto* name = static_cast<const Text*>(change.data);
        bool known_value = false;
        const bool known_slot = change.a < of.slots.size() && of.slots[change.a].name == name;
        const int slot = known_slot ? static_cast<int>(change.a) : of.slot(name);
        if (slot < 0) {
            session.network().free_fact(fact);
            return session.fail(fmt::format(
                "\n[TMPLTDEF1] Invalid slot {} not defined in corresponding deftemplate {}.\n",
                name->text, of.name->text));
        }
        const std::size_t from = all.size();
        const bool multi = of.slots[static_cast<std::size_t>(slot)].multi;
        Value value;
        for (const Expr& one : change.args) {
            value = session.call(one);
            if (session.stopped()) break;
            // By far the most common: one value for a slot of one value.
            if (multi || change.args.size() > 1 || value.type == Type::Multifield)
                flatten(value, all);
            else if (value.type != Type::Void)
                known_value = true;
        }
        if (known_value && !session.stopped()) {
            fact->slots()[slot] = value;
            continue;
        }
        if (multi) {
            value = session.interner().multifield({all.data() + from, all.size() - from});
        } else if (all.size() == from + 1) {
            value = all.back();
        } else if (!session.stopped()) {
            fail_many(session, of, static_cast<std::size_t>(slot));
        }
        all.resize(from);
        if (session.stopped()) {
            session.network().free_fact(fact);
            return session.interner().no();
        }
        fact->slots()[slot] = value;
    }
    if (!keep && old->alive) session.retract_fact(old);
    Fact* made = session.assert_fact(fact);
    return made == nullptr ? session.interner().no() : session.fact_value(made);
}

} // namespace croupier::engine::clips
