// Facts as programs write them: in assert, modify, duplicate and deffacts.
#include "engine/clips/codes.h"
#include "engine/clips/session.h"
#include "engine/text/nearest.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine::clips {

std::string Constraint::problem_with(const Value& value) const {
    if ((types & bit(value.type)) == 0) return "does not match the allowed types";
    if ((allowed_types & bit(value.type)) != 0 &&
        std::find(allowed.begin(), allowed.end(), value) == allowed.end())
        return "does not match the allowed values";
    if (value.is_number() && ((least && value.to_real() < least->to_real()) ||
                              (most && value.to_real() > most->to_real())))
        return "does not fall in the allowed range " + range_text;
    return {};
}

bool Session::check_literal(const Slot& slot, const Form& literal, std::string_view command,
                            std::string_view rule, std::uint32_t until) {
    const Value& value = literal.value;
    const std::string problem = slot.constraint.problem_with(value);
    if (problem.empty()) return true;
    refuse(fmt::format("\n[CSTRNCHK1] A literal slot value found in the {} command\n{} for slot "
                       "{}.\n",
                       command, problem, slot.name->text),
           until);
    mistake(code::kClipsType, literal.span,
            fmt::format("{} {} for slot {}", shown(value, true), problem, slot.name->text), "",
            rule);
    return false;
}

void Session::unknown_slot(const Template& of, const Form& name, std::string_view rule,
                           std::uint32_t until) {
    std::vector<std::string> known;
    for (const Slot& slot : of.slots)
        known.push_back(slot.name->text);
    const auto near = nearest(name.value.text(), known);
    refuse(
        fmt::format("\n[TMPLTDEF1] Invalid slot {} not defined in corresponding deftemplate {}.\n",
                    name.value.text(), of.name->text),
        until);
    mistake(code::kClipsSlot, name.span,
            fmt::format("deftemplate {} has no slot {}", of.name->text, name.value.text()),
            near ? fmt::format("did you mean {}?", *near) : "", rule);
}

const Template* Session::template_of(const Form& form, const Scope& scope) {
    if (form.kind != Form::Kind::Variable || scope.locals.contains(form.name)) return nullptr;
    const auto found = scope.facts.find(form.name);
    return found == scope.facts.end() ? nullptr : found->second;
}

namespace {

// In a fact `=` before a call says that it is to be called, as it is anyway: the old way to write
// it. From the second item on.
bool has_equals(const Form& list) {
    return std::any_of(list.items.begin() + 1, list.items.end(),
                       [](const Form& item) { return item.is_symbol("="); });
}

// Null, or the `=` that no call follows.
const Form* drop_equals(Form& list) {
    for (std::size_t i = 1; i < list.items.size(); ++i) {
        if (!list.items[i].is_symbol("=")) continue;
        if (i + 1 == list.items.size() || !list.items[i + 1].is_list()) return &list.items[i];
        list.items.erase(list.items.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return nullptr;
}

} // namespace

bool Session::compile_fact(const Form& form, Scope& scope, Expr& into) {
    if (form.head().empty()) {
        refuse_syntax(form.is_list() ? "first field of a RHS pattern" : "RHS patterns",
                      form.span.end);
        mistake(code::kClipsSyntax, form.span, "a fact is written (relation value ..)", "",
                scope.rule);
        return false;
    }
    const Text* name = form.items[0].value.as_text();
    Template* of = find_template(name);
    if (of == nullptr) of = &ordered_template(name);
    of->used = true;
    into.data = of;
    const auto slot_has_equals = [&](const Form& slot) {
        return !of->implied && !slot.items.empty() && has_equals(slot);
    };
    if (has_equals(form) || std::any_of(form.items.begin(), form.items.end(), slot_has_equals)) {
        Form plain = form;
        const Form* odd = drop_equals(plain);
        for (std::size_t i = 1; odd == nullptr && !of->implied && i < plain.items.size(); ++i)
            odd = plain.items[i].items.empty() ? nullptr : drop_equals(plain.items[i]);
        if (odd == nullptr) return compile_fact(plain, scope, into);
        refuse_syntax("function calls", odd->span.end);
        mistake(code::kClipsSyntax, odd->span, "a function call should follow =", "", scope.rule);
        return false;
    }
    const auto many = [&](std::span<const Form> forms, const Slot& slot, Expr& list,
                          std::uint32_t until) {
        std::vector<Value> constants;
        for (const Form& item : forms) {
            if (item.kind == Form::Kind::Constant) {
                if (!check_literal(slot, item, "assert", scope.rule, until)) return false;
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
        return many(rest, of->slots[0], into.args.back(), form.span.end);
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
            unknown_slot(*of, item.items[0], scope.rule, item.items[0].span.end);
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
            if (!many(values, slot, into.args[at], item.span.end)) return false;
            continue;
        }
        if (values.size() != 1) {
            refuse(fmt::format(
                       "\n[TMPLTDEF2] The single field slot {} can only contain a single field "
                       "value.\n",
                       slot.name->text),
                   item.span.end);
            mistake(code::kClipsSlot, item.span,
                    fmt::format("the slot {} holds exactly one value", slot.name->text), "",
                    scope.rule);
            return false;
        }
        if (values[0].kind == Form::Kind::Constant &&
            !check_literal(slot, values[0], "assert", scope.rule, item.span.end))
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
            refuse(fmt::format("\n[TMPLTRHS1] Slot {} requires a value because of its (default "
                               "?NONE) attribute.\n",
                               slot.name->text),
                   form.span.end);
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

} // namespace croupier::engine::clips
