// deftemplate, deffacts, defglobal, deffunction, defrule: from a form to the program.
#include "engine/clips/codes.h"
#include "engine/clips/function.h"
#include "engine/clips/rule_build.h"
#include "engine/clips/rule_read.h"
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
    bool read_slot(const Form& form, Template& of);
    bool read_constraint(const Form& attribute, Slot& slot);
    bool read_default(const Form& attribute, Slot& slot);
    void derive_default(Slot& slot);
    void collect_binds(const Form& form, const Scope& lhs, std::vector<const Text*>& names) const;

    Session& session_;
    const Form& form_;
    std::string_view source_;
    const Text* text_ = nullptr;
    std::string name_;
    std::size_t at_ = 2;
};

const std::vector<std::pair<std::string_view, std::uint32_t>> kTypes = {
    {"SYMBOL", Constraint::bit(Type::Symbol)},
    {"STRING", Constraint::bit(Type::String)},
    {"LEXEME", Constraint::bit(Type::Symbol) | Constraint::bit(Type::String)},
    {"INTEGER", Constraint::bit(Type::Integer)},
    {"FLOAT", Constraint::bit(Type::Float)},
    {"NUMBER", Constraint::bit(Type::Integer) | Constraint::bit(Type::Float)},
    {"INSTANCE-NAME", Constraint::bit(Type::InstanceName)},
    {"INSTANCE-ADDRESS", 0},
    {"INSTANCE", Constraint::bit(Type::InstanceName)},
    {"FACT-ADDRESS", Constraint::bit(Type::FactAddress)},
    {"EXTERNAL-ADDRESS", 0},
};

const std::vector<std::pair<std::string_view, std::uint32_t>> kAllowed = {
    {"allowed-symbols", Constraint::bit(Type::Symbol)},
    {"allowed-strings", Constraint::bit(Type::String)},
    {"allowed-lexemes", Constraint::bit(Type::Symbol) | Constraint::bit(Type::String)},
    {"allowed-integers", Constraint::bit(Type::Integer)},
    {"allowed-floats", Constraint::bit(Type::Float)},
    {"allowed-numbers", Constraint::bit(Type::Integer) | Constraint::bit(Type::Float)},
    {"allowed-values", ~0u},
};

bool ConstructReader::read_constraint(const Form& attribute, Slot& slot) {
    Constraint& constraint = slot.constraint;
    const std::string_view head = attribute.head();
    if (head == "type") {
        constraint.types = 0;
        constraint.types_given = true;
        for (std::size_t i = 1; i < attribute.items.size(); ++i) {
            const Form& item = attribute.items[i];
            if (item.kind == Form::Kind::Variable && item.name->text == "VARIABLE") {
                constraint.types = ~0u;
                continue;
            }
            const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& type) {
                return item.is_symbol(type.first);
            });
            if (found == kTypes.end()) return wrong(item.span, "there is no such type");
            constraint.types |= found->second;
        }
        return true;
    }
    if (head == "range") {
        if (attribute.items.size() != 3) return wrong(attribute.span, "range takes two numbers");
        for (const int which : {1, 2}) {
            const Form& item = attribute.items[static_cast<std::size_t>(which)];
            if (item.kind == Form::Kind::Constant && item.value.is_number())
                (which == 1 ? constraint.least : constraint.most) = item.value;
            else if (!(item.kind == Form::Kind::Variable && item.name->text == "VARIABLE"))
                return wrong(item.span, "range takes two numbers, or ?VARIABLE");
        }
        constraint.range_text =
            fmt::format("{} to {}", constraint.least ? number_text(*constraint.least) : "-oo",
                        constraint.most ? number_text(*constraint.most) : "+oo");
        return true;
    }
    if (head == "cardinality") return true;
    const auto found = std::find_if(kAllowed.begin(), kAllowed.end(),
                                    [&](const auto& allowed) { return head == allowed.first; });
    if (found == kAllowed.end()) {
        std::vector<std::string> known = {"type", "range", "cardinality", "default",
                                          "default-dynamic"};
        for (const auto& allowed : kAllowed)
            known.emplace_back(allowed.first);
        const auto near = nearest(head, known);
        return wrong(attribute.span, fmt::format("a slot has no attribute {}", head),
                     near ? fmt::format("did you mean {}?", *near) : "");
    }
    for (std::size_t i = 1; i < attribute.items.size(); ++i) {
        const Form& item = attribute.items[i];
        if (item.kind == Form::Kind::Variable && item.name->text == "VARIABLE") return true;
        if (item.kind != Form::Kind::Constant) return wrong(item.span, "expected a constant");
        constraint.allowed.push_back(item.value);
    }
    constraint.allowed_types |= found->second;
    return true;
}

bool ConstructReader::read_default(const Form& attribute, Slot& slot) {
    slot.kind = attribute.head() == "default" ? Slot::Default::Given : Slot::Default::Dynamic;
    if (attribute.items.size() == 2 && attribute.items[1].kind == Form::Kind::Variable) {
        const std::string& word = attribute.items[1].name->text;
        if (word == "NONE") {
            slot.kind = Slot::Default::None;
            return true;
        }
        if (word == "DERIVE") {
            slot.kind = Slot::Default::Derived;
            return true;
        }
    }
    Scope scope;
    scope.what = "deftemplate";
    scope.rule = name_;
    const std::size_t errors = session_.diagnostics().count();
    Expr all;
    for (std::size_t i = 1; i < attribute.items.size(); ++i)
        all.args.push_back(session_.compile(attribute.items[i], scope));
    if (session_.diagnostics().count() != errors) return false;
    const bool multi = slot.multi;
    if (!multi && all.args.size() != 1)
        return wrong(attribute.span, "a slot that is no multislot has one default value");
    all.a = multi ? 1 : 0;
    all.eval = [](Session& session, const Expr& e) {
        if (e.a == 0) return session.call(e.args[0]);
        std::vector<Value> fields;
        for (const Expr& one : e.args)
            flatten(session.call(one), fields);
        return session.interner().multifield(fields);
    };
    if (slot.kind == Slot::Default::Given) {
        slot.value = session_.call(all);
        session_.flow_ = Flow::On;
        session_.keep(slot.value);
    } else {
        slot.dynamic = std::move(all);
    }
    return true;
}

void ConstructReader::derive_default(Slot& slot) {
    if (slot.multi) {
        slot.value = session_.interner().empty();
        return;
    }
    const Constraint& constraint = slot.constraint;
    const auto first_allowed = [&](Type type, Value otherwise) {
        if ((constraint.allowed_types & Constraint::bit(type)) != 0) {
            for (const Value& value : constraint.allowed) {
                if (value.type == type) return value;
            }
        }
        return otherwise;
    };
    const auto may = [&](Type type) {
        if ((constraint.types & Constraint::bit(type)) == 0) return false;
        if ((constraint.allowed_types & Constraint::bit(type)) == 0) return true;
        return constraint.allowed_types != ~0u ||
               std::any_of(constraint.allowed.begin(), constraint.allowed.end(),
                           [&](const Value& value) { return value.type == type; });
    };
    const auto in_range = [&](Value zero) {
        std::optional<Value> limit = constraint.least ? constraint.least : constraint.most;
        if (!limit) return zero;
        return zero.type == Type::Integer
                   ? Value::integer(static_cast<std::int64_t>(limit->to_real()))
                   : Value::real(limit->to_real());
    };
    Interner& interner = session_.interner();
    if (may(Type::Symbol))
        slot.value = first_allowed(Type::Symbol, interner.nil());
    else if (may(Type::String))
        slot.value = first_allowed(Type::String, interner.string(""));
    else if (may(Type::Integer))
        slot.value = first_allowed(Type::Integer, in_range(Value::integer(0)));
    else if (may(Type::Float))
        slot.value = first_allowed(Type::Float, in_range(Value::real(0.0)));
    else
        slot.value = interner.nil();
}

bool ConstructReader::read_slot(const Form& form, Template& of) {
    const std::string_view head = form.head();
    if (head != "slot" && head != "field" && head != "multislot" && head != "multifield")
        return wrong(form.span, "expected (slot name ..) or (multislot name ..)");
    if (form.items.size() < 2 || !form.items[1].is_symbol())
        return wrong(form.span, "a slot needs a name");
    Slot slot;
    slot.name = form.items[1].value.as_text();
    slot.multi = head.starts_with("multi");
    if (of.slot(slot.name) >= 0)
        return wrong(form.items[1].span,
                     fmt::format("the slot {} is declared twice", slot.name->text));
    const Form* default_form = nullptr;
    for (std::size_t i = 2; i < form.items.size(); ++i) {
        const Form& attribute = form.items[i];
        if (attribute.head() == "default" || attribute.head() == "default-dynamic")
            default_form = &attribute;
        else if (!read_constraint(attribute, slot))
            return false;
    }
    if (default_form != nullptr && !read_default(*default_form, slot)) return false;
    if (slot.kind == Slot::Default::Derived) derive_default(slot);
    of.slots.push_back(std::move(slot));
    return true;
}

bool ConstructReader::define_template() {
    if (!begin()) return false;
    Template made;
    made.name = text_;
    made.source = source_;
    for (; at_ < form_.items.size(); ++at_) {
        if (!read_slot(form_.items[at_], made)) return false;
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

// ---- facts in programs

bool Session::check_literal(const Slot& slot, const Form& literal, std::string_view command,
                            std::string_view rule) {
    const Constraint& constraint = slot.constraint;
    const Value& value = literal.value;
    std::string problem;
    if ((constraint.types & Constraint::bit(value.type)) == 0) {
        problem = "does not match the allowed types";
    } else if ((constraint.allowed_types & Constraint::bit(value.type)) != 0 &&
               std::find(constraint.allowed.begin(), constraint.allowed.end(), value) ==
                   constraint.allowed.end()) {
        problem = "does not match the allowed values";
    } else if (value.is_number() &&
               ((constraint.least && value.to_real() < constraint.least->to_real()) ||
                (constraint.most && value.to_real() > constraint.most->to_real()))) {
        problem = "does not fall in the allowed range " + constraint.range_text;
    }
    if (problem.empty()) return true;
    print(
        fmt::format("\n[CSTRNCHK1] A literal slot value found in the {} command\n{} for slot {}.\n",
                    command, problem, slot.name->text));
    mistake(code::kClipsType, literal.span,
            fmt::format("{} {} for slot {}", shown(value, true), problem, slot.name->text), "",
            rule);
    return false;
}

void Session::unknown_slot(const Template& of, const Form& name, std::string_view rule) {
    std::vector<std::string> known;
    for (const Slot& slot : of.slots)
        known.push_back(slot.name->text);
    const auto near = nearest(name.value.text(), known);
    print(
        fmt::format("\n[TMPLTDEF1] Invalid slot {} not defined in corresponding deftemplate {}.\n",
                    name.value.text(), of.name->text));
    mistake(code::kClipsSlot, name.span,
            fmt::format("deftemplate {} has no slot {}", of.name->text, name.value.text()),
            near ? fmt::format("did you mean {}?", *near) : "", rule);
}

const Template* Session::template_of(const Form& form, const Scope& scope) {
    if (form.kind != Form::Kind::Variable || scope.locals.contains(form.name)) return nullptr;
    const auto found = scope.facts.find(form.name);
    return found == scope.facts.end() ? nullptr : found->second;
}

bool Session::compile_fact(const Form& form, Scope& scope, Expr& into) {
    if (form.head().empty()) {
        mistake(code::kClipsSyntax, form.span, "a fact is written (relation value ..)", "",
                scope.rule);
        return false;
    }
    const Text* name = form.items[0].value.as_text();
    Template* of = find_template(name);
    if (of == nullptr) of = &ordered_template(name);
    of->used = true;
    into.data = of;
    const auto many = [&](std::span<const Form> forms, const Slot& slot, Expr& list) {
        std::vector<Value> constants;
        for (const Form& item : forms) {
            if (item.kind == Form::Kind::Constant) {
                if (!check_literal(slot, item, "assert", scope.rule)) return false;
                constants.push_back(item.value);
            }
            list.args.push_back(compile(item, scope));
        }
        if (constants.size() == forms.size()) {
            list.value = interner_.multifield(constants);
            constants_.push_back(list.value);
            list.data = of;
        }
        return true;
    };
    const std::span<const Form> rest(form.items.data() + 1, form.items.size() - 1);
    if (of->implied) {
        into.args.emplace_back();
        return many(rest, of->slots[0], into.args.back());
    }
    into.args.resize(of->slots.size());
    std::vector<bool> given(of->slots.size());
    for (const Form& item : rest) {
        if (item.head().empty()) {
            mistake(code::kClipsSyntax, item.span, "a slot is written (name value ..)", "",
                    scope.rule);
            return false;
        }
        const int number = of->slot(item.items[0].value.as_text());
        if (number < 0) {
            unknown_slot(*of, item.items[0], scope.rule);
            return false;
        }
        const auto at = static_cast<std::size_t>(number);
        const Slot& slot = of->slots[at];
        if (given[at]) {
            mistake(code::kClipsSlot, item.span,
                    fmt::format("the slot {} stands here twice", slot.name->text), "", scope.rule);
            return false;
        }
        given[at] = true;
        const std::span<const Form> values(item.items.data() + 1, item.items.size() - 1);
        if (slot.multi) {
            if (!many(values, slot, into.args[at])) return false;
            continue;
        }
        if (values.size() != 1) {
            print(fmt::format(
                "\n[TMPLTDEF2] The single field slot {} can only contain a single field value.\n",
                slot.name->text));
            mistake(code::kClipsSlot, item.span,
                    fmt::format("the slot {} holds exactly one value", slot.name->text), "",
                    scope.rule);
            return false;
        }
        if (values[0].kind == Form::Kind::Constant &&
            !check_literal(slot, values[0], "assert", scope.rule))
            return false;
        into.args[at] = compile(values[0], scope);
    }
    for (std::size_t i = 0; i < of->slots.size(); ++i) {
        if (given[i]) continue;
        const Slot& slot = of->slots[i];
        Form literal;
        literal.kind = Form::Kind::Constant;
        literal.value = slot.value;
        literal.span = form.span;
        switch (slot.kind) {
        case Slot::Default::None:
            print(fmt::format("\n[TMPLTRHS1] Slot {} requires a value because of its (default "
                              "?NONE) attribute.\n",
                              slot.name->text));
            mistake(code::kClipsSlot, form.span,
                    fmt::format("the slot {} has no default and needs a value", slot.name->text),
                    "", scope.rule);
            return false;
        case Slot::Default::Dynamic:
            if (slot.multi)
                into.args[i].args.push_back(slot.dynamic);
            else
                into.args[i] = slot.dynamic;
            break;
        default:
            if (slot.multi) {
                into.args[i].value = slot.value;
                into.args[i].data = of;
            } else {
                into.args[i] = compile(literal, scope);
            }
        }
    }
    return true;
}

// ---- names

Template* Session::find_template(const Text* name) {
    const auto found = templates_by_name_.find(name);
    return found == templates_by_name_.end() ? nullptr : found->second;
}

Template& Session::add_template(Template&& made) {
    templates_.push_back(std::move(made));
    templates_by_name_[templates_.back().name] = &templates_.back();
    return templates_.back();
}

Template& Session::ordered_template(const Text* name) {
    Template made;
    made.name = name;
    made.implied = true;
    Slot fields;
    fields.name = interner_.text("implied");
    fields.multi = true;
    fields.value = interner_.empty();
    made.slots.push_back(std::move(fields));
    return add_template(std::move(made));
}

Function* Session::find_function(const Text* name) {
    for (Function& function : functions_) {
        if (function.name == name) return &function;
    }
    return nullptr;
}

Global* Session::find_global(const Text* name) {
    for (Global& global : globals_) {
        if (global.name == name) return &global;
    }
    return nullptr;
}

Rule* Session::find_rule(std::string_view name) {
    for (Rule& rule : rules_) {
        if (rule.last != nullptr && rule.name->text == name) return &rule;
    }
    return nullptr;
}

bool Session::remove_rule(std::string_view name) {
    bool found = false;
    for (Rule& rule : rules_) {
        if (rule.last == nullptr || rule.name->text != name) continue;
        network_.remove(rule);
        found = true;
    }
    return found;
}

} // namespace croupier::engine::clips
