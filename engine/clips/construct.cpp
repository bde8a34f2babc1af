// deftemplate, deffacts, defglobal, deffunction, defrule: from a form to the program.
#include "engine/clips/codes.h"
#include "engine/clips/function.h"
#include "engine/clips/rule_build.h"
#include "engine/clips/rule_read.h"
#include "engine/clips/slot_read.h"
#include "engine/text/nearest.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine::clips {
namespace {

class ConstructReader {
  public:
    ConstructReader(Session& session, const Form& form, std::string_view source)
        : session_(session), form_(form), source_(source) {}

    bool define_template();
    bool define_facts();
    bool define_globals();
    bool define_function();
    bool define_rule();

  private:
    bool wrong(Span span, std::string message, std::string hint = {}) {
        session_.mistake(code::kClipsSyntax, span, std::move(message), std::move(hint), name_);
        return false;
    }
    // The name, and where what follows begins: behind the comment if there is one.
    bool begin() {
        if (form_.items.size() < 2 || !form_.items[1].is_symbol())
            return wrong(form_.span, fmt::format("{} needs a name", form_.head()));
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
    void collect_binds(const Form& form, const Scope& lhs, std::vector<const Text*>& names) const;

    Session& session_;
    const Form& form_;
    std::string_view source_;
    const Text* text_ = nullptr;
    std::string name_;
    std::size_t at_ = 2;
};

bool ConstructReader::define_template() {
    if (!begin()) return false;
    Template made;
    made.name = text_;
    made.source = source_;
    for (; at_ < form_.items.size(); ++at_) {
        if (!read_slot(session_, form_.items[at_], made)) return false;
    }
    if (Template* old = session_.find_template(text_)) {
        if (old->used || old->implied || text_->text == "initial-fact") {
            session_.print(fmt::format(
                "\n[CSTRCPSR4] Cannot redefine deftemplate {} while it is in use.\n", name_));
            return wrong(form_.items[1].span,
                         fmt::format("deftemplate {} is in use and cannot be redefined", name_));
        }
        *old = std::move(made);
        return true;
    }
    session_.add_template(std::move(made));
    return true;
}

bool ConstructReader::define_facts() {
    if (!begin()) return false;
    Deffacts made;
    made.name = text_;
    made.source = source_;
    Scope scope;
    scope.what = "deffacts";
    scope.rule = name_;
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
    std::erase_if(session_.deffacts_, [&](const Deffacts& old) { return old.name == text_; });
    session_.deffacts_.push_back(std::move(made));
    return true;
}

bool ConstructReader::define_globals() {
    std::size_t at = 1;
    if (at < form_.items.size() && form_.items[at].is_symbol()) ++at; // a module
    for (; at < form_.items.size(); at += 3) {
        if (form_.items[at].kind != Form::Kind::Global || at + 2 >= form_.items.size() ||
            !form_.items[at + 1].is_symbol("="))
            return wrong(form_.items[at].span, "a defglobal is written ?*name* = value");
        Scope scope;
        scope.what = "defglobal";
        const std::size_t errors = session_.diagnostics().count();
        Expr initial = session_.compile(form_.items[at + 2], scope);
        if (session_.diagnostics().count() != errors) return false;
        Global* global = session_.find_global(form_.items[at].name);
        if (global == nullptr) {
            session_.globals_.emplace_back();
            global = &session_.globals_.back();
            global->name = form_.items[at].name;
        }
        global->initial = std::move(initial);
        const Value value = session_.call(global->initial);
        session_.flow_ = Flow::On;
        session_.set_global(*global, value);
    }
    return true;
}

bool ConstructReader::define_function() {
    if (!begin()) return false;
    if (find_builtin(name_) != nullptr)
        return wrong(form_.items[1].span, fmt::format("{} is a function of CLIPS itself", name_));
    if (at_ >= form_.items.size() || !form_.items[at_].is_list())
        return wrong(form_.span, "deffunction needs a list of parameters");
    Function made;
    made.name = text_;
    made.source = source_;
    made.span = form_.span;
    Scope scope;
    scope.what = "deffunction";
    scope.rule = name_;
    for (const Form& parameter : form_.items[at_].items) {
        const bool many = parameter.kind == Form::Kind::MultiVariable;
        if ((parameter.kind != Form::Kind::Variable && !many) || made.rest)
            return wrong(parameter.span, "parameters are ?name .. and at last $?name");
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
        session_.functions_.emplace_back();
        function = &session_.functions_.back();
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

void ConstructReader::collect_binds(const Form& form, const Scope& lhs,
                                    std::vector<const Text*>& names) const {
    if (!form.is_list()) return;
    if (form.head() == "bind" && form.items.size() > 1 && form.items[1].name != nullptr &&
        form.items[1].kind != Form::Kind::Global && lhs.lhs.contains(form.items[1].name) &&
        std::find(names.begin(), names.end(), form.items[1].name) == names.end())
        names.push_back(form.items[1].name);
    for (const Form& item : form.items)
        collect_binds(item, lhs, names);
}

bool ConstructReader::define_rule() {
    if (!begin()) return false;
    session_.remove_rule(name_);
    Rule pattern;
    pattern.name = text_;
    pattern.source = source_;
    pattern.span = form_.items[1].span;
    if (at_ < form_.items.size() && form_.items[at_].head() == "declare") {
        for (std::size_t i = 1; i < form_.items[at_].items.size(); ++i) {
            const Form& property = form_.items[at_].items[i];
            if (property.head() == "auto-focus") continue;
            if (property.head() != "salience" || property.items.size() != 2)
                return wrong(property.span, "declare takes (salience n) and (auto-focus TRUE)");
            Scope scope;
            scope.what = "defrule";
            scope.rule = name_;
            const std::size_t errors = session_.diagnostics().count();
            pattern.salience_expr = session_.compile(property.items[1], scope);
            if (session_.diagnostics().count() != errors) return false;
            const Value value = session_.call(pattern.salience_expr);
            session_.flow_ = Flow::On;
            if (value.type != Type::Integer) {
                session_.print("\n[PRNTUTIL10] Salience value must be an integer value.\n");
                return wrong(property.items[1].span, "a salience is an integer");
            }
            if (value.as_integer() < -10000 || value.as_integer() > 10000) {
                session_.print("\n[PRNTUTIL9] Salience value out of range -10000 to 10000\n");
                return wrong(property.items[1].span, "a salience lies in -10000 .. 10000");
            }
            pattern.salience = static_cast<int>(value.as_integer());
        }
        ++at_;
    }
    std::size_t arrow = at_;
    while (arrow < form_.items.size() && !form_.items[arrow].is_symbol("=>"))
        ++arrow;
    if (arrow == form_.items.size()) return wrong(form_.span, "a rule has => before its actions");
    const auto conditions =
        read_conditions(session_, {form_.items.data() + at_, arrow - at_}, name_);
    if (!conditions) return false;
    pattern.conditions = *conditions;
    pattern.action_forms.assign(form_.items.begin() + static_cast<std::ptrdiff_t>(arrow) + 1,
                                form_.items.end());
    std::vector<Rule*> built;
    const auto take_back = [&] {
        for (Rule* rule : built) {
            if (rule->last != nullptr) session_.network().remove(*rule);
            rule->last = nullptr;
            rule->name = nullptr;
        }
        return false;
    };
    int disjunct = 0;
    for (const std::vector<Ce>& alternative : normalise(*conditions)) {
        session_.rules_.push_back(pattern);
        Rule& rule = session_.rules_.back();
        rule.id = static_cast<std::uint32_t>(session_.rules_.size() - 1);
        rule.disjunct = disjunct++;
        rule.logical = static_cast<std::uint16_t>(std::count_if(
            alternative.begin(), alternative.end(), [](const Ce& ce) { return ce.logical; }));
        built.push_back(&rule);
        Builder builder(session_, rule);
        if (!builder.build(alternative)) return take_back();
        Scope scope;
        scope.lhs = std::move(builder.scope.lhs);
        scope.facts = std::move(builder.scope.facts);
        scope.what = "RHS of defrule";
        scope.rule = name_;
        std::vector<const Text*> rebound;
        for (std::size_t i = arrow + 1; i < form_.items.size(); ++i)
            collect_binds(form_.items[i], scope, rebound);
        const std::size_t errors = session_.diagnostics().count();
        for (const Text* name : rebound) {
            Form read;
            read.kind = Form::Kind::Variable;
            read.name = name;
            rule.entry.emplace_back(scope.next_local, session_.compile(read, scope));
            scope.locals[name] = scope.next_local++;
        }
        scope.most_locals = scope.next_local;
        for (std::size_t i = arrow + 1; i < form_.items.size(); ++i)
            rule.actions.push_back(session_.compile(form_.items[i], scope));
        if (session_.diagnostics().count() != errors) return take_back();
        rule.locals = scope.most_locals;
        rule.counted = session_.may_count(
            rule, {form_.items.data() + arrow + 1, form_.items.size() - arrow - 1}, scope);
    }
    session_.network().finish(built);
    return true;
}

} // namespace

bool Session::define(const Form& form, std::string_view source) {
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
    mistake(code::kClipsConstruct, form.span,
            head.empty() ? "expected a construct such as (defrule ..)"
                         : fmt::format("there is no construct {}", head),
            near ? fmt::format("did you mean {}?", *near) : "");
    return false;
}

} // namespace croupier::engine::clips
