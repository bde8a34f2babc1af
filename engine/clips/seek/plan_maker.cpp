// The order in which a plan finds and asks.
#include "engine/clips/seek/plan_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace croupier::engine::clips::seek {

std::string key_of(const Place& place) {
    return fmt::format("{}.{}.{}.{}", static_cast<int>(place.kind), place.slot, place.index,
                       place.after);
}

namespace {

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
        step.look = look_of(places.size());
        if (!places.empty()) step.one = step.key[0];
        if (places.size() > 1) step.two = step.key[1];
        return places;
    }

  private:
    std::map<std::string, std::pair<Place, Source>> parts_;
};

} // namespace

PlanMaker::PlanMaker(SoughtRule& rule, Plan& plan, IndexOf index_of)
    : rule_(rule), plan_(plan), index_of_(std::move(index_of)) {
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

void PlanMaker::make() {
    if (plan_.seed != nullptr) {
        bound_[plan_.seed->position] = true;
        if (!plan_.seed->is_gate()) done_[plan_.seed->position] = true;
    }
    ready();
    while (const Element* next = choose()) {
        add_find(*next);
        ready();
    }
}

void PlanMaker::bind_all_but(const Element& last) {
    for (const Element& element : rule_.elements)
        bound_[element.position] = done_[element.position] = &element != &last;
}

void PlanMaker::add_find(const Element& element) {
    Step step;
    step.kind = Step::Kind::Find;
    step.element = &element;
    step.position = element.position;
    Keys keys;
    each_test_between(element, [&](const Test& test, const Element& holder) {
        const bool right = &holder == &element; // the element is what the test calls right
        const Place& here = right ? test.right : test.left;
        const Source there =
            right ? Source{test.left_position, test.left} : Source{holder.position, test.right};
        if (!is_key(test) || !keys.add(here, there)) step.tests.push_back({&test, holder.position});
    });
    step.index = index_of_(*element.alpha, keys.take(step));
    step.not_seed = plan_.seed != nullptr && plan_.seed->alpha->of == element.alpha->of &&
                    (plan_.seed->is_gate() || element.position < plan_.seed->position);
    plan_.steps.push_back(std::move(step));
    bound_[element.position] = done_[element.position] = true;
}

bool PlanMaker::positives_bound_before(std::size_t position, bool also) const {
    for (const Element& element : rule_.elements) {
        if (element.kind == Element::Kind::Positive &&
            (element.position < position || (also && element.position == position)) &&
            !done_[element.position])
            return false;
    }
    return true;
}

bool PlanMaker::all_before(const std::vector<bool>& of, std::size_t position) const {
    for (const Element& element : rule_.elements) {
        if (element.position < position && !of[element.position]) return false;
    }
    return true;
}

const Element* PlanMaker::choose() const {
    const Element* best = nullptr;
    int most = -1;
    for (const Element& element : rule_.elements) {
        if (element.kind != Element::Kind::Positive || done_[element.position]) continue;
        int keys = 0;
        each_test_between(element,
                          [&](const Test& test, const Element&) { keys += is_key(test) ? 1 : 0; });
        if (keys > most) {
            most = keys;
            best = &element;
        }
    }
    return best;
}

bool PlanMaker::gate_ready(const Element& gate) const {
    if (gate.fallible &&
        (!positives_bound_before(gate.position, false) || !all_before(tests_done_, gate.position)))
        return false;
    return std::all_of(gate.tests.begin(), gate.tests.end(), [&](const Test* test) {
        return fallible(*test) || done_[test->left_position];
    });
}

void PlanMaker::ready() {
    for (const Element& element : rule_.elements) {
        const std::size_t at = element.position;
        if (element.is_gate() && !gate_done_[at] && gate_ready(element)) add_gate(element);
        if (!element.is_gate()) gate_done_[at] = true;
        if (tests_done_[at] || !gate_done_[at] || !positives_bound_before(at, true) ||
            !all_before(gate_done_, at) || !all_before(tests_done_, at))
            continue;
        tests_done_[at] = true;
        Step step;
        step.kind = Step::Kind::Check;
        step.element = &element;
        step.position = element.position;
        const auto add = [&](const Test* test) { step.tests.push_back({test, element.position}); };
        if (!element.is_gate() && &element != last_) {
            for (const Test* test : element.tests)
                if (fallible(*test)) add(test);
        }
        std::for_each(element.later.begin(), element.later.end(), add);
        if (!step.tests.empty()) plan_.steps.push_back(std::move(step));
    }
}

void PlanMaker::add_gate(const Element& gate) {
    Step step;
    step.kind = Step::Kind::Gate;
    step.element = &gate;
    step.position = gate.position;
    Step of_seed; // what the index does not say of the fact that the search began with
    of_seed.kind = Step::Kind::Check;
    of_seed.element = &gate;
    Keys keys;
    for (const Test* test : gate.tests) {
        if (is_key(*test) && keys.add(test->right, {test->left_position, test->left})) continue;
        step.tests.push_back({test, gate.position});
        if (fallible(*test)) of_seed.tests.push_back({test, gate.position});
    }
    step.index = index_of_(*gate.alpha, keys.take(step));
    if (&gate == plan_.seed && !of_seed.tests.empty()) plan_.steps.push_back(std::move(of_seed));
    plan_.steps.push_back(std::move(step));
    gate_done_[gate.position] = true;
}

} // namespace croupier::engine::clips::seek
