// Forms whose arguments are not simply evaluated, compiled: bind, if, loops, assert, ...
#include "engine/clips/special_forms.h"
#include "engine/clips/codes.h"
#include "engine/clips/function.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine::clips {
namespace {

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
        if (head == "return") {
            if (scope_.what == "command") {
                session_.refuse("\n[PRCDRPSR2] The return function is not valid in this context.\n",
                                form_.span.end);
                return wrong(form_.span, "return belongs into rules and functions");
            }
            return simple(do_return, 0, 1);
        }
        if (head == "break") {
            if (scope_.loops == 0) {
                session_.refuse("\n[PRCDRPSR2] The break function not valid in this context.\n",
                                form_.items[0].span.end);
                return wrong(form_.span, "break belongs into a loop");
            }
            return simple(do_break, 0, 0);
        }
        if (head == "and") return simple(do_and, 1, 1000);
        if (head == "or") return simple(do_or, 1, 1000);
        if (head == "assert") return make_facts();
        if (head == "modify" || head == "duplicate") return change(head == "duplicate");
        return false;
    }

  private:
    bool wrong(Span span, std::string message) {
        session_.refuse_syntax(form_.head() == "assert" ? "RHS patterns"
                                                        : fmt::format("{} function", form_.head()),
                               span.end);
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
        if (count < least || count > most) {
            const Form& last = form_.items[std::min(count, most + 1)];
            return wrong(last.span, "wrong number of arguments");
        }
        into_.eval = eval;
        arguments(1);
        return true;
    }
    bool bind() {
        if (form_.items.size() < 2) return wrong(form_.span, "bind needs a variable");
        const Form& target = form_.items[1];
        if (target.kind == Form::Kind::Global) {
            Global* global = session_.find_global(target.name);
            if (global == nullptr) {
                session_.refuse(fmt::format("\n[GLOBLPSR1] \nGlobal variable ?*{}* was referenced, "
                                            "but is not defined.\n",
                                            target.name->text),
                                scope_.construct_end(form_.span.end));
                return wrong(target.span,
                             fmt::format("there is no defglobal ?*{}*", target.name->text));
            }
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
        if (form_.items.size() < 2) {
            session_.refuse("\n[EXPRNPSR2] Expected a constant, variable, or expression.\n",
                            form_.span.end);
            return wrong(form_.span, "while needs a test");
        }
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
        into_.data = of;
        for (std::size_t i = 2; i < form_.items.size(); ++i) {
            const Form& item = form_.items[i];
            if (item.head().empty()) return wrong(item.span, "a slot is written (name value ..)");
            Expr slot;
            slot.eval = do_progn;
            slot.data = item.items[0].value.as_text();
            if (of != nullptr) {
                const int number = of->slot(item.items[0].value.as_text());
                if (number < 0) {
                    session_.unknown_slot(*of, item.items[0], scope_.rule,
                                          scope_.construct_end(form_.span.end));
                    return true;
                }
                slot.a = static_cast<std::uint32_t>(number);
                if (!of->slots[slot.a].multi && item.items.size() == 2)
                    slot.place.index = kOneValue;
            } else {
                slot.a = ~0u;
            }
            for (std::size_t j = 1; j < item.items.size(); ++j) {
                slot.args.push_back(session_.compile(item.items[j], scope_));
                if (of != nullptr && item.items[j].kind == Form::Kind::Constant &&
                    !session_.check_literal(of->slots[slot.a], item.items[j],
                                            keep ? "duplicate" : "modify", scope_.rule,
                                            scope_.construct_end(form_.span.end)))
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
