// deftemplate, deffacts, defglobal, deffunction: from a form to the program.
#include "engine/clips/construct.h"

#include "engine/clips/codes.h"
#include "engine/clips/function.h"
#include "engine/clips/slot_read.h"
#include "engine/text/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace croupier::engine::clips {

bool ConstructReader::wrong(Span span, std::string message, std::string hint) {
    session_.mistake(code::kClipsSyntax, span, std::move(message), std::move(hint), name_);
    return false;
}

bool ConstructReader::begin() {
    if (form_.items.size() < 2 || !form_.items[1].is_symbol()) {
        session_.refuse(fmt::format("\n[CSTRCPSR2] Missing name for {} construct\n", form_.head()),
                        form_.items.size() < 2 ? form_.span.end : form_.items[1].span.end);
        return wrong(form_.span, fmt::format("{} needs a name", form_.head()));
    }
    std::string_view name = form_.items[1].value.text();
    if (name.starts_with("MAIN::")) name.remove_prefix(6);
    if (name.find("::") != std::string_view::npos)
        return wrong(form_.items[1].span, "modules other than MAIN are not supported");
    text_ = session_.interner().text(name);
    name_ = text_->text;
    at_ = 2;
    if (at_ < form_.items.size() && form_.items[at_].kind == Form::Kind::Constant &&
        form_.items[at_].value.type == Type::String)
        ++at_;
    return true;
}

bool ConstructReader::define_template() {
    if (!begin()) return false;
    Template* old = session_.find_template(text_);
    if (old != nullptr && (old->used || old->implied || text_->text == "initial-fact")) {
        session_.refuse(
            fmt::format("\n[CSTRCPSR4] Cannot redefine deftemplate {} while it is in use.\n",
                        name_),
            form_.items[1].span.end);
        return wrong(form_.items[1].span,
                     fmt::format("deftemplate {} is in use and cannot be redefined", name_));
    }
    session_.tell_construct("deftemplate", name_, '%', old != nullptr);
    Template made;
    made.name = text_;
    made.source = source_;
    for (; at_ < form_.items.size(); ++at_) {
        if (!read_slot(session_, form_.items[at_], made)) return false;
    }
    if (old != nullptr)
        *old = std::move(made);
    else
        session_.add_template(std::move(made));
    return true;
}

bool ConstructReader::define_facts() {
    if (!begin()) return false;
    const std::deque<Deffacts>& all = session_.defined().deffacts;
    session_.tell_construct("deffacts", name_, '$',
                            std::any_of(all.begin(), all.end(),
                                        [&](const Deffacts& old) { return old.name == text_; }));
    Deffacts made;
    made.name = text_;
    made.source = source_;
    Scope scope;
    scope.what = "deffacts";
    scope.rule = name_;
    scope.construct = &form_;
    for (; at_ < form_.items.size(); ++at_) {
        Form call;
        call.span = form_.items[at_].span;
        Form head;
        head.kind = Form::Kind::Constant;
        head.value = session_.interner().symbol("assert");
        head.span = call.span;
        call.items = {head, form_.items[at_]};
        const std::size_t errors = session_.diagnostics().count();
        Expr fact = session_.compile(call, scope);
        if (session_.diagnostics().count() != errors) return false;
        made.facts.push_back(std::move(fact));
    }
    std::erase_if(session_.defined().deffacts,
                  [&](const Deffacts& old) { return old.name == text_; });
    session_.defined().deffacts.push_back(std::move(made));
    return true;
}

bool ConstructReader::wrong_global(std::size_t at) {
    const Form& first = form_.items[at];
    const bool named = first.kind == Form::Kind::Global;
    const Form& odd = named && at + 1 < form_.items.size() ? form_.items[at + 1] : first;
    session_.refuse_syntax("defglobal", odd.span.end);
    return wrong(first.span, "a defglobal is written ?*name* = value");
}

bool ConstructReader::define_globals() {
    std::size_t at = 1;
    if (at < form_.items.size() && form_.items[at].is_symbol()) ++at; // a module
    for (; at < form_.items.size(); at += 3) {
        if (form_.items[at].kind != Form::Kind::Global || at + 2 >= form_.items.size() ||
            !form_.items[at + 1].is_symbol("="))
            return wrong_global(at);
        Scope scope;
        scope.what = "defglobal";
        const std::size_t errors = session_.diagnostics().count();
        Expr initial = session_.compile(form_.items[at + 2], scope);
        if (session_.diagnostics().count() != errors) return false;
        Global* global = session_.find_global(form_.items[at].name);
        session_.tell_construct("defglobal", form_.items[at].name->text, ':', global != nullptr);
        if (global == nullptr) {
            session_.defined().globals.emplace_back();
            global = &session_.defined().globals.back();
            global->name = form_.items[at].name;
        }
        global->initial = std::move(initial);
        global->source = fmt::format("(defglobal ?*{}* = {})", global->name->text,
                                     session_.shown_form(form_.items[at + 2]));
        const Value value = session_.call(global->initial);
        session_.go_on();
        session_.set_global(*global, value);
    }
    return true;
}

bool ConstructReader::define_function() {
    if (!begin()) return false;
    if (find_builtin(name_) != nullptr) {
        // CLIPS has looked at the parenthesis that follows by then.
        const bool more = at_ < form_.items.size();
        session_.refuse("[DFFNXPSR2] Deffunctions are not allowed to replace external functions.\n",
                        more ? form_.items[at_].span.begin + 1 : form_.span.end);
        return wrong(form_.items[1].span, fmt::format("{} is a function of CLIPS itself", name_));
    }
    if (at_ >= form_.items.size() || !form_.items[at_].is_list()) {
        session_.refuse_syntax("parameter list", at_ < form_.items.size()
                                                     ? form_.items[at_].span.end
                                                     : form_.span.end);
        return wrong(form_.span, "deffunction needs a list of parameters");
    }
    session_.tell_construct("deffunction", name_, '!', session_.find_function(text_) != nullptr);
    Function made;
    made.name = text_;
    made.source = source_;
    made.span = form_.span;
    Scope scope;
    scope.what = "deffunction";
    scope.rule = name_;
    scope.construct = &form_;
    for (const Form& parameter : form_.items[at_].items) {
        const bool many = parameter.kind == Form::Kind::MultiVariable;
        if (made.rest)
            session_.refuse("[PRCCODE8] No parameters allowed after wildcard parameter.\n",
                            parameter.span.end);
        if ((parameter.kind != Form::Kind::Variable && !many) || made.rest)
            return wrong(parameter.span, "parameters are ?name .. and at last $?name");
        if (scope.locals.contains(parameter.name)) {
            session_.refuse("[PRCCODE7] Duplicate parameter names not allowed.\n",
                            parameter.span.end);
            return wrong(parameter.span, "this name has another parameter");
        }
        made.rest = many;
        made.parameters.push_back(parameter.name);
        scope.locals[parameter.name] = scope.next_local++;
    }
    scope.most_locals = scope.next_local;
    ++at_;
    if (at_ < form_.items.size() && form_.items[at_].kind == Form::Kind::Constant &&
        form_.items[at_].value.type == Type::String && at_ + 1 < form_.items.size())
        ++at_;
    // It may call itself: it is known before its body is read.
    Function* function = session_.find_function(text_);
    if (function == nullptr) {
        session_.defined().functions.emplace_back();
        function = &session_.defined().functions.back();
    }
    *function = made;
    const std::size_t errors = session_.diagnostics().count();
    std::vector<Expr> actions;
    for (; at_ < form_.items.size(); ++at_)
        actions.push_back(session_.compile(form_.items[at_], scope));
    if (session_.diagnostics().count() != errors) {
        function->name = nullptr; // refused; calls compiled so far find nothing to do
        return false;
    }
    function->actions = std::move(actions);
    function->locals = scope.most_locals;
    return true;
}

bool Session::define(const Form& form, std::string_view source) {
    const auto outer = std::exchange(refused_, std::nullopt);
    const bool good = define_now(form, source);
    if (refused_) print(fmt::format("\nERROR:\n{}\n", echo(form, *refused_)));
    refused_ = outer;
    return good;
}

bool Session::define_now(const Form& form, std::string_view source) {
    ConstructReader reader(*this, form, source);
    const std::string_view head = form.head();
    if (head == "deftemplate") return reader.define_template();
    if (head == "deffacts") return reader.define_facts();
    if (head == "defglobal") return reader.define_globals();
    if (head == "deffunction") return reader.define_function();
    if (head == "defrule") return reader.define_rule();
    const bool cool = head == "defclass" || head == "defmessage-handler" ||
                      head == "definstances" || head == "defgeneric" || head == "defmethod";
    if (cool || head == "defmodule") {
        mistake(code::kClipsConstruct, form.items[0].span,
                fmt::format("the construct {} is not supported", head),
                cool ? "COOL objects and generic functions are out of scope; facts and "
                       "deffunctions are there"
                     : "everything lives in the module MAIN");
        return false;
    }
    const std::vector<std::string> known = {"deftemplate", "deffacts", "defglobal", "deffunction",
                                            "defrule"};
    const auto near = nearest(head, known);
    print(head.starts_with("def")
              ? fmt::format("\n[EXPRNPSR3] Missing function declaration for {}.\n", head)
              : "\n[CSTRCPSR1] Expected the beginning of a construct.\n");
    mistake(code::kClipsConstruct, form.span,
            head.empty() ? "expected a construct such as (defrule ..)"
                         : fmt::format("there is no construct {}", head),
            near ? fmt::format("did you mean {}?", *near) : "");
    return false;
}

} // namespace croupier::engine::clips
