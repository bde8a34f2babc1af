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

namespace {

// Null when there is none; the message has been printed then.
Fact* fact_to_change(Session& session, const Value& named, bool keep) {
    if (named.type == Type::FactAddress) [[likely]]
        return named.as_fact();
    if (named.type == Type::Integer) return find_fact(session, named.as_integer());
    session.fail(
        fmt::format("[ARGACCES5] Function {} expected argument #1 to be of type fact-address, "
                    "fact-index, or the symbol *\n",
                    keep ? "duplicate" : "modify"));
    return nullptr;
}

// The values of one slot, from `from` on; leaves the scratch as long as that.
void store(Session& session, const Template& of, std::size_t slot, std::size_t from, Fact& fact) {
    std::vector<Value>& all = session.scratch();
    if (of.slots[slot].multi)
        fact.slots()[slot] = session.interner().multifield({all.data() + from, all.size() - from});
    else if (all.size() == from + 1)
        fact.slots()[slot] = all.back();
    else if (!session.stopped())
        fail_many(session, of, slot);
    all.resize(from);
}

// False when the evaluation stopped.
bool change_slot(Session& session, const Template& of, const Expr& change, Fact& fact) {
    const auto* name = static_cast<const Text*>(change.data);
    const bool known = change.a < of.slots.size() && of.slots[change.a].name == name;
    const int slot = known ? static_cast<int>(change.a) : of.slot(name);
    if (slot < 0) {
        session.fail(fmt::format(
            "\n[TMPLTDEF1] Invalid slot {} not defined in corresponding deftemplate {}.\n",
            name->text, of.name->text));
        return false;
    }
    std::vector<Value>& all = session.scratch();
    const std::size_t from = all.size();
    for (const Expr& one : change.args) {
        const Value value = session.call(one);
        if (session.stopped()) break;
        flatten(value, all);
    }
    store(session, of, static_cast<std::size_t>(slot), from, fact);
    return !session.stopped();
}

// By far the most common: one value for a slot of one value, both known when it was compiled.
bool change_known(Session& session, const Template& of, const Expr& change, Fact& fact) {
    const Value value = session.call(change.args.front());
    if (session.stopped()) return false;
    if (value.type != Type::Multifield && value.type != Type::Void) [[likely]] {
        fact.slots()[change.a] = value;
        return true;
    }
    const std::size_t from = session.scratch().size();
    flatten(value, session.scratch());
    store(session, of, change.a, from, fact);
    return !session.stopped();
}

} // namespace

// args[0] the fact, of the template `data` if that is known; then for each changed slot an
// expression with `a` its number.
Value do_modify(Session& session, const Expr& expr) {
    const bool keep = expr.a == 1; // duplicate
    const Value named = session.call(expr.args[0]);
    if (session.stopped()) return session.interner().no();
    Fact* old = fact_to_change(session, named, keep);
    if (old == nullptr) return session.interner().no();
    Template& of = *old->of;
    if (of.implied) return session.interner().no();
    Fact* fact = session.network().new_fact(of);
    for (std::uint32_t i = 0; i < old->width; ++i)
        fact->slots()[i] = old->slots()[i];
    const bool known = expr.data == &of;
    for (const Expr* change = expr.args.data() + 1; change != expr.args.data() + expr.args.size();
         ++change) {
        const bool good = known && change->place.index == kOneValue
                              ? change_known(session, of, *change, *fact)
                              : change_slot(session, of, *change, *fact);
        if (good) continue;
        session.network().free_fact(fact);
        return session.interner().no();
    }
    if (!keep && old->alive) session.retract_fact(old);
    Fact* made = session.assert_fact(fact);
    return made == nullptr ? session.interner().no() : session.fact_value(made);
}

} // namespace croupier::engine::clips
