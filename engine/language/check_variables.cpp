// Follows the order in which conditions are tried and tracks which variables are bound where.
#include "engine/language/check.h"
#include "engine/language/words.h"

#include <deque>
#include <map>
#include <set>
#include <tuple>

namespace croupier::engine {
namespace {

constexpr std::size_t kMaxListed = 12; // variables in a hint

// One place that binds a variable.
struct Binding {
    std::string name;
    Span place;
    bool shared = false; // in a named pattern, where another rule may need it
    bool used = false;
};

struct Variable {
    std::vector<Binding*> bindings; // several after @any
    bool certain = true;            // false: bound by only some alternatives of an @any
};

// The variables known at a place. take_back removes those bound inside a part; copying all of them
// for every @not would take too long.
class Scope {
  public:
    [[nodiscard]] Variable* find(const std::string& name) {
        const auto at = variables_.find(name);
        return at == variables_.end() ? nullptr : &at->second;
    }
    Variable& add(const std::string& name) {
        order_.push_back(name);
        return variables_[name];
    }
    [[nodiscard]] std::size_t mark() const { return order_.size(); }
    // Removes and returns the variables added since `mark`, in the order of their binding.
    std::vector<std::pair<std::string, Variable>> take_back(std::size_t mark) {
        std::vector<std::pair<std::string, Variable>> taken;
        for (std::size_t i = mark; i < order_.size(); ++i) {
            const auto at = variables_.find(order_[i]);
            taken.emplace_back(at->first, std::move(at->second));
            variables_.erase(at);
        }
        order_.resize(mark);
        return taken;
    }
    [[nodiscard]] Words names() const {
        Words result;
        for (const auto& [name, variable] : variables_)
            if (!variable.bindings.empty()) result.push_back('$' + name);
        return result;
    }

  private:
    std::map<std::string, Variable> variables_;
    std::vector<std::string> order_;
};

// All that the condition binds, wherever it is known.
std::set<std::string> bound_in(const Pattern& condition) {
    std::set<std::string> names;
    for_each<Pattern>(condition, [&](const Pattern& each) { names.insert(each.variable); });
    for_each<Entry>(condition, [&](const Entry& each) { names.insert(each.variable); });
    names.erase(std::string());
    return names;
}

class RuleChecker {
  public:
    RuleChecker(Reading& reading, bool unused, const Damage& damage)
        : reading_(reading), unused_(unused), damage_(damage) {}

    void group(const Group& group) {
        for (const Rule& each : group.rules)
            rule(each);
    }

  private:
    void rule(const Rule& rule) {
        const RuleScope named(reading_, rule.name);
        const auto saved = std::tuple{bindings_.size(), damaged_, local_, later_, later_hint_};
        damaged_ = damaged_ || damage_.rules.contains(rule.name);
        const std::size_t mark = scope_.mark();
        if (rule.condition) {
            later_ = bound_in(*rule.condition);
            later_hint_ = "it is bound further down; entries are tried in the order written";
            if (rule.condition->kind == PatternKind::Absent) forbid_absent(rule.condition->span);
            pattern(*rule.condition);
        }
        for (const Expr& salience : rule.salience)
            use(salience);
        action(rule.action);
        scope_.take_back(mark);
        later_hint_ = "else runs when the condition has no match, so nothing in it is bound";
        action(rule.otherwise);
        scope_.take_back(mark);
        warn_unused(std::get<0>(saved));
        std::tie(std::ignore, damaged_, local_, later_, later_hint_) = saved;
    }

    void warn_unused(std::size_t first) {
        if (!unused_ || reading_.diagnostics.has_errors()) return;
        for (std::size_t i = first; i < bindings_.size(); ++i) {
            Binding& binding = bindings_[i];
            if (binding.used || binding.shared || binding.name.starts_with('_')) continue;
            binding.used = true; // report it once
            reading_.warning(code::kUnusedVariable, binding.place,
                             "nothing uses the variable $" + binding.name,
                             "$_ tries every child and binds nothing; a name that begins with _ "
                             "is not warned about");
        }
    }

    // A callback that marks the variables of a part as used.
    auto user() {
        return [this](const std::string& name, Span place) { use_name(name, place); };
    }

    // ---- conditions ----------------------------------------------------------------------------

    void pattern(const Pattern& pattern) {
        for (const Expr& choice : pattern.choices)
            use(choice);
        use(pattern.expr);
        if (pattern.kind == PatternKind::Bind || pattern.kind == PatternKind::Assign)
            bind(pattern.variable, pattern.span);
        for (const Entry& each : pattern.entries)
            entry(each);
    }

    void entry(const Entry& entry) {
        for_each_variable(entry.key, user());
        for_each_variable(entry.path, user());
        if (form_of(entry.kind) == EntryForm::Ways) return alternatives(entry);
        if (is_local(entry.kind)) return locally(entry);
        switch (entry.kind) {
        case KeyKind::Variable:
            if (is_absent(entry) && scope_.find(entry.variable) == nullptr)
                forbid_absent(entry.patterns[0].span);
            bind(entry.variable, entry.key_span);
            break;
        case KeyKind::Wildcard:
        case KeyKind::Root:
            if (is_absent(entry)) forbid_absent(entry.patterns[0].span);
            break;
        case KeyKind::Use: {
            const bool outside = std::exchange(shared_, true);
            damaged_ = damaged_ || damage_.outside_rules;
            for (const Pattern& used : entry.patterns)
                pattern(used);
            shared_ = outside;
            return;
        }
        default:
            break;
        }
        for (const Pattern& inner : entry.patterns)
            pattern(inner);
    }

    static bool is_absent(const Entry& entry) {
        return entry.patterns[0].kind == PatternKind::Absent;
    }

    void forbid_absent(Span place) {
        reading_.error(code::kValueForm, place, "@absent needs a place that can be absent",
                       "for \"no child at all\" write {\"@not\": {\"$_\": {}}}");
    }

    // Variables bound inside are unknown afterwards.
    void locally(const Entry& entry) {
        const std::size_t mark = scope_.mark();
        for (const Pattern& each : entry.patterns)
            pattern(each);
        for (const Expr& value : entry.value)
            use(value);
        const bool total = form_of(entry.kind) == EntryForm::Total;
        for (const auto& [name, variable] : scope_.take_back(mark))
            local_[name] = total ? "an aggregate" : word_of(entry.kind);
        for (const Pattern& into : entry.into)
            pattern(into);
    }

    void alternatives(const Entry& entry) {
        std::map<std::string, Variable> merged;
        std::map<std::string, std::size_t> counts;
        for (const Pattern& alternative : entry.patterns) {
            const std::size_t mark = scope_.mark();
            pattern(alternative);
            for (const auto& [name, variable] : scope_.take_back(mark)) {
                if (variable.certain) ++counts[name];
                auto& bindings = merged[name].bindings;
                bindings.insert(bindings.end(), variable.bindings.begin(), variable.bindings.end());
            }
        }
        for (auto& [name, variable] : merged) {
            variable.certain = counts[name] == entry.patterns.size();
            scope_.add(name) = std::move(variable);
        }
    }

    // ---- actions -------------------------------------------------------------------------------

    template <class Part>
    void action(const Part& part) {
        constexpr bool kHoldsRules = std::is_same_v<Part, Action> ||
                                     std::is_same_v<Part, ActionNode> ||
                                     std::is_same_v<Part, ActionEntry>;
        if constexpr (std::is_same_v<Part, Group>)
            group(part);
        else if constexpr (kHoldsRules)
            for_each_part(part, [&](const auto& below) { action(below); });
        else
            for_each_variable(part, user());
    }

    // ---- variables -----------------------------------------------------------------------------

    void use(const Expr& expr) { for_each_variable(expr, user()); }

    void bind(const std::string& name, Span place) {
        if (scope_.find(name) != nullptr) {
            use_name(name, place);
            return;
        }
        bindings_.push_back({name, place, shared_, false});
        scope_.add(name).bindings.push_back(&bindings_.back());
    }

    void use_name(const std::string& name, Span place) {
        Variable* known = scope_.find(name);
        if (known == nullptr) {
            if (name == "this" || name == "_") {
                reading_.error(code::kVariableName, place, "$" + name + " is not a variable");
                return;
            }
            if (!damaged_ && !reading_.diagnostics.full()) report_unbound(name, place);
            scope_.add(name); // report it once
            return;
        }
        for (Binding* binding : known->bindings)
            binding->used = true;
        if (known->certain) return;
        reading_.error(code::kSomeAlternatives, place,
                       "the variable $" + name + " is bound by some alternatives of @any only",
                       "bind it in every alternative, or use it inside those that do");
        known->certain = true;
    }

    void report_unbound(const std::string& name, Span place) {
        if (const auto local = local_.find(name); local != local_.end()) {
            reading_.error(code::kLocalVariable, place,
                           "the variable $" + name + " is bound only inside " + local->second,
                           "a variable bound there is unknown outside; bind it earlier");
            return;
        }
        const Words bound = scope_.names();
        std::string hint =
            later_.contains(name) ? later_hint_ : reading_.did_you_mean('$' + name, bound);
        if (hint.empty() && bound.empty()) hint = "nothing is bound here yet";
        if (hint.empty() && bound.size() <= kMaxListed) hint = "bound here: " + list_words(bound);
        reading_.error(code::kUnbound, place,
                       "the variable $" + name + " is used before anything binds it",
                       std::move(hint));
    }

    Reading& reading_;
    bool unused_;
    const Damage& damage_;
    bool damaged_ = false; // part of the rule could not be read
    bool shared_ = false;
    Scope scope_;
    std::deque<Binding> bindings_;
    std::map<std::string, std::string> local_; // variable -> where it was bound locally
    std::set<std::string> later_;              // all variables of the rule's condition
    std::string later_hint_;                   // why one of these may be unbound
};

} // namespace

void check_variables(Reading& reading, const Ruleset& ruleset, bool unused, const Damage& damage) {
    for (const Group& group : ruleset.groups)
        RuleChecker(reading, unused, damage).group(group);
    for (const Expr& evaluator : ruleset.evaluator) {
        for_each_variable(evaluator, [&](const std::string& name, Span place) {
            reading.error(code::kUnbound, place,
                          "the variable $" + name + " is used before anything binds it",
                          "an evaluator that needs variables is a group of rules");
        });
        forbid_this(reading, evaluator, "an evaluator has no node and so no $this");
    }
}

} // namespace croupier::engine
