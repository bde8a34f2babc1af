// From the joins of a rule to searches.
#include "engine/clips/seek/plan.h"

#include "engine/clips/function.h"
#include "engine/clips/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace croupier::engine::clips::seek {
namespace {

constexpr std::size_t kMostAlphas = 32; // of one template: bits of Fact::alphas
constexpr std::size_t kMostElements = 60;

// ---- what a condition may call

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
        const bool known = head == "and" || head == "or" ||
                           (builtin != nullptr && (in(math_functions()) || in(text_functions()) ||
                                                   in(multifield_functions())));
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

bool fallible(const Test& test) {
    return test.kind == Test::Kind::Expression || test.kind == Test::Kind::AnyOf;
}

// Whether the fact alone decides.
bool alone(const Test& test) {
    switch (test.kind) {
    case Test::Kind::EqualConstant:
    case Test::Kind::DifferConstant:
        return true;
    case Test::Kind::Equal:
    case Test::Kind::Differ:
        return test.within;
    default:
        return false;
    }
}

bool is_key(const Test& test) {
    return test.kind == Test::Kind::Equal && !test.within;
}

std::string key_of(const Place& place) {
    return fmt::format("{}.{}.{}.{}", static_cast<int>(place.kind), place.slot, place.index,
                       place.after);
}

// Where an index looks and where the values come from, in one order for all who ask the same.
class Keys {
  public:
    bool add(const Place& here, const Source& there) {
        return parts_.emplace(key_of(here), std::pair(here, there)).second;
    }
    // Leaves the sources in the step.
    std::vector<Place> take(Step& step) {
        std::vector<Place> places;
        for (const auto& [key, part] : parts_) {
            places.push_back(part.first);
            step.key.push_back(part.second);
        }
        return places;
    }

  private:
    std::map<std::string, std::pair<Place, Source>> parts_;
};

class Maker {
  public:
    explicit Maker(Program& program) : program_(program) {}

    bool add_rule(Rule& rule);

  private:
    bool read_elements(SoughtRule& rule);
    Alpha* alpha_of(const PatternNode* node, const std::vector<Test>& more, const std::string& key);
    const Index* index_of(Alpha& alpha, const std::vector<Place>& places);
    const Plan* make_plan(SoughtRule& rule, const Element* seed, bool counted);

    Program& program_;
};

// Builds one plan, element by element.
class PlanMaker {
  public:
    PlanMaker(SoughtRule& rule, Plan& plan) : rule_(rule), plan_(plan) {
        const std::size_t count = rule.elements.size();
        bound_.resize(count);
        done_.resize(count);
        gate_done_.resize(count);
        tests_done_.resize(count);
        for (const Element& element : rule.elements) {
            if (!element.is_gate() && element.kind != Element::Kind::Tests) continue;
            bound_[element.position] = element.kind == Element::Kind::Tests;
        }
        if (plan.counted) {
            last_ = &rule.elements.back();
            done_[last_->position] = true;
        }
    }

    template <typename IndexOf>
    void make(IndexOf index_of) {
        if (plan_.seed != nullptr) {
            bound_[plan_.seed->position] = true;
            if (!plan_.seed->is_gate()) done_[plan_.seed->position] = true;
        }
        ready(index_of);
        while (const Element* next = choose()) {
            add_find(*next, index_of);
            ready(index_of);
        }
    }
    void bind_all_but(const Element& last) {
        for (const Element& element : rule_.elements)
            bound_[element.position] = done_[element.position] = &element != &last;
    }
    // The step that finds the element by what is bound.
    template <typename IndexOf>
    void add_find(const Element& element, IndexOf index_of) {
        Step step;
        step.kind = Step::Kind::Find;
        step.element = &element;
        Keys keys;
        each_test_between(element, [&](const Test& test, const Element& holder) {
            const bool right = &holder == &element; // the element is what the test calls right
            const Place& here = right ? test.right : test.left;
            const Source there =
                right ? Source{test.left_position, test.left} : Source{holder.position, test.right};
            if (!is_key(test) || !keys.add(here, there))
                step.tests.push_back({&test, holder.position});
        });
        step.index = index_of(*element.alpha, keys.take(step));
        step.not_seed = plan_.seed != nullptr && plan_.seed->alpha->of == element.alpha->of &&
                        (plan_.seed->is_gate() || element.position < plan_.seed->position);
        plan_.steps.push_back(std::move(step));
        bound_[element.position] = done_[element.position] = true;
    }

  private:
    [[nodiscard]] bool positives_bound_before(std::size_t position, bool also) const {
        for (const Element& element : rule_.elements) {
            if (element.kind == Element::Kind::Positive &&
                (element.position < position || (also && element.position == position)) &&
                !done_[element.position])
                return false;
        }
        return true;
    }
    [[nodiscard]] bool all_before(const std::vector<bool>& of, std::size_t position) const {
        for (const Element& element : rule_.elements) {
            if (element.position < position && !of[element.position]) return false;
        }
        return true;
    }
    // Comparisons of the element with what is bound, whoever holds them.
    template <typename Visit>
    void each_test_between(const Element& element, Visit visit) const {
        for (const Element& holder : rule_.elements) {
            // A gate's tests are the gate's business, unless the search began there.
            if (holder.is_gate() && &holder != plan_.seed) continue;
            if (&holder != &element && !bound_[holder.position]) continue;
            for (const Test* test : holder.tests) {
                if (fallible(*test)) continue;
                if (&holder == &element ? bound_[test->left_position]
                                        : test->left_position == element.position)
                    visit(*test, holder);
            }
        }
    }
    [[nodiscard]] const Element* choose() const {
        const Element* best = nullptr;
        int most = -1;
        for (const Element& element : rule_.elements) {
            if (element.kind != Element::Kind::Positive || done_[element.position]) continue;
            int keys = 0;
            each_test_between(
                element, [&](const Test& test, const Element&) { keys += is_key(test) ? 1 : 0; });
            if (keys > most) {
                most = keys;
                best = &element;
            }
        }
        return best;
    }
    [[nodiscard]] bool gate_ready(const Element& gate) const {
        if (gate.fallible && (!positives_bound_before(gate.position, false) ||
                              !all_before(tests_done_, gate.position)))
            return false;
        return std::all_of(gate.tests.begin(), gate.tests.end(), [&](const Test* test) {
            return fallible(*test) || done_[test->left_position];
        });
    }
    template <typename IndexOf>
    void ready(IndexOf index_of) {
        for (const Element& element : rule_.elements) {
            const std::size_t at = element.position;
            if (element.is_gate() && !gate_done_[at] && gate_ready(element))
                add_gate(element, index_of);
            if (!element.is_gate()) gate_done_[at] = true;
            if (tests_done_[at] || !gate_done_[at] || !positives_bound_before(at, true) ||
                !all_before(gate_done_, at) || !all_before(tests_done_, at))
                continue;
            tests_done_[at] = true;
            Step step;
            step.kind = Step::Kind::Check;
            step.element = &element;
            const auto add = [&](const Test* test) {
                step.tests.push_back({test, element.position});
            };
            if (!element.is_gate() && &element != last_) {
                for (const Test* test : element.tests)
                    if (fallible(*test)) add(test);
            }
            std::for_each(element.later.begin(), element.later.end(), add);
            if (!step.tests.empty()) plan_.steps.push_back(std::move(step));
        }
    }
    template <typename IndexOf>
    void add_gate(const Element& gate, IndexOf index_of) {
        Step step;
        step.kind = Step::Kind::Gate;
        step.element = &gate;
        Step of_seed; // what the index does not say of the fact that the search began with
        of_seed.kind = Step::Kind::Check;
        of_seed.element = &gate;
        Keys keys;
        for (const Test* test : gate.tests) {
            if (is_key(*test) && keys.add(test->right, {test->left_position, test->left})) continue;
            step.tests.push_back({test, gate.position});
            if (fallible(*test)) of_seed.tests.push_back({test, gate.position});
        }
        step.index = index_of(*gate.alpha, keys.take(step));
        if (&gate == plan_.seed && !of_seed.tests.empty())
            plan_.steps.push_back(std::move(of_seed));
        plan_.steps.push_back(std::move(step));
        gate_done_[gate.position] = true;
    }

    SoughtRule& rule_;
    Plan& plan_;
    const Element* last_ = nullptr; // is counted, not found
    std::vector<bool> bound_;       // has a fact, if only the one that the search began with
    std::vector<bool> done_;        // has the fact of the match
    std::vector<bool> gate_done_;
    std::vector<bool> tests_done_;
};

Alpha* Maker::alpha_of(const PatternNode* node, const std::vector<Test>& more,
                       const std::string& key) {
    Alpha made;
    made.of = node->of;
    std::vector<const PatternNode*> path;
    for (const PatternNode* at = node; at != nullptr; at = at->parent)
        path.insert(path.begin(), at);
    for (std::size_t i = 0; i < path.size(); ++i) {
        const PatternNode* at = path[i];
        if (at->multi || at->markers > 0) return nullptr;
        if (at->length_least >= 0) {
            made.lengths.push_back(at);
            made.key += std::to_string(at->slot) + (at->length_exact ? "=" : ">") +
                        std::to_string(at->length_least) + ";";
        }
        for (const Test& test : at->tests.all)
            made.tests.push_back(test);
        made.key += at->tests.key;
        if (i > 0 && path[i - 1]->selector) {
            Test test;
            test.kind = Test::Kind::EqualConstant;
            test.right = path[i - 1]->selected;
            test.value = at->constant;
            made.tests.push_back(std::move(test));
            made.key += fmt::format("{}={}:{:x};", key_of(test.right),
                                    static_cast<int>(at->constant.type), at->constant.bits);
        }
    }
    made.tests.insert(made.tests.end(), more.begin(), more.end());
    made.key += "|" + key;
    std::vector<Alpha*>& known = program_.by_template[made.of];
    for (Alpha* alpha : known) {
        if (alpha->key == made.key) return alpha;
    }
    if (known.size() == kMostAlphas) return nullptr;
    made.bit = std::uint32_t{1} << known.size();
    program_.alphas.push_back(std::move(made));
    known.push_back(&program_.alphas.back());
    return known.back();
}

const Index* Maker::index_of(Alpha& alpha, const std::vector<Place>& places) {
    for (const Index* index : alpha.indexes) {
        if (index->places == places) return index;
    }
    Index made;
    made.alpha = &alpha;
    made.places = places;
    for (const Alpha* other : program_.by_template[alpha.of])
        made.entry += static_cast<std::uint32_t>(other->indexes.size());
    program_.indexes.push_back(std::move(made));
    alpha.indexes.push_back(&program_.indexes.back());
    return alpha.indexes.back();
}

bool Maker::read_elements(SoughtRule& rule) {
    std::vector<const Join*> joins;
    for (const Join* join = rule.rule->last->left; join != nullptr; join = join->left)
        joins.insert(joins.begin(), join);
    if (joins.size() > kMostElements) return false;
    for (const Join* join : joins) {
        if (join->from_right) return false;
        Element& element = rule.elements.emplace_back();
        element.position = static_cast<std::uint16_t>(rule.elements.size() - 1);
        element.kind = join->node == nullptr ? Element::Kind::Tests
                       : join->exists        ? Element::Kind::Exists
                       : join->negated       ? Element::Kind::Not
                                             : Element::Kind::Positive;
        std::vector<Test> own; // of the fact alone
        std::string own_key;
        for (const Test& test : join->tests.all) {
            if (join->node != nullptr && alone(test)) {
                own.push_back(test);
                own_key = join->tests.key; // more than needed: it is shared with equal joins only
            } else {
                element.tests.push_back(&test);
                element.fallible = element.fallible || fallible(test);
            }
        }
        for (const Test& test : join->later_tests.all)
            element.later.push_back(&test);
        if (join->node != nullptr) {
            element.alpha = alpha_of(join->node, own, own_key);
            if (element.alpha == nullptr) return false;
        }
        if (element.is_gate()) {
            element.gate = static_cast<std::uint16_t>(rule.gates.size());
            rule.gates.push_back(&element);
        }
    }
    return true;
}

const Plan* Maker::make_plan(SoughtRule& rule, const Element* seed, bool counted) {
    Plan& plan = rule.plans.emplace_back();
    plan.rule = &rule;
    plan.seed = seed;
    plan.counted = counted;
    const auto index = [&](Alpha& alpha, const std::vector<Place>& places) {
        return index_of(alpha, places);
    };
    PlanMaker(rule, plan).make(index);
    if (seed == nullptr || !seed->is_gate()) return &plan;
    for (const Element* gate : rule.gates) {
        if (gate->position < seed->position && gate->alpha->of == seed->alpha->of &&
            gate->kind == seed->kind)
            plan.earlier_gates.push_back(gate);
    }
    const auto own = std::find_if(plan.steps.begin(), plan.steps.end(), [&](const Step& step) {
        return step.kind == Step::Kind::Gate && step.element == seed;
    });
    plan.own = &*own;
    plan.key_only = own->tests.empty();
    return &plan;
}

bool Maker::add_rule(Rule& of) {
    SoughtRule& rule = program_.rules.emplace_back();
    rule.rule = &of;
    rule.counted = of.counted;
    if (!std::all_of(of.conditions.begin(), of.conditions.end(),
                     [](const Ce& ce) { return depends_on_facts_only(ce); }))
        return false;
    if (!read_elements(rule)) return false;
    bool any_fact = false;
    for (const Element& element : rule.elements) {
        if (element.kind != Element::Kind::Positive) continue;
        any_fact = true;
        const bool last = &element == &rule.elements.back();
        if (rule.counted && last) continue;
        rule.needed.push_back(element.alpha);
        if (std::find(element.alpha->rules.begin(), element.alpha->rules.end(), &rule) ==
            element.alpha->rules.end())
            element.alpha->rules.push_back(&rule);
    }
    for (const Element& element : rule.elements) {
        if (element.kind == Element::Kind::Tests) continue;
        Use use{&rule, &element, make_plan(rule, &element, false), nullptr};
        if (rule.counted && &element != &rule.elements.back())
            use.counted = make_plan(rule, &element, true);
        std::vector<Use>& uses = element.kind == Element::Kind::Not      ? element.alpha->nots
                                 : element.kind == Element::Kind::Exists ? element.alpha->exists
                                                                         : element.alpha->positive;
        uses.push_back(use);
    }
    if (!any_fact) rule.start = make_plan(rule, nullptr, false);
    if (rule.counted) {
        Plan& plan = rule.plans.emplace_back();
        plan.rule = &rule;
        PlanMaker maker(rule, plan);
        maker.bind_all_but(rule.elements.back());
        maker.add_find(rule.elements.back(), [&](Alpha& alpha, const std::vector<Place>& places) {
            return index_of(alpha, places);
        });
        rule.last = &plan.steps.back();
    }
    return true;
}

} // namespace

std::unique_ptr<Program> make_program(std::deque<Rule>& rules) {
    auto program = std::make_unique<Program>();
    Maker maker(*program);
    for (Rule& rule : rules) {
        if (rule.last != nullptr && (rule.logical > 0 || !maker.add_rule(rule))) return nullptr;
    }
    return program;
}

} // namespace croupier::engine::clips::seek
