// From the joins of rules to alphas, indexes and plans.
#include "engine/clips/seek/allowed.h"
#include "engine/clips/seek/plan_maker.h"

#include "engine/clips/network.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine::clips::seek {
namespace {

constexpr std::size_t kMostAlphas = 32; // of one template: bits of Fact::alphas
constexpr std::size_t kMostElements = 60;

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

class Maker {
  public:
    explicit Maker(Program& program) : program_(program) {}

    bool add_rule(Rule& rule);
    void finish();

  private:
    bool read_elements(SoughtRule& rule);
    Alpha* alpha_of(const PatternNode* node, const std::vector<Test>& more, const std::string& key);
    const Index* index_of(Alpha& alpha, const std::vector<Place>& places);
    const Plan* make_plan(SoughtRule& rule, const Element* seed, bool counted);

    Program& program_;
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
            made.key += fmt::format("{}={}:{:x};", key_of(path[i - 1]->selected),
                                    static_cast<int>(at->constant.type), at->constant.bits);
        }
    }
    made.tests.insert(made.tests.end(), more.begin(), more.end());
    std::erase_if(made.tests, [&](const Test& test) {
        const bool constant =
            test.kind == Test::Kind::EqualConstant || test.kind == Test::Kind::DifferConstant;
        if (!constant || test.right.kind != Place::Kind::Slot) return false;
        made.constants.push_back(
            {test.right.slot, test.kind == Test::Kind::EqualConstant, test.value});
        return true;
    });
    made.more = !made.lengths.empty() || !made.tests.empty();
    made.key += "|" + key;
    std::vector<Alpha*>& known = program_.by_template[made.of].alphas;
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
    made.look = look_of(places.size());
    if (!places.empty()) made.place = places[0];
    if (places.size() > 1) made.second = places[1];
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
    PlanMaker(rule, plan, index).make();
    plan.steps.emplace_back().kind = Step::Kind::Done;
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
    if (!conditions_allow(of)) return false;
    if (!read_elements(rule)) return false;
    bool any_fact = false;
    for (const Element& element : rule.elements) {
        if (element.kind != Element::Kind::Positive) continue;
        any_fact = true;
        rule.positions.push_back(element.position);
        const bool last = &element == &rule.elements.back();
        if (rule.counted && last) continue;
        rule.needed.push_back(element.alpha);
        if (std::find(element.alpha->rules.begin(), element.alpha->rules.end(), &rule) ==
            element.alpha->rules.end())
            element.alpha->rules.push_back(&rule);
    }
    for (const Element& element : rule.elements) {
        if (element.kind == Element::Kind::Tests) continue;
        Use use{element.alpha->bit,
                nullptr,
                &rule,
                &element,
                make_plan(rule, &element, false),
                nullptr};
        if (rule.counted && &element != &rule.elements.back())
            use.counted = make_plan(rule, &element, true);
        Asked& asked = program_.by_template[element.alpha->of];
        std::vector<Use>& uses = element.kind == Element::Kind::Not      ? asked.nots
                                 : element.kind == Element::Kind::Exists ? asked.exists
                                                                         : asked.positive;
        uses.push_back(use);
    }
    if (!any_fact) rule.start = make_plan(rule, nullptr, false);
    if (rule.counted) {
        Plan& plan = rule.plans.emplace_back();
        plan.rule = &rule;
        PlanMaker maker(rule, plan, [&](Alpha& alpha, const std::vector<Place>& places) {
            return index_of(alpha, places);
        });
        maker.bind_all_but(rule.elements.back());
        maker.add_find(rule.elements.back());
        rule.last = &plan.steps.back();
    }
    return true;
}

// Whether the second asks all that the first does, and besides only that slots are not something:
// then most facts of the first are facts of the second, too.
bool hardly_narrower(const Alpha& wide, const Alpha& narrow) {
    const auto has = [](const Alpha& alpha, const Constant& constant) {
        return std::any_of(alpha.constants.begin(), alpha.constants.end(), [&](const auto& one) {
            return one.slot == constant.slot && one.equal == constant.equal &&
                   one.value == constant.value;
        });
    };
    return &wide != &narrow && wide.of == narrow.of && wide.tests.empty() && narrow.tests.empty() &&
           wide.lengths.empty() && narrow.lengths.empty() &&
           wide.constants.size() < narrow.constants.size() &&
           std::all_of(wide.constants.begin(), wide.constants.end(),
                       [&](const Constant& one) { return has(narrow, one); }) &&
           std::all_of(narrow.constants.begin(), narrow.constants.end(),
                       [&](const Constant& one) { return !one.equal || has(wide, one); });
}

// An index of a hardly narrower alpha that a wider one has as well is given up for that.
void Maker::finish() {
    std::unordered_map<const Index*, const Index*> instead;
    for (Alpha& alpha : program_.alphas) {
        for (const Alpha& wide : program_.alphas) {
            if (alpha.wider == nullptr && hardly_narrower(wide, alpha)) alpha.wider = &wide;
        }
        if (alpha.wider == nullptr) continue;
        std::erase_if(alpha.indexes, [&](const Index* index) {
            for (const SoughtRule& rule : program_.rules) {
                if (rule.last != nullptr && rule.last->index == index) return false;
            }
            for (const Index* other : alpha.wider->indexes) {
                if (other->places != index->places) continue;
                instead[index] = other;
                return true;
            }
            return false;
        });
    }
    for (SoughtRule& rule : program_.rules) {
        for (Plan& plan : rule.plans) {
            for (Step& step : plan.steps) {
                for (auto found = instead.find(step.index); found != instead.end();
                     found = instead.find(step.index)) {
                    step.only = step.element->alpha->bit;
                    step.index = found->second;
                }
            }
        }
    }
    for (auto& [of, asked] : program_.by_template) {
        for (Alpha* alpha : asked.alphas) {
            for (const Index* index : alpha->indexes)
                const_cast<Index*>(index)->entry = asked.indexes++;
        }
    }
}

} // namespace

std::unique_ptr<Program> make_program(std::deque<Rule>& rules) {
    auto program = std::make_unique<Program>();
    Maker maker(*program);
    for (Rule& rule : rules) {
        if (rule.last != nullptr && (rule.logical > 0 || !maker.add_rule(rule))) return nullptr;
    }
    maker.finish();
    return program;
}

} // namespace croupier::engine::clips::seek
