// bind, if, loops, return, and the forms that make facts.
#include "engine/clips/codes.h"
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

// ---- evaluation

Value bind_local(Session& session, const Expr& expr) {
    if (expr.args.empty()) {
        session.local(expr.a) = {};
        return session.interner().no();
    }
    Value value;
    if (expr.args.size() == 1) {
        value = session.call(expr.args[0]);
    } else {
        std::vector<Value> all;
        for (const Expr& one : expr.args)
            flatten(session.call(one), all);
        value = session.interner().multifield(all);
    }
    if (session.stopped()) return session.interner().no();
    return session.local(expr.a) = value;
}

Value bind_global(Session& session, const Expr& expr) {
    auto& global = *static_cast<Global*>(const_cast<void*>(expr.data));
    Value value = global.value;
    if (expr.args.empty()) {
        value = session.call(global.initial);
    } else if (expr.args.size() == 1) {
        value = session.call(expr.args[0]);
    } else {
        std::vector<Value> all;
        for (const Expr& one : expr.args)
            flatten(session.call(one), all);
        value = session.interner().multifield(all);
    }
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

// True when the loop is over; takes a break.
bool loop_ends(Session& session) {
    if (!session.stopped()) return session.halted_now();
    if (session.flow_ == Flow::Break) session.flow_ = Flow::On;
    return true;
}

Value do_while(Session& session, const Expr& expr) {
    for (;;) {
        const Value condition = session.call(expr.args[0]);
        if (session.stopped() || is_false(session, condition)) break;
        run_all(session, expr.args, 1, expr.args.size());
        if (session.interrupted_now()) session.fail("");
        if (loop_ends(session)) break;
    }
    return session.flow_ == Flow::Return ? session.returned_ : session.interner().no();
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
    return session.flow_ == Flow::Return ? session.returned_ : session.interner().no();
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
    return session.flow_ == Flow::Return ? session.returned_ : last;
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
        if (session.flow_ == Flow::Break) session.flow_ = Flow::On;
        return session.flow_ == Flow::Return ? session.returned_ : last;
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
        if (session.flow_ == Flow::Error) return value;
    }
    session.returned_ = value;
    session.flow_ = Flow::Return;
    return value;
}

Value do_break(Session& session, const Expr&) {
    session.flow_ = Flow::Break;
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

// args: one per slot; `a` of an argument: how many expressions make up a multislot, in its args.
Value do_assert_one(Session& session, const Expr& expr) {
    auto& of = *static_cast<Template*>(const_cast<void*>(expr.data));
    Fact* fact = session.network().new_fact(of);
    for (std::size_t i = 0; i < of.slots.size(); ++i)
        fact->slots()[i] = session.interner().nil();
    session.building(fact);
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
                session.fail(
                    fmt::format("[TMPLTFUN2] Attempted to assert a multifield value into the "
                                "single field slot {} of deftemplate {}.\n",
                                of.slots[i].name->text, of.name->text));
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
        const bool known_slot = change.a < of.slots.size() && of.slots[change.a].name == name;
        const int slot = known_slot ? static_cast<int>(change.a) : of.slot(name);
        if (slot < 0) {
            session.network().free_fact(fact);
            return session.fail(fmt::format(
                "\n[TMPLTDEF1] Invalid slot {} not defined in corresponding deftemplate {}.\n",
                name->text, of.name->text));
        }
        const std::size_t from = all.size();
        for (const Expr& one : change.args) {
            const Value part = session.call(one);
            if (session.stopped()) break;
            flatten(part, all);
        }
        Value value;
        if (of.slots[static_cast<std::size_t>(slot)].multi) {
            value = session.interner().multifield({all.data() + from, all.size() - from});
        } else if (all.size() == from + 1) {
            value = all.back();
        } else if (!session.stopped()) {
            session.fail(fmt::format("[TMPLTFUN1] Expected a single field value for slot {} of "
                                     "deftemplate {}\n",
                                     name->text, of.name->text));
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

// ---- compilation

std::uint16_t add_local(Scope& scope, const Text* name, std::uint16_t count = 1) {
    const std::uint16_t number = scope.next_local;
    scope.next_local = static_cast<std::uint16_t>(scope.next_local + count);
    scope.most_locals = std::max(scope.most_locals, scope.next_local);
    if (name != nullptr) scope.locals[name] = number;
    return number;
}

class SpecialCompiler {
  public:
    SpecialCompiler(Session& session, const Form& form, Scope& scope, Expr& into)
        : session_(session), form_(form), scope_(scope), into_(into) {}

    bool compile() {
        const std::string_view head = form_.head();
        if (head == "bind") return bind();
        if (head == "if") return if_then();
        if (head == "while") return loop_while();
        if (head == "loop-for-count") return count();
        if (head == "progn$" || head == "foreach") return each(head == "foreach");
        if (head == "switch") return choose();
        if (head == "progn") return simple(do_progn, 0, 1000);
        if (head == "return") return simple(do_return, 0, 1);
        if (head == "break") return simple(do_break, 0, 0);
        if (head == "and") return simple(do_and, 1, 1000);
        if (head == "or") return simple(do_or, 1, 1000);
        if (head == "assert") return make_facts();
        if (head == "modify" || head == "duplicate") return change(head == "duplicate");
        return false;
    }

  private:
    bool wrong(Span span, std::string message) {
        session_.diagnostics().error(code::kClipsSyntax, span, std::move(message), "",
                                     std::string(scope_.rule));
        into_.eval = do_break;
        return true;
    }
    void arguments(std::size_t from) {
        for (std::size_t i = from; i < form_.items.size(); ++i)
            into_.args.push_back(session_.compile(form_.items[i], scope_));
    }
    bool simple(Evaluate eval, std::size_t least, std::size_t most) {
        const std::size_t count = form_.items.size() - 1;
        if (count < least || count > most) return wrong(form_.span, "wrong number of arguments");
        into_.eval = eval;
        arguments(1);
        return true;
    }
    bool bind() {
        if (form_.items.size() < 2) return wrong(form_.span, "bind needs a variable");
        const Form& target = form_.items[1];
        if (target.kind == Form::Kind::Global) {
            Global* global = session_.find_global(target.name);
            if (global == nullptr)
                return wrong(target.span,
                             fmt::format("there is no defglobal ?*{}*", target.name->text));
            into_.eval = bind_global;
            into_.data = global;
            arguments(2);
            return true;
        }
        if (target.kind != Form::Kind::Variable && target.kind != Form::Kind::MultiVariable)
            return wrong(target.span, "bind needs a variable");
        if (scope_.in_condition) return wrong(target.span, "a condition cannot bind");
        into_.eval = bind_local;
        arguments(2); // before the name is known: (bind ?x (+ ?x 1)) reads the old one
        const auto found = scope_.locals.find(target.name);
        into_.a = found != scope_.locals.end() ? found->second : add_local(scope_, target.name);
        return true;
    }
    bool if_then() {
        if (form_.items.size() < 3 || !form_.items[2].is_symbol("then"))
            return wrong(form_.span, "if is written (if test then action .. else action ..)");
        into_.eval = do_if;
        into_.args.push_back(session_.compile(form_.items[1], scope_));
        bool in_else = false;
        for (std::size_t i = 3; i < form_.items.size(); ++i) {
            if (form_.items[i].is_symbol("else") && !in_else) {
                in_else = true;
                into_.a = static_cast<std::uint32_t>(into_.args.size());
                continue;
            }
            into_.args.push_back(session_.compile(form_.items[i], scope_));
        }
        if (!in_else) into_.a = static_cast<std::uint32_t>(into_.args.size());
        return true;
    }
    bool loop_while() {
        if (form_.items.size() < 2) return wrong(form_.span, "while needs a test");
        into_.eval = do_while;
        into_.args.push_back(session_.compile(form_.items[1], scope_));
        arguments(form_.items.size() > 2 && form_.items[2].is_symbol("do") ? 3 : 2);
        return true;
    }
    bool count() {
        if (form_.items.size() < 2) return wrong(form_.span, "loop-for-count needs a range");
        const Form& range = form_.items[1];
        into_.eval = do_count;
        const auto saved = scope_.locals;
        Expr one;
        Form literal;
        literal.kind = Form::Kind::Constant;
        literal.value = Value::integer(1);
        const Text* name = nullptr;
        const Form* from = &literal;
        const Form* to = &range;
        if (range.is_list() && !range.items.empty() &&
            range.items[0].kind == Form::Kind::Variable) {
            name = range.items[0].name;
            if (range.items.size() == 2) {
                to = &range.items[1];
            } else if (range.items.size() == 3) {
                from = &range.items[1];
                to = &range.items[2];
            } else {
                return wrong(range.span, "the range is written (?i from to)");
            }
        } else if (range.is_list() && range.head().empty() && range.items.size() == 1) {
            to = &range.items[0];
        }
        into_.args.push_back(session_.compile(*from, scope_));
        into_.args.push_back(session_.compile(*to, scope_));
        into_.a = add_local(scope_, name);
        arguments(form_.items.size() > 2 && form_.items[2].is_symbol("do") ? 3 : 2);
        restore(saved, name);
        return true;
    }
    bool each(bool foreach_form) {
        if (form_.items.size() < 2) return wrong(form_.span, "a list should follow");
        into_.eval = do_each;
        into_.place.index = foreach_form ? 1 : 0;
        const auto saved = scope_.locals;
        const Form* list = &form_.items[1];
        const Text* name = nullptr;
        std::size_t body = 2;
        if (foreach_form) {
            if (form_.items.size() < 3 || form_.items[1].kind != Form::Kind::Variable)
                return wrong(form_.span, "foreach is written (foreach ?x list action ..)");
            name = form_.items[1].name;
            list = &form_.items[2];
            body = 3;
        } else if (list->is_list() && list->items.size() == 2 &&
                   list->items[0].kind == Form::Kind::Variable) {
            name = list->items[0].name;
            list = &list->items[1];
        }
        into_.args.push_back(session_.compile(*list, scope_));
        into_.a = add_local(scope_, name, 2);
        const Text* index = nullptr;
        if (name != nullptr) {
            index = session_.interner().text(name->text + "-index");
            scope_.locals[index] = static_cast<std::uint16_t>(into_.a + 1);
        }
        if (form_.items.size() > body && form_.items[body].is_symbol("do")) ++body;
        arguments(body);
        restore(saved, name);
        if (index != nullptr) restore(saved, index);
        return true;
    }
    void restore(const std::unordered_map<const Text*, std::uint16_t>& saved, const Text* name) {
        if (name == nullptr) return;
        scope_.locals.erase(name);
        if (const auto was = saved.find(name); was != saved.end())
            scope_.locals.emplace(name, was->second);
    }
    bool choose() {
        if (form_.items.size() < 2) return wrong(form_.span, "switch needs a value");
        into_.eval = do_switch;
        into_.args.push_back(session_.compile(form_.items[1], scope_));
        for (std::size_t i = 2; i < form_.items.size(); ++i) {
            const Form& branch = form_.items[i];
            const bool otherwise = branch.head() == "default";
            if (branch.head() != "case" && !otherwise)
                return wrong(branch.span, "expected (case value then ..) or (default ..)");
            Expr one;
            one.a = otherwise ? 1 : 0;
            one.eval = do_progn;
            for (std::size_t j = 1; j < branch.items.size(); ++j) {
                if (j == 2 && !otherwise && branch.items[j].is_symbol("then")) continue;
                one.args.push_back(session_.compile(branch.items[j], scope_));
            }
            into_.args.push_back(std::move(one));
        }
        return true;
    }
    bool make_facts() {
        into_.eval = do_assert;
        if (form_.items.size() < 2) return wrong(form_.span, "assert needs a fact");
        for (std::size_t i = 1; i < form_.items.size(); ++i) {
            Expr one;
            if (!session_.compile_fact(form_.items[i], scope_, one)) return true;
            one.eval = do_assert_one;
            into_.args.push_back(std::move(one));
        }
        return true;
    }
    bool change(bool keep) {
        if (form_.items.size() < 2) return wrong(form_.span, "a fact should follow");
        into_.eval = do_modify;
        into_.a = keep ? 1 : 0;
        into_.args.push_back(session_.compile(form_.items[1], scope_));
        const Template* of = session_.template_of(form_.items[1], scope_);
        for (std::size_t i = 2; i < form_.items.size(); ++i) {
            const Form& item = form_.items[i];
            if (item.head().empty()) return wrong(item.span, "a slot is written (name value ..)");
            Expr slot;
            slot.eval = do_progn;
            slot.data = item.items[0].value.as_text();
            if (of != nullptr) {
                const int number = of->slot(item.items[0].value.as_text());
                if (number < 0) return session_.unknown_slot(*of, item.items[0], scope_.rule), true;
                slot.a = static_cast<std::uint32_t>(number);
            } else {
                slot.a = ~0u;
            }
            for (std::size_t j = 1; j < item.items.size(); ++j) {
                slot.args.push_back(session_.compile(item.items[j], scope_));
                if (of != nullptr && item.items[j].kind == Form::Kind::Constant &&
                    !session_.check_literal(of->slots[slot.a], item.items[j],
                                            keep ? "duplicate" : "modify", scope_.rule))
                    return true;
            }
            into_.args.push_back(std::move(slot));
        }
        return true;
    }

    Session& session_;
    const Form& form_;
    Scope& scope_;
    Expr& into_;
};

} // namespace

bool compile_special(Session& session, const Form& form, Scope& scope, Expr& into) {
    return SpecialCompiler(session, form, scope, into).compile();
}

} // namespace croupier::engine::clips
