// defrule: from a form to the rules of its alternatives.
#include "engine/clips/construct.h"

#include "engine/clips/rule_build.h"
#include "engine/clips/rule_read.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine::clips {

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

// Logical elements come first, and all together.
bool ConstructReader::logical_first(const std::vector<Ce>& conditions) {
    for (std::size_t i = 1; i < conditions.size(); ++i) {
        if (!conditions[i].logical || conditions[i - 1].logical) continue;
        const bool first = !conditions[0].logical;
        session_.refuse(first ? "\n[RULEPSR1] Logical CEs must be placed first in a rule\n"
                              : "\n[RULEPSR2] Gaps may not exist between logical CEs\n",
                        form_.span.end);
        return wrong(conditions[i].span, first ? "logical elements come first in a rule"
                                               : "another element stands between logical ones");
    }
    return true;
}

bool ConstructReader::define_rule() {
    if (!begin()) return false;
    session_.tell_construct("defrule", name_, '*', session_.remove_rule(name_));
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
            session_.go_on();
            if (value.type != Type::Integer) {
                session_.refuse("\n[PRNTUTIL10] Salience value must be an integer value.\n",
                                property.items[1].span.end);
                return wrong(property.items[1].span, "a salience is an integer");
            }
            if (value.as_integer() < -10000 || value.as_integer() > 10000) {
                session_.refuse("\n[PRNTUTIL9] Salience value out of range -10000 to 10000.\n",
                                property.items[1].span.end);
                return wrong(property.items[1].span, "a salience lies in -10000 .. 10000");
            }
            pattern.salience = static_cast<int>(value.as_integer());
        }
        ++at_;
    }
    std::size_t arrow = at_;
    while (arrow < form_.items.size() && !form_.items[arrow].is_symbol("=>"))
        ++arrow;
    const auto conditions =
        read_conditions(session_, {form_.items.data() + at_, arrow - at_}, name_);
    if (conditions && arrow == form_.items.size()) {
        session_.refuse_syntax("defrule", form_.span.end);
        return wrong(form_.span, "a rule has => before its actions");
    }
    if (!conditions || !logical_first(*conditions)) return false;
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
        session_.defined().rules.push_back(pattern);
        Rule& rule = session_.defined().rules.back();
        rule.id = static_cast<std::uint32_t>(session_.defined().rules.size() - 1);
        rule.disjunct = disjunct++;
        rule.logical = static_cast<std::uint16_t>(std::count_if(
            alternative.begin(), alternative.end(), [](const Ce& ce) { return ce.logical; }));
        built.push_back(&rule);
        Builder builder(session_, rule);
        builder.scope.construct = &form_;
        if (!builder.build(alternative)) return take_back();
        Scope scope;
        scope.lhs = std::move(builder.scope.lhs);
        scope.facts = std::move(builder.scope.facts);
        scope.what = "RHS of defrule";
        scope.rule = name_;
        scope.construct = &form_;
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
        if (session_.tells_words()) session_.print(builder.joins + "\n");
        rule.counted = session_.may_count(
            rule, {form_.items.data() + arrow + 1, form_.items.size() - arrow - 1}, scope);
    }
    session_.network().finish(built);
    return true;
}

} // namespace croupier::engine::clips
