// Patterns and conditional elements from forms.
#include "engine/clips/rule_read.h"

#include "engine/clips/codes.h"
#include "engine/text/nearest.h"

#include <fmt/format.h>

namespace croupier::engine::clips {
namespace {

class ConditionReader {
  public:
    ConditionReader(Session& session, std::string_view rule) : session_(session), rule_(rule) {}

    bool list(std::span<const Form> forms, std::vector<Ce>& into) {
        for (std::size_t i = 0; i < forms.size(); ++i) {
            if (forms[i].kind == Form::Kind::Variable && i + 2 < forms.size() &&
                forms[i + 1].is_symbol("<-")) {
                Ce ce;
                if (!pattern(forms[i + 2], ce)) return false;
                ce.address = forms[i].name;
                into.push_back(std::move(ce));
                i += 2;
                continue;
            }
            Ce ce;
            if (!element(forms[i], ce)) return false;
            into.push_back(std::move(ce));
        }
        return true;
    }

    bool element(const Form& form, Ce& ce) {
        if (!form.is_list() || form.head().empty())
            return fail(form.span, "a conditional element starts with '(' and a symbol");
        const std::string_view head = form.head();
        ce.span = form.span;
        const std::span<const Form> rest(form.items.data() + 1, form.items.size() - 1);
        if (head == "test") {
            ce.kind = Ce::Kind::Test;
            if (rest.size() != 1 || !rest[0].is_list())
                return fail(form.span, "test takes one function call");
            ce.tests.push_back(rest[0]);
            return true;
        }
        if (head == "object") {
            session_.diagnostics().error(code::kClipsConstruct, form.span,
                                         "(object ..) is not supported",
                                         "COOL objects are out of scope", std::string(rule_));
            return false;
        }
        if (head == "and" || head == "or" || head == "logical") {
            ce.kind = head == "or" ? Ce::Kind::Or : Ce::Kind::And;
            if (rest.empty()) return fail(form.span, fmt::format("{} needs an element", head));
            if (!list(rest, ce.parts)) return false;
            if (head == "logical") mark_logical(ce);
            return true;
        }
        if (head == "not") {
            if (rest.size() != 1) return fail(form.span, "not takes one conditional element");
            ce.kind = Ce::Kind::Not;
            return list(rest, ce.parts);
        }
        if (head == "exists") {
            if (rest.empty()) return fail(form.span, "exists needs an element");
            ce.kind = Ce::Kind::Not;
            Ce inner;
            inner.kind = Ce::Kind::Not;
            inner.span = form.span;
            if (!conjunction(rest, inner, form.span)) return false;
            ce.parts.push_back(std::move(inner));
            return true;
        }
        if (head == "forall") {
            if (rest.size() < 2) return fail(form.span, "forall takes at least two elements");
            // not (and first (not (and others)))
            ce.kind = Ce::Kind::Not;
            Ce both;
            both.kind = Ce::Kind::And;
            both.span = form.span;
            if (!list(rest.subspan(0, 1), both.parts)) return false;
            Ce none;
            none.kind = Ce::Kind::Not;
            none.span = form.span;
            if (!conjunction(rest.subspan(1), none, form.span)) return false;
            both.parts.push_back(std::move(none));
            ce.parts.push_back(std::move(both));
            return true;
        }
        return pattern(form, ce);
    }

    bool pattern(const Form& form, Ce& ce) {
        if (form.head().empty()) return fail(form.span, "a pattern starts with a symbol");
        ce.kind = Ce::Kind::Pattern;
        ce.span = form.span;
        ce.number = ++patterns_;
        const Text* name = form.items[0].value.as_text();
        Template* of = session_.find_template(name);
        if (of == nullptr) of = &session_.ordered_template(name);
        of->used = true;
        ce.of = of;
        const std::span<const Form> rest(form.items.data() + 1, form.items.size() - 1);
        if (of->implied) {
            SlotPattern slot;
            if (!fields(rest, slot.fields)) return false;
            ce.slots.push_back(std::move(slot));
            return true;
        }
        for (const Form& item : rest) {
            if (item.head().empty()) return fail(item.span, "a slot is written (name field ..)");
            const Text* slot_name = item.items[0].value.as_text();
            const int number = of->slot(slot_name);
            if (number < 0) return unknown_slot(*of, item.items[0]);
            for (const SlotPattern& before : ce.slots) {
                if (before.slot == number)
                    return fail(item.span,
                                fmt::format("the slot {} stands here twice", slot_name->text));
            }
            SlotPattern slot;
            slot.slot = static_cast<std::uint16_t>(number);
            if (!fields({item.items.data() + 1, item.items.size() - 1}, slot.fields)) return false;
            const Slot& spec = of->slots[slot.slot];
            if (!spec.multi && (slot.fields.size() != 1 || slot.fields[0].many))
                return fail(item.span,
                            fmt::format("the slot {} holds exactly one field", slot_name->text));
            ce.slots.push_back(std::move(slot));
        }
        return true;
    }

    // Logical elements come first, and all together.
    bool logical_first(const std::vector<Ce>& conditions) {
        for (std::size_t i = 1; i < conditions.size(); ++i) {
            if (!conditions[i].logical || conditions[i - 1].logical) continue;
            const bool first = !conditions[0].logical;
            session_.print(first ? "\n[RULEPSR1] Logical CEs must be placed first in a rule\n"
                                 : "\n[RULEPSR2] Gaps may not exist between logical CEs\n");
            return fail(conditions[i].span, first ? "logical elements come first in a rule"
                                                  : "another element stands between logical ones");
        }
        return true;
    }

  private:
    static void mark_logical(Ce& ce) {
        ce.logical = true;
        for (Ce& part : ce.parts)
            mark_logical(part);
    }
    bool conjunction(std::span<const Form> forms, Ce& into, Span span) {
        if (forms.size() == 1) return list(forms, into.parts);
        Ce all;
        all.kind = Ce::Kind::And;
        all.span = span;
        if (!list(forms, all.parts)) return false;
        into.parts.push_back(std::move(all));
        return true;
    }

    bool unknown_slot(const Template& of, const Form& at) {
        std::vector<std::string> known;
        for (const Slot& slot : of.slots)
            known.push_back(slot.name->text);
        const auto near = nearest(at.value.text(), known);
        session_.diagnostics().error(
            code::kClipsSlot, at.span,
            fmt::format("deftemplate {} has no slot {}", of.name->text, at.value.text()),
            near ? fmt::format("did you mean {}?", *near) : "", std::string(rule_));
        session_.print(fmt::format("\n[TMPLTDEF1] Invalid slot {} not defined in corresponding "
                                   "deftemplate {}.\n",
                                   at.value.text(), of.name->text));
        return false;
    }

    // Fields joined by & | ~, up to the next field.
    bool fields(std::span<const Form> forms, std::vector<Field>& into) {
        std::size_t at = 0;
        while (at < forms.size()) {
            Field field;
            if (!one_field(forms, at, field)) return false;
            into.push_back(std::move(field));
        }
        return true;
    }

    bool one_field(std::span<const Form> forms, std::size_t& at, Field& field) {
        field.span = forms[at].span;
        if (forms[at].kind == Form::Kind::Any || forms[at].kind == Form::Kind::AnyMany) {
            field.many = forms[at].kind == Form::Kind::AnyMany;
            ++at;
            return true;
        }
        std::vector<std::vector<Term>> any_of(1);
        bool first = true;
        for (;;) {
            Term term;
            if (!one_term(forms, at, term)) return false;
            const bool variable =
                term.kind == Term::Kind::Variable || term.kind == Term::Kind::MultiVariable;
            const bool or_next = at < forms.size() && forms[at].kind == Form::Kind::Or;
            if (first && variable && !term.negated && !or_next) {
                field.name = term.name;
                field.many = term.kind == Term::Kind::MultiVariable;
            } else {
                if (first && term.kind == Term::Kind::MultiVariable) field.many = true;
                any_of.back().push_back(std::move(term));
            }
            first = false;
            if (at >= forms.size()) break;
            if (forms[at].kind == Form::Kind::And) {
                ++at;
            } else if (forms[at].kind == Form::Kind::Or) {
                ++at;
                any_of.emplace_back();
            } else {
                break;
            }
            if (at >= forms.size()) return fail(forms[at - 1].span, "a constraint should follow");
        }
        if (any_of.size() > 1 || !any_of[0].empty()) field.any_of = std::move(any_of);
        return true;
    }

    bool one_term(std::span<const Form> forms, std::size_t& at, Term& term) {
        while (at < forms.size() && forms[at].kind == Form::Kind::Not) {
            term.negated = !term.negated;
            ++at;
        }
        if (at >= forms.size()) return fail(forms[at - 1].span, "a constraint should follow");
        const Form& form = forms[at];
        term.span = form.span;
        if (form.kind == Form::Kind::Variable || form.kind == Form::Kind::MultiVariable) {
            term.kind = form.kind == Form::Kind::Variable ? Term::Kind::Variable
                                                          : Term::Kind::MultiVariable;
            term.name = form.name;
            ++at;
            return true;
        }
        const bool predicate = form.is_symbol(":");
        if ((predicate || form.is_symbol("=")) && at + 1 < forms.size() &&
            forms[at + 1].is_list()) {
            term.kind = predicate ? Term::Kind::Predicate : Term::Kind::ReturnValue;
            term.form = forms[at + 1];
            at += 2;
            return true;
        }
        if (form.kind == Form::Kind::Constant) {
            term.value = form.value;
            ++at;
            return true;
        }
        return fail(form.span, "expected a constant, a variable, :( or =(");
    }

    bool fail(Span span, std::string message) {
        session_.diagnostics().error(code::kClipsSyntax, span, std::move(message), "",
                                     std::string(rule_));
        return false;
    }

    Session& session_;
    std::string_view rule_;
    int patterns_ = 0;
};

// ---- normal form: what CLIPS's reorder pass does, on trees

using Ces = std::vector<Ce>;

// and-or to or-and, not-or to and-not; nested ands and ors flattened.
void lift_or(Ce& ce) {
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < ce.parts.size(); ++i) {
            Ce& part = ce.parts[i];
            if (ce.kind == Ce::Kind::And && part.kind == Ce::Kind::Or) {
                Ce any;
                any.kind = Ce::Kind::Or;
                any.span = ce.span;
                const Ces choices = part.parts;
                for (const Ce& choice : choices) {
                    Ce copy = ce;
                    copy.parts[i] = choice;
                    any.parts.push_back(std::move(copy));
                }
                ce = std::move(any);
                changed = true;
                break;
            }
            if (ce.kind == Ce::Kind::Not && part.kind == Ce::Kind::Or) {
                Ces choices = std::move(part.parts);
                ce.kind = Ce::Kind::And;
                ce.parts.clear();
                for (Ce& choice : choices) {
                    Ce none;
                    none.kind = Ce::Kind::Not;
                    none.span = choice.span;
                    none.parts.push_back(std::move(choice));
                    ce.parts.push_back(std::move(none));
                }
                changed = true;
                break;
            }
            if (ce.kind == part.kind && (ce.kind == Ce::Kind::And || ce.kind == Ce::Kind::Or)) {
                Ces inner = std::move(part.parts);
                ce.parts.erase(ce.parts.begin() + static_cast<std::ptrdiff_t>(i));
                ce.parts.insert(ce.parts.begin() + static_cast<std::ptrdiff_t>(i),
                                std::make_move_iterator(inner.begin()),
                                std::make_move_iterator(inner.end()));
                changed = true;
                break;
            }
        }
    }
}

// A negated test holds its forms as one list, of which `and` is meant.
void negate_test(Ce& test) {
    test.negated = !test.negated;
    if (test.negated) {
        Form all;
        all.span = test.span;
        all.items = std::move(test.tests);
        test.tests.clear();
        test.tests.push_back(std::move(all));
    } else {
        std::vector<Form> forms = std::move(test.tests[0].items);
        test.tests = std::move(forms);
    }
}

// Tests go to the pattern before them; groups of one become what they hold.
void compress(Ce& ce, int depth) {
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < ce.parts.size() && !changed; ++i) {
            Ce& part = ce.parts[i];
            const bool pair = i + 1 < ce.parts.size() && ce.parts[i + 1].kind == Ce::Kind::Test;
            if (ce.kind == Ce::Kind::Not && part.kind == Ce::Kind::Test) {
                Ce test = std::move(part);
                negate_test(test);
                ce = std::move(test);
                return;
            }
            const bool plain = part.kind == Ce::Kind::Pattern && !part.negated && !part.exists;
            const bool attaches = plain || (part.kind == Ce::Kind::Test && !part.negated);
            if (ce.kind == Ce::Kind::And && attaches && pair && !ce.parts[i + 1].negated) {
                Ce& next = ce.parts[i + 1];
                part.tests.insert(part.tests.end(), next.tests.begin(), next.tests.end());
                ce.parts.erase(ce.parts.begin() + static_cast<std::ptrdiff_t>(i + 1));
                changed = true;
            } else if (ce.kind == Ce::Kind::And && ce.parts.size() == 1 &&
                       (part.kind == Ce::Kind::Test ||
                        (part.kind == Ce::Kind::Pattern && depth > 1))) {
                Ce only = std::move(part);
                ce = std::move(only);
                return;
            }
        }
    }
}

void pass(Ce& ce, bool first, int depth) {
    for (bool again = true; again;) {
        again = false;
        const auto before = [&] { return ce.parts.size() * 8 + static_cast<std::size_t>(ce.kind); };
        const std::size_t was = before();
        if (first) lift_or(ce);
        compress(ce, depth);
        if (before() != was) again = true;
        for (Ce& part : ce.parts) {
            if (part.kind == Ce::Kind::Pattern || part.kind == Ce::Kind::Test) continue;
            const Ce::Kind kind = part.kind;
            const std::size_t size = part.parts.size();
            pass(part, first, depth + 1);
            if (part.kind != kind || part.parts.size() != size) again = true;
        }
    }
}

// not (pattern) and not (not ..) into their final forms. What is left of Not is a group.
void settle_not(Ce& ce) {
    for (Ce& part : ce.parts)
        settle_not(part);
    if (ce.kind != Ce::Kind::Not) return;
    Ce& inner = ce.parts[0];
    if (inner.kind == Ce::Kind::Test) {
        Ce test = std::move(inner);
        negate_test(test);
        ce = std::move(test);
        return;
    }
    if (inner.kind == Ce::Kind::Pattern && !inner.negated && !inner.exists) {
        Ce pattern = std::move(inner);
        pattern.negated = true;
        ce = std::move(pattern);
        return;
    }
    if (inner.kind == Ce::Kind::Pattern && inner.negated && !inner.exists &&
        inner.later_tests.empty()) {
        Ce pattern = std::move(inner);
        pattern.negated = false;
        pattern.exists = true;
        ce = std::move(pattern);
        return;
    }
    if (inner.kind == Ce::Kind::Pattern && inner.exists) {
        Ce pattern = std::move(inner);
        pattern.exists = false;
        pattern.negated = true;
        ce = std::move(pattern);
        return;
    }
    if (inner.kind == Ce::Kind::Not && !inner.exists) {
        Ce group = std::move(inner);
        group.exists = true;
        ce = std::move(group);
        return;
    }
    if (inner.kind == Ce::Kind::Not && inner.exists) {
        Ce group = std::move(inner);
        group.exists = false;
        ce = std::move(group);
        return;
    }
    if (inner.kind == Ce::Kind::And) {
        Ces parts = std::move(inner.parts);
        ce.parts = std::move(parts);
    }
}

// Tests behind a negated pattern or a group wait for it.
void attach_later(Ces& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i].parts.empty()) attach_later(parts[i].parts);
        const bool takes =
            parts[i].kind == Ce::Kind::Not ||
            (parts[i].kind == Ce::Kind::Pattern && (parts[i].negated || parts[i].exists));
        while (i + 1 < parts.size() && parts[i + 1].kind == Ce::Kind::Test) {
            Ce test = std::move(parts[i + 1]);
            Form form;
            form.span = test.span;
            if (test.negated) {
                form = test.tests[0];
                form.kind = Form::Kind::Not; // marks the negation, see compile_test
                test.tests = {form};
            }
            std::vector<Form>& into = takes ? parts[i].later_tests : parts[i].tests;
            into.insert(into.end(), test.tests.begin(), test.tests.end());
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i + 1));
        }
        if (parts[i].kind == Ce::Kind::Test && parts[i].negated) {
            Form form = parts[i].tests[0];
            form.kind = Form::Kind::Not;
            parts[i].tests = {form};
            parts[i].negated = false;
        }
    }
}

} // namespace

std::optional<std::vector<Ce>> read_conditions(Session& session, std::span<const Form> forms,
                                               std::string_view rule) {
    ConditionReader reader(session, rule);
    std::vector<Ce> conditions;
    if (!reader.list(forms, conditions) || !reader.logical_first(conditions)) return std::nullopt;
    return conditions;
}

std::optional<Ce> read_pattern(Session& session, const Form& form, std::string_view rule) {
    ConditionReader reader(session, rule);
    Ce ce;
    if (!reader.pattern(form, ce)) return std::nullopt;
    return ce;
}

std::vector<std::vector<Ce>> normalise(std::vector<Ce> conditions) {
    Ce top;
    top.kind = Ce::Kind::And;
    top.parts = std::move(conditions);
    if (top.parts.empty()) return {{}};
    pass(top, true, 1);
    Ces alternatives;
    if (top.kind == Ce::Kind::Or)
        alternatives = std::move(top.parts);
    else
        alternatives.push_back(std::move(top));
    std::vector<Ces> result;
    for (Ce& one : alternatives) {
        if (one.kind != Ce::Kind::And) {
            Ce wrapped;
            wrapped.kind = Ce::Kind::And;
            wrapped.parts.push_back(std::move(one));
            one = std::move(wrapped);
        }
        for (Ce& part : one.parts)
            settle_not(part);
        compress(one, 1);
        if (one.kind != Ce::Kind::And) {
            Ce only = std::move(one);
            one = Ce{};
            one.kind = Ce::Kind::And;
            one.parts.push_back(std::move(only));
        }
        attach_later(one.parts);
        result.push_back(std::move(one.parts));
    }
    return result;
}

} // namespace croupier::engine::clips
