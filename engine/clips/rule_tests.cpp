// The constraints of a field as tests of the pattern network or of a join.
#include "engine/clips/codes.h"
#include "engine/clips/rule_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine::clips {
namespace {

// CLIPS counts the calls of an expression's top: and, or, not pass the count on to their arguments.
std::uint32_t calls_in(const Form& form) {
    if (!form.is_list() && form.kind != Form::Kind::Not) return 0;
    const std::string_view head = form.head();
    if (form.kind == Form::Kind::Not || head == "and" || head == "or" || head == "not") {
        std::uint32_t sum = 0;
        for (const Form& item : form.items)
            sum += calls_in(item);
        return sum;
    }
    return 1;
}

} // namespace

bool Builder::reads_only_this(const Form& form) const {
    if (form.kind == Form::Kind::Variable || form.kind == Form::Kind::MultiVariable) {
        const auto found = scope.lhs.find(form.name);
        return found != scope.lhs.end() && found->second.pattern == scope.pattern &&
               found->second.place.kind != Place::Kind::Address;
    }
    return std::all_of(form.items.begin(), form.items.end(),
                       [&](const Form& item) { return reads_only_this(item); });
}

bool Builder::reads_only_this(const std::vector<std::vector<Term>>& any_of) const {
    for (const std::vector<Term>& all : any_of) {
        for (const Term& term : all) {
            const bool call =
                term.kind == Term::Kind::Predicate || term.kind == Term::Kind::ReturnValue;
            if (call && !reads_only_this(term.form)) return false;
            if (term.kind == Term::Kind::Variable || term.kind == Term::Kind::MultiVariable) {
                const auto found = scope.lhs.find(term.name);
                if (found == scope.lhs.end() || found->second.pattern != scope.pattern)
                    return false;
            }
        }
    }
    return true;
}

bool Builder::add_expression(const Form& form, bool negated, Tests& into) {
    // (eq ?x 7) and (eq ?x ?y) are comparisons, and found by key.
    const auto side = [&](const Form& item) -> const LhsVariable* {
        if (item.kind != Form::Kind::Variable) return nullptr;
        const auto found = scope.lhs.find(item.name);
        return found == scope.lhs.end() ? nullptr : &found->second;
    };
    rule.complexity += calls_in(form);
    scope.expression = &form;
    const bool differ = form.head() == "neq";
    if ((form.head() == "eq" || differ) && form.items.size() == 3) {
        const Form* first = &form.items[1];
        const Form* second = &form.items[2];
        const LhsVariable* x = side(*first);
        const LhsVariable* y = side(*second);
        if (x == nullptr || (y != nullptr && x->pattern != scope.pattern)) {
            std::swap(first, second);
            std::swap(x, y);
        }
        const bool equal = differ == negated;
        Test test;
        if (x != nullptr && x->pattern == scope.pattern && second->kind == Form::Kind::Constant) {
            test.kind = equal ? Test::Kind::EqualConstant : Test::Kind::DifferConstant;
            test.right = x->place;
            test.value = second->value;
            add(into, test, (negated ? "~" : "") + expression_key(form, scope));
            return true;
        }
        if (x != nullptr && y != nullptr && x->pattern == scope.pattern) {
            test.kind = equal ? Test::Kind::Equal : Test::Kind::Differ;
            test.right = x->place;
            test.left = y->place;
            test.within = y->pattern == scope.pattern;
            test.left_position = test.within ? 0 : y->position;
            if (!test.within) note_outer(*y);
            add(into, test, (negated ? "~" : "") + expression_key(form, scope));
            return true;
        }
    }
    std::vector<const LhsVariable*> outer;
    scope.outer = &outer;
    const std::size_t errors = session.diagnostics().count();
    Test test;
    test.expr = session.compile(form, scope);
    scope.outer = nullptr;
    if (session.diagnostics().count() != errors) return false;
    for (const LhsVariable* variable : outer)
        note_outer(*variable);
    if (negated) {
        Expr call;
        call.eval = [](Session& s, const Expr& e) {
            const Value value = s.call(e.args[0]);
            return s.interner().boolean(value == s.interner().no());
        };
        call.args.push_back(std::move(test.expr));
        test.expr = std::move(call);
    }
    add(into, std::move(test), (negated ? "~" : "") + expression_key(form, scope));
    return true;
}

bool Builder::check_constant(const Slot& slot, const Term& term) {
    if (term.kind != Term::Kind::Constant) return true;
    const std::string problem = slot.constraint.problem_with(term.value);
    if (problem.empty()) return true;
    return refuse(fmt::format("\n[CSTRNCHK1] A literal restriction value found in CE #{}\n{} for "
                              "slot {}.\n",
                              scope.ce, problem, slot.name->text),
                  term.span, code::kClipsType,
                  fmt::format("{} {} for slot {}", session.shown(term.value, true), problem,
                              slot.name->text));
}

bool Builder::term_test(const Term& term, const Place& place, const Place& tested, bool within_only,
                        Tests& alone, Tests& joint) {
    Test test;
    test.right = place;
    switch (term.kind) {
    case Term::Kind::Constant:
        ++rule.complexity;
        test.kind = term.negated ? Test::Kind::DifferConstant : Test::Kind::EqualConstant;
        test.value = term.value;
        if (!within_only) test.right = tested;
        add(within_only ? alone : joint, test,
            fmt::format("{}c{}/{}:{:x}", term.negated ? "~" : "", place_key(test.right),
                        static_cast<int>(term.value.type), term.value.bits));
        return true;
    case Term::Kind::Variable:
    case Term::Kind::MultiVariable: {
        ++rule.complexity;
        const auto found = scope.lhs.find(term.name);
        if (found == scope.lhs.end())
            return refuse(scope.unbound(term.name->text, " "), term.span, code::kClipsVariable,
                          fmt::format("?{} is used before anything binds it", term.name->text));
        const LhsVariable& variable = found->second;
        test.kind = term.negated ? Test::Kind::Differ : Test::Kind::Equal;
        test.left = variable.place;
        test.within = variable.pattern == scope.pattern;
        if (!test.within) {
            test.left_position = variable.position;
            note_outer(variable);
        }
        const bool here = test.within && within_only;
        add(here ? alone : joint, test,
            fmt::format("{}v{}{}/{}", term.negated ? "~" : "", test.within ? -1 : variable.position,
                        place_key(variable.place), place_key(place)));
        return true;
    }
    case Term::Kind::Predicate: {
        const bool here = within_only && reads_only_this(term.form);
        return add_expression(term.form, term.negated, here ? alone : joint);
    }
    case Term::Kind::ReturnValue: {
        rule.complexity += 1;
        const bool here = within_only && reads_only_this(term.form);
        const std::size_t errors = session.diagnostics().count();
        std::vector<const LhsVariable*> outer;
        scope.outer = &outer;
        scope.expression = &term.form;
        Expr call;
        call.eval = [](Session& s, const Expr& e) {
            const Value wanted = s.call(e.args[0]);
            const Value there = s.network().value_at(s.right_binds()[0], e.place);
            return s.interner().boolean((wanted == there) != (e.a == 1));
        };
        call.place = tested;
        call.a = term.negated ? 1 : 0;
        call.args.push_back(session.compile(term.form, scope));
        scope.outer = nullptr;
        if (session.diagnostics().count() != errors) return false;
        for (const LhsVariable* variable : outer)
            note_outer(*variable);
        test.expr = std::move(call);
        add(here ? alone : joint, std::move(test),
            fmt::format("{}r{}/{}", term.negated ? "~" : "", place_key(tested),
                        expression_key(term.form, scope)));
        return true;
    }
    }
    return true;
}

// `by_constant`: all that the field asks in the pattern network is one constant.
bool Builder::field_tests(const Field& field, const Place& place, const Place& tested, Tests& alone,
                          Tests& joint, bool& by_constant, Value& constant) {
    if (field.any_of.empty()) return true;
    if (field.any_of.size() == 1) {
        bool only_constant = true;
        for (const Term& term : field.any_of[0]) {
            if (term.kind == Term::Kind::Constant && !term.negated && field.any_of[0].size() == 1 &&
                !field.many) {
                by_constant = true;
                constant = term.value;
                ++rule.complexity;
                continue;
            }
            only_constant = false;
            if (!term_test(term, place, tested, true, alone, joint)) return false;
        }
        by_constant = by_constant && only_constant;
        return true;
    }
    // Alternatives: one test, in the pattern network where all is known there.
    const bool here = reads_only_this(field.any_of);
    Tests joined;
    Expr any;
    std::string key = "or";
    std::vector<std::vector<Test>> choices;
    for (const std::vector<Term>& all : field.any_of) {
        Tests of_choice;
        for (const Term& term : all) {
            if (!term_test(term, place, tested, here, of_choice, of_choice)) return false;
        }
        key += "(" + of_choice.key + ")";
        choices.push_back(std::move(of_choice.all));
    }
    Test test;
    test.kind = Test::Kind::AnyOf;
    test.choices = std::move(choices);
    add(here ? alone : joint, std::move(test), key);
    return true;
}

} // namespace croupier::engine::clips
