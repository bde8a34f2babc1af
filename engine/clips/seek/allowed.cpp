// What conditions and actions call.
#include "engine/clips/seek/allowed.h"

#include "engine/clips/function.h"

#include <algorithm>
#include <array>

namespace croupier::engine::clips::seek {
namespace {

bool depends_on_facts_only(const Form& form) {
    if (form.kind == Form::Kind::Global) return false;
    if (form.is_list()) {
        const std::string_view head = form.head();
        static constexpr std::array<std::string_view, 7> kElsewhere = {
            "random", "seed", "gensym", "gensym*", "eval", "build", "sort"};
        const Builtin* builtin = find_builtin(head);
        const auto in = [&](std::span<const Builtin> table) {
            return builtin >= table.data() && builtin < table.data() + table.size();
        };
        const bool known =
            head == "and" || head == "or" ||
            (builtin != nullptr && (in(math_functions()) || in(predicate_functions()) ||
                                    in(text_functions()) || in(multifield_functions())));
        if (!known || std::find(kElsewhere.begin(), kElsewhere.end(), head) != kElsewhere.end())
            return false;
    }
    return std::all_of(form.items.begin(), form.items.end(), depends_on_facts_only);
}

bool depends_on_facts_only(const Ce& ce) {
    for (const SlotPattern& slot : ce.slots) {
        for (const Field& field : slot.fields) {
            for (const std::vector<Term>& all : field.any_of) {
                for (const Term& term : all) {
                    const bool call =
                        term.kind == Term::Kind::Predicate || term.kind == Term::Kind::ReturnValue;
                    if (call && !depends_on_facts_only(term.form)) return false;
                }
            }
        }
    }
    const auto good = [](const Form& form) { return depends_on_facts_only(form); };
    return std::all_of(ce.tests.begin(), ce.tests.end(), good) &&
           std::all_of(ce.later_tests.begin(), ce.later_tests.end(), good) &&
           std::all_of(ce.parts.begin(), ce.parts.end(),
                       [](const Ce& part) { return depends_on_facts_only(part); });
}

// What would change the rules or look at their activations while games run.
bool needs_the_network(const Expr& expr) {
    static const std::vector<Evaluate> kCalls = [] {
        std::vector<Evaluate> calls;
        for (const std::string_view name :
             {"reset", "clear", "run", "agenda", "matches", "refresh", "refresh-agenda",
              "set-strategy", "set-salience-evaluation", "set-reset-globals", "load", "load*",
              "batch", "batch*", "undefrule", "eval", "build"}) {
            calls.push_back(find_builtin(name)->eval);
        }
        return calls;
    }();
    return std::find(kCalls.begin(), kCalls.end(), expr.eval) != kCalls.end() ||
           std::any_of(expr.args.begin(), expr.args.end(), needs_the_network);
}

} // namespace

bool conditions_allow(const Rule& rule) {
    return std::all_of(rule.conditions.begin(), rule.conditions.end(),
                       [](const Ce& ce) { return depends_on_facts_only(ce); });
}

bool actions_allow(const std::vector<Expr>& actions) {
    return std::none_of(actions.begin(), actions.end(), needs_the_network);
}

} // namespace croupier::engine::clips::seek
