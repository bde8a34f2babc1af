// What in a program looks like a mistake although it can be run.
#include "engine/clips/codes.h"
#include "engine/clips/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace croupier::engine::clips {
namespace {

class Linter {
  public:
    Linter(Session& session, const Rule& rule) : session_(session), rule_(rule) {}

    void run() {
        std::set<const Text*> known;
        elements(rule_.conditions, known, true);
        for (const Form& action : rule_.action_forms)
            form(action);
        for (const auto& [name, uses] : uses_) {
            if (uses.count == 1 && uses.in_condition)
                warn(code::kClipsUsedOnce, uses.span,
                     fmt::format("?{} is used only once", name->text),
                     "? matches without giving a name");
        }
        for (const Form& action : rule_.action_forms)
            retriggers(action);
    }

  private:
    struct Uses {
        int count = 0;
        bool in_condition = false;
        Span span;
    };

    void warn(std::string_view code, Span span, std::string message, std::string hint) {
        session_.diagnostics().warning(code, span, std::move(message), std::move(hint),
                                       rule_.name->text);
    }

    void use(const Text* name, Span span, bool in_condition) {
        Uses& uses = uses_[name];
        if (uses.count++ == 0) uses = {1, in_condition, span};
    }

    void form(const Form& at) {
        if (at.kind == Form::Kind::Variable || at.kind == Form::Kind::MultiVariable)
            use(at.name, at.span, false);
        for (const Form& item : at.items)
            form(item);
    }

    void gather(const Form& at, std::set<const Text*>& names) const {
        if (at.kind == Form::Kind::Variable || at.kind == Form::Kind::MultiVariable)
            names.insert(at.name);
        for (const Form& item : at.items)
            gather(item, names);
    }

    void elements(const std::vector<Ce>& list, std::set<const Text*>& known, bool top) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            const Ce& ce = list[i];
            if (ce.kind == Ce::Kind::Test) {
                for (const Form& test : ce.tests)
                    form(test);
                continue;
            }
            if (ce.kind != Ce::Kind::Pattern) {
                std::set<const Text*> inside = known;
                elements(ce.parts, inside, false);
                if (ce.kind != Ce::Kind::Not) known = inside;
                continue;
            }
            pattern(ce, known, top && i > 0, i + 1 < list.size() ? &list[i + 1] : nullptr);
        }
    }

    void pattern(const Ce& ce, std::set<const Text*>& known, bool may_cross, const Ce* next) {
        std::set<const Text*> mine;
        bool constrained = false;
        for (const SlotPattern& slot : ce.slots) {
            for (const Field& field : slot.fields) {
                if (field.name != nullptr) {
                    use(field.name, field.span, true);
                    mine.insert(field.name);
                }
                for (const std::vector<Term>& all : field.any_of) {
                    contradiction(all, field.span);
                    for (const Term& term : all) {
                        constrained = constrained || term.kind == Term::Kind::Constant;
                        if (term.name != nullptr) {
                            use(term.name, term.span, false);
                            mine.insert(term.name);
                        }
                        form(term.form);
                        gather(term.form, mine);
                    }
                }
            }
        }
        std::set<const Text*> with_test = mine;
        if (next != nullptr && next->kind == Ce::Kind::Test) {
            for (const Form& test : next->tests)
                gather(test, with_test);
        }
        const bool shares = std::any_of(with_test.begin(), with_test.end(),
                                        [&](const Text* name) { return known.contains(name); });
        if (may_cross && !known.empty() && !mine.empty() && !shares && !constrained)
            warn(code::kClipsCrossProduct, ce.span,
                 "this pattern has nothing in common with those before it: every combination "
                 "matches",
                 "join them by a variable, or put the most selective pattern first");
        known.insert(mine.begin(), mine.end());
    }

    // a&b, a&~a, and the like.
    void contradiction(const std::vector<Term>& all, Span span) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (all[i].kind != Term::Kind::Constant || all[j].kind != Term::Kind::Constant)
                    continue;
                const bool same = all[i].value == all[j].value;
                const bool both = !all[i].negated && !all[j].negated;
                if ((both && !same) || (same && all[i].negated != all[j].negated))
                    warn(code::kClipsContradiction, span, "these constraints exclude each other",
                         "");
            }
        }
    }

    // (modify ?f ..) of slots that the rule's own pattern does not look at.
    void retriggers(const Form& action) {
        for (const Form& item : action.items)
            retriggers(item);
        if (action.head() != "modify" || ends_phase() || action.items.size() < 3 ||
            action.items[1].kind != Form::Kind::Variable)
            return;
        for (const Ce& ce : rule_.conditions) {
            if (ce.kind != Ce::Kind::Pattern || ce.address != action.items[1].name) continue;
            for (std::size_t i = 2; i < action.items.size(); ++i) {
                if (action.items[i].head().empty()) return;
                const int number = ce.of->slot(action.items[i].items[0].value.as_text());
                for (const SlotPattern& slot : ce.slots) {
                    if (slot.slot != number) continue;
                    for (const Field& field : slot.fields) {
                        const bool repeated = field.name != nullptr && uses_[field.name].count > 2;
                        if (!field.any_of.empty() || repeated) return; // it may stop matching
                    }
                }
            }
            warn(code::kClipsRetriggers, action.span,
                 "the changed fact matches again, so the rule fires again without end",
                 "test the slot that is changed, or a fact that ends the phase");
        }
    }

    // The rule takes away a fact that it needs.
    [[nodiscard]] bool ends_phase() const {
        return std::any_of(
            rule_.action_forms.begin(), rule_.action_forms.end(), [&](const Form& form) {
                if (form.head() != "retract") return false;
                return std::any_of(rule_.conditions.begin(), rule_.conditions.end(),
                                   [&](const Ce& ce) {
                                       return ce.address != nullptr &&
                                              std::any_of(form.items.begin(), form.items.end(),
                                                          [&](const Form& item) {
                                                              return item.name == ce.address;
                                                          });
                                   });
            });
    }

    Session& session_;
    const Rule& rule_;
    std::map<const Text*, Uses> uses_;
};

} // namespace

void lint(Session& session) {
    for (const Rule& rule : session.rules()) {
        if (rule.last != nullptr && rule.disjunct == 0) Linter(session, rule).run();
    }
}

} // namespace croupier::engine::clips
