// Patterns and conditional elements from forms.
#include "engine/clips/rule_read.h"

#include "engine/clips/codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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
                if (is_group(forms[i + 2])) return false;
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
            return syntax(form.is_list() ? "the first field of a pattern" : "defrule",
                          form.span.end, form.span,
                          "a conditional element starts with '(' and a symbol");
        const std::string_view head = form.head();
        ce.span = form.span;
        const std::span<const Form> rest(form.items.data() + 1, form.items.size() - 1);
        if (head == "test") {
            ce.kind = Ce::Kind::Test;
            ce.place = ++places_;
            if (rest.size() != 1 || !rest[0].is_list())
                return syntax("function calls", rest.empty() ? form.span.end : rest[0].span.end,
                              form.span, "test takes one function call");
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
            if (rest.empty()) return arity(form, fmt::format("{} needs an element", head));
            if (!list(rest, ce.parts)) return false;
            if (head == "logical") mark_logical(ce);
            return true;
        }
        if (head == "not") {
            if (rest.size() != 1) return arity(form, "not takes one conditional element");
            ce.kind = Ce::Kind::Not;
            return list(rest, ce.parts);
        }
        if (head == "exists") {
            if (rest.empty()) return arity(form, "exists needs an element");
            ce.kind = Ce::Kind::Not;
            Ce inner;
            inner.kind = Ce::Kind::Not;
            inner.span = form.span;
            if (!conjunction(rest, inner, form.span)) return false;
            ce.parts.push_back(std::move(inner));
            return true;
        }
        if (head == "forall") {
            if (rest.size() < 2) return arity(form, "forall takes at least two elements");
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
        ce.place = ++places_;
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
            if (number < 0) {
                session_.unknown_slot(*of, item.items[0], rule_, item.items[0].span.end);
                return false;
            }
            for (const SlotPattern& before : ce.slots) {
                if (before.slot != number) continue;
                session_.refuse(fmt::format("\n[PRNTUTIL5] The slot {} has already been parsed.\n",
                                            slot_name->text),
                                item.items[0].span.end);
                return fail(item.span,
                            fmt::format("the slot {} stands here twice", slot_name->text));
            }
            SlotPattern slot;
            slot.slot = static_cast<std::uint16_t>(number);
            if (!fields({item.items.data() + 1, item.items.size() - 1}, slot.fields)) return false;
            const Slot& spec = of->slots[slot.slot];
            if (!spec.multi && (slot.fields.size() != 1 || slot.fields[0].many)) {
                const std::size_t last = std::min<std::size_t>(2, item.items.size() - 1);
                return syntax("deftemplate patterns", item.items[last].span.end, item.span,
                              fmt::format("the slot {} holds exactly one field", slot_name->text));
            }
            ce.slots.push_back(std::move(slot));
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

    // Refused with what CLIPS says, and with what we say.
    bool syntax(std::string_view of, std::uint32_t until, Span span, std::string message) {
        session_.refuse_syntax(of, until);
        return fail(span, std::move(message));
    }
    // What has no fact of its own, behind `?f <-`.
    bool is_group(const Form& form) {
        static constexpr std::array<std::string_view, 7> kGroups = {
            "not", "and", "or", "test", "exists", "forall", "logical"};
        if (std::find(kGroups.begin(), kGroups.end(), form.head()) == kGroups.end()) return false;
        const bool more = form.items.size() > 1;
        session_.refuse_syntax("defrule", more ? form.items[1].span.begin + 1 : form.span.end);
        fail(form.span, "only a pattern has a fact that could be named");
        return true;
    }
    bool arity(const Form& form, std::string message) {
        return syntax(fmt::format("the {} conditional element", form.head()), form.span.end,
                      form.span, std::move(message));
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
    int places_ = 0;
};

} // namespace

std::optional<std::vector<Ce>> read_conditions(Session& session, std::span<const Form> forms,
                                               std::string_view rule) {
    ConditionReader reader(session, rule);
    std::vector<Ce> conditions;
    if (!reader.list(forms, conditions)) return std::nullopt;
    return conditions;
}

std::optional<Ce> read_pattern(Session& session, const Form& form, std::string_view rule) {
    ConditionReader reader(session, rule);
    Ce ce;
    if (!reader.pattern(form, ce)) return std::nullopt;
    return ce;
}

} // namespace croupier::engine::clips
