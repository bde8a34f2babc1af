// Forms to expressions: names are looked up once, here.
#include "engine/clips/codes.h"
#include "engine/clips/function.h"
#include "engine/text/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace croupier::engine::clips {
namespace {

Value constant(Session&, const Expr& expr) {
    return expr.value;
}
Value read_local(Session& session, const Expr& expr) {
    const Value value = session.local(expr.a);
    if (value.type == Type::Void && expr.data != nullptr) {
        const auto* name = static_cast<const Text*>(expr.data);
        return session.fail(fmt::format("[EVALUATN1] Variable {} is unbound\n", name->text));
    }
    return value;
}
Value read_left(Session& session, const Expr& expr) {
    return session.network().value_at(session.left_binds()[expr.a], expr.place);
}
Value read_left_slot(Session& session, const Expr& expr) {
    return session.left_binds()[expr.a].fact->slots()[expr.place.slot];
}
Value read_left_fact(Session& session, const Expr& expr) {
    return session.fact_value(session.left_binds()[expr.a].fact);
}
Value read_right(Session& session, const Expr& expr) {
    return session.network().value_at(session.right_binds()[0], expr.place);
}
Value read_global(Session&, const Expr& expr) {
    return static_cast<const Global*>(expr.data)->value;
}
Value call_own(Session& session, const Expr& expr) {
    std::vector<Value> arguments;
    arguments.reserve(expr.args.size());
    for (const Expr& argument : expr.args) {
        arguments.push_back(session.call(argument));
        if (session.stopped()) return session.interner().no();
    }
    return session.call_function(*static_cast<const Function*>(expr.data), arguments);
}

// Neither fails nor changes anything.
bool reads_only(const Expr& expr) {
    return expr.eval == constant || expr.eval == read_left || expr.eval == read_left_slot ||
           expr.eval == read_left_fact;
}

Expr read_lhs(const LhsVariable& variable, const Scope& scope) {
    Expr expr;
    expr.place = variable.place;
    expr.a = variable.position;
    const bool here = scope.in_condition && variable.pattern == scope.pattern;
    if (here)
        expr.eval = read_right;
    else if (variable.place.kind == Place::Kind::Slot)
        expr.eval = read_left_slot;
    else if (variable.place.kind == Place::Kind::Address)
        expr.eval = read_left_fact;
    else
        expr.eval = read_left;
    return expr;
}

// ?*x* as the message has it: ?x
std::string unstarred(std::string text) {
    for (std::size_t at = 0; (at = text.find("?*", at)) != std::string::npos;) {
        text.erase(at + 1, 1);
        if (const std::size_t end = text.find('*', at); end != std::string::npos)
            text.erase(end, 1);
    }
    return text;
}

} // namespace

const Builtin* find_builtin(std::string_view name) {
    static const std::unordered_map<std::string_view, const Builtin*> kAll = [] {
        std::unordered_map<std::string_view, const Builtin*> table;
        for (const std::span<const Builtin> some :
             {math_functions(), predicate_functions(), text_functions(), multifield_functions(),
              io_functions(), fact_functions(), command_functions(), construct_functions()}) {
            for (const Builtin& one : some)
                table.emplace(one.name, &one);
        }
        return table;
    }();
    const auto found = kAll.find(name);
    return found == kAll.end() ? nullptr : found->second;
}

Expr Session::compile(const Form& form, Scope& scope) {
    Expr expr;
    expr.span = form.span;
    expr.eval = constant;
    const auto wrong = [&](std::string_view code, Span span, std::string message,
                           std::string hint = {}) {
        diagnostics_.error(code, span, std::move(message), std::move(hint),
                           std::string(scope.rule));
        return expr;
    };
    switch (form.kind) {
    case Form::Kind::Constant:
        expr.value = form.value;
        return expr;
    case Form::Kind::Global: {
        Global* global = find_global(form.name);
        if (global == nullptr) {
            if (scope.what == "command") {
                expr.data = form.name;
                expr.eval = [](Session& session, const Expr& e) {
                    return session.fail(
                        fmt::format("[GLOBLDEF1] Global variable ?*{}* is unbound.\n",
                                    static_cast<const Text*>(e.data)->text));
                };
                return expr;
            }
            if (scope.in_condition && scope.expression != nullptr)
                refuse(scope.unbound_in(form.name->text, unstarred(shown_form(*scope.expression))),
                       scope.construct_end(form.span.end));
            refuse(fmt::format("\n[GLOBLPSR1] \nGlobal variable ?*{}* was referenced, but is not "
                               "defined.\n",
                               form.name->text),
                   scope.construct_end(form.span.end));
            return wrong(code::kClipsVariable, form.span,
                         fmt::format("there is no defglobal ?*{}*", form.name->text));
        }
        expr.data = global;
        expr.eval = read_global;
        return expr;
    }
    case Form::Kind::Variable:
    case Form::Kind::MultiVariable: {
        if (const auto local = scope.locals.find(form.name); local != scope.locals.end()) {
            expr.a = local->second;
            expr.data = form.name;
            expr.eval = read_local;
            return expr;
        }
        if (const auto lhs = scope.lhs.find(form.name); lhs != scope.lhs.end()) {
            if (scope.outer != nullptr && lhs->second.pattern != scope.pattern)
                scope.outer->push_back(&lhs->second);
            Expr read = read_lhs(lhs->second, scope);
            read.span = form.span;
            return read;
        }
        if (scope.what == "command") { // where it is evaluated, not before
            expr.data = form.name;
            expr.eval = [](Session& session, const Expr& e) {
                return session.fail(fmt::format("[EVALUATN1] Variable {} is unbound\n",
                                                static_cast<const Text*>(e.data)->text));
            };
            return expr;
        }
        const auto no_locals = [](std::string_view whom) {
            return fmt::format("\n[PRNTUTIL6] Local variables can not be accessed by {}.\n", whom);
        };
        refuse(scope.what == "deffacts"        ? no_locals("a deffacts construct")
               : scope.what == "assert-string" ? no_locals("the assert-string function")
               : scope.in_condition && scope.expression != nullptr
                   ? scope.unbound_in(form.name->text, shown_form(*scope.expression))
                   : fmt::format("\n[PRCCODE3] Undefined variable {} referenced in {}.\n",
                                 form.name->text, scope.what),
               scope.construct_end(form.span.end));
        std::vector<std::string> known;
        for (const auto& [name, number] : scope.locals)
            known.push_back(name->text);
        for (const auto& [name, variable] : scope.lhs)
            known.push_back(name->text);
        std::sort(known.begin(), known.end());
        const auto near = nearest(form.name->text, known);
        return wrong(code::kClipsVariable, form.span,
                     fmt::format("?{} is used before anything binds it", form.name->text),
                     near ? fmt::format("did you mean ?{}?", *near) : "");
    }
    case Form::Kind::Not: { // a negated test, see rule_read.cpp
        Expr all;
        for (const Form& item : form.items)
            all.args.push_back(compile(item, scope));
        all.eval = [](Session& session, const Expr& e) {
            for (const Expr& one : e.args) {
                const Value value = session.call(one);
                if (session.stopped()) return value;
                if (value == session.interner().no()) return session.interner().yes();
            }
            return session.interner().no();
        };
        return all;
    }
    case Form::Kind::List:
        break;
    default:
        return wrong(code::kClipsSyntax, form.span, "this cannot stand in an expression");
    }
    if (form.head().empty())
        return wrong(code::kClipsSyntax, form.span, "a call starts with the name of a function");
    const Form& head = form.items[0];
    const std::string_view loop = form.head();
    const bool breaks = loop == "while" || loop == "loop-for-count" || loop == "progn$" ||
                        loop == "foreach" || loop == "switch";
    scope.loops += breaks ? 1 : 0;
    const bool special = compile_special(*this, form, scope, expr);
    scope.loops -= breaks ? 1 : 0;
    if (special) return expr;
    const Text* name = head.value.as_text();
    const auto count = static_cast<int>(form.items.size()) - 1;
    int least = 0;
    int most = -1;
    if (const Builtin* builtin = find_builtin(name->text)) {
        expr.eval = builtin->eval;
        expr.data = builtin;
        least = builtin->least;
        most = builtin->most;
    } else if (const Function* function = find_function(name)) {
        expr.eval = call_own;
        expr.data = function;
        least = static_cast<int>(function->parameters.size()) - (function->rest ? 1 : 0);
        most = function->rest ? -1 : least;
    } else {
        refuse(fmt::format("\n[EXPRNPSR3] Missing function declaration for {}.\n", name->text),
               head.span.end);
        std::vector<std::string> known;
        for (const std::span<const Builtin> some :
             {math_functions(), predicate_functions(), text_functions(), multifield_functions(),
              io_functions(), fact_functions(), command_functions(), construct_functions()}) {
            for (const Builtin& one : some)
                known.emplace_back(one.name);
        }
        for (const Function& one : defined_.functions) {
            if (one.name != nullptr) known.push_back(one.name->text); // null: it was refused
        }
        const auto near = nearest(name->text, known);
        return wrong(code::kClipsFunction, head.span,
                     fmt::format("there is no function {}", name->text),
                     near ? fmt::format("did you mean {}?", *near) : "");
    }
    if (count < least || (most >= 0 && count > most)) {
        const std::string wanted = least == most   ? fmt::format("exactly {}", least)
                                   : count < least ? fmt::format("at least {}", least)
                                                   : fmt::format("no more than {}", most);
        refuse(fmt::format("[ARGACCES4] Function {} expected {} argument(s)\n", name->text, wanted),
               form.span.end);
        return wrong(code::kClipsFunction, head.span,
                     fmt::format("{} takes {} argument(s), not {}", name->text, wanted, count));
    }
    for (std::size_t i = 1; i < form.items.size(); ++i)
        expr.args.push_back(compile(form.items[i], scope));
    if (std::all_of(expr.args.begin(), expr.args.end(), reads_only)) expr.a = kReadsOnly;
    return expr;
}

} // namespace croupier::engine::clips
