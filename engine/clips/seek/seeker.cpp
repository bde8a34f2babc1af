// Facts come and go: which matches that makes and ends.
#include "engine/clips/seek/seeker.h"

#include <algorithm>

namespace croupier::engine::clips::seek {
namespace {

// Compares a value of one fact with one of another.
bool is_between(const Test& test) {
    return (test.kind == Test::Kind::Equal || test.kind == Test::Kind::Differ) && !test.within &&
           test.right_position == 0;
}

} // namespace

Seeker::Seeker(Network& network, Program& program, bool counting)
    : network_(network), program_(program), counting_(counting) {
    Arena& arena = network.arena();
    for (Alpha& alpha : program.alphas)
        alpha.state = arena.make<Alpha::State>();
    for (Index& index : program.indexes) {
        index.state = arena.make<Index::State>();
        if (index.look == Look::All) continue;
        index.state->table = arena.make_array<Shelf*>(kFirstTable);
        index.state->size = kFirstTable;
    }
    for (SoughtRule& rule : program.rules) {
        rule.state = arena.make<RuleState>();
        rule.gate_states = arena.make_array<SoughtRule::GateState>(rule.gates.size());
        for (Plan& plan : rule.plans) {
            for (Step& step : plan.steps)
                step.shelves = step.index == nullptr ? nullptr : step.index->state;
        }
    }
    for (auto& [of, asked] : program.by_template) {
        for (std::vector<Use>* uses : {&asked.positive, &asked.nots, &asked.exists}) {
            for (Use& use : *uses)
                use.state = use.rule->state;
        }
    }
}

// ---- waking up

// True when it is awake. Until each of its patterns has a fact it waits for one that has none, and
// nobody keeps for its sake what passes the others.
bool Seeker::wake(const SoughtRule& rule) {
    RuleState& state = *rule.state;
    if (state.watched != nullptr) --state.watched->state->watchers;
    state.watched = nullptr;
    for (const Alpha* alpha : rule.needed) {
        wake(*alpha);
        if (alpha->state->count > 0) continue;
        state.watched = alpha;
        ++alpha->state->watchers;
        return false;
    }
    for (const Element& element : rule.elements) {
        if (element.alpha != nullptr) wake(*element.alpha);
    }
    state.missing = 0;
    return state.awake = true;
}

void Seeker::unprime() {
    resetting_ = true;
    std::vector<Agenda::Handle> handles;
    agenda_.list(handles);
    for (const Agenda::Handle handle : handles)
        drop(reinterpret_cast<Activation*>(static_cast<std::uintptr_t>(agenda_.payload(handle))));
    while (!bundles_.empty())
        drop(bundles_.back());
}

void Seeker::prime() {
    resetting_ = false;
    for (Alpha& alpha : program_.alphas)
        *alpha.state = {};
    for (SoughtRule& rule : program_.rules) {
        *rule.state = {};
        rule.state->counting = counting_ && rule.counted;
    }
    for (SoughtRule& rule : program_.rules) {
        wake(rule);
        if (rule.start != nullptr) search(*rule.start, rule.start->steps.data());
    }
}

// ---- facts

void Seeker::insert(Fact* fact) {
    fact->sought = nullptr;
    fact->alphas = 0;
    if (fact->of->asked == nullptr) return;
    const Asked& asked = *fact->of->asked;
    bool watched = false;
    for (const Alpha* alpha : asked.alphas) {
        if (!alpha->state->awake || !accepts(*alpha, fact)) continue;
        shelve(*alpha, fact);
        watched = watched || alpha->state->watchers > 0;
    }
    if (resetting_) return;
    if (watched) wake_watchers(fact);
    for (const Use& use : asked.nots) {
        if ((fact->alphas & use.bit) != 0 && use.state->activations > 0) strike(use, fact);
    }
    for (const Use& use : asked.positive) {
        if ((fact->alphas & use.bit) != 0 && use.state->missing == 0) begin(use, fact);
    }
    for (const Use& use : asked.exists) {
        if ((fact->alphas & use.bit) != 0 && use.state->missing == 0) begin(use, fact);
    }
}

void Seeker::wake_watchers(const Fact* fact) {
    for (const Alpha* alpha : fact->of->asked->alphas) {
        if ((fact->alphas & alpha->bit) == 0 || alpha->state->watchers == 0) continue;
        for (const SoughtRule* rule : alpha->rules) {
            if (rule->state->watched == alpha) wake(*rule);
        }
    }
}

void Seeker::retract(Fact* fact) {
    if (fact->of->asked == nullptr) return;
    const Asked& asked = *fact->of->asked;
    for (const Alpha* alpha : asked.alphas) {
        if ((fact->alphas & alpha->bit) != 0) unshelve(*alpha, fact);
    }
    while (fact->sought != nullptr)
        drop(fact->sought->of);
    if (resetting_) return;
    for (const Use& use : asked.exists) {
        if ((fact->alphas & use.bit) != 0 && use.state->activations > 0) strike(use, fact);
    }
    for (const Use& use : asked.nots) {
        if ((fact->alphas & use.bit) != 0 && use.state->missing == 0) begin(use, fact);
    }
}

// ---- searching

// Of a rule that is awake and misses nothing.
void Seeker::begin(const Use& use, Fact* fact) {
    const Plan* plan = use.state->counting ? use.counted : use.plan;
    if (plan == nullptr) return;
    if (plan->key_only && others_answer(use, *plan, fact)) return;
    seed_ = fact;
    binds_[use.element->position] = {fact, nullptr};
    search(*plan, plan->steps.data());
    seed_ = nullptr;
}

// Whether the gate finds others where it finds this fact, whatever else is bound: then no match
// depends on it.
bool Seeker::others_answer(const Use& use, const Plan& plan, Fact* fact) const {
    const Step& own = *plan.own;
    const Shelf& shelf = *entries(fact)[own.index->entry].shelf;
    if (own.only == 0) return shelf.count > (use.element->kind == Element::Kind::Exists ? 1U : 0U);
    for (std::uint32_t i = 0; i < shelf.count; ++i) {
        if (shelf.facts[i] != fact && (shelf.facts[i]->alphas & own.only) != 0) return true;
    }
    return false;
}

void Seeker::search(const Plan& plan, const Step* step) {
    for (;; ++step) {
        switch (step->kind) {
        case Step::Kind::Done:
            complete(plan);
            return;
        case Step::Kind::Gate:
            if (!gate_holds(*step, nullptr)) return;
            break;
        case Step::Kind::Check:
            if (!holds(*step)) return;
            break;
        case Step::Kind::Find: {
            const Shelf* shelf = find(*step, binds_.data());
            if (shelf == nullptr || shelf->count == 0) return;
            if (shelf->count > 1) {
                for (std::uint32_t i = 0; i < shelf->count; ++i) {
                    if (takes(*step, shelf->facts[i])) search(plan, step + 1);
                }
                return;
            }
            if (!takes(*step, shelf->facts[0])) return;
        }
        }
    }
}

bool Seeker::holds(const Step& step) {
    for (const Step::Held& held : step.tests) {
        const Test& test = *held.test;
        if (is_between(test)) [[likely]] {
            const bool same = value(binds_[test.left_position].fact, test.left) ==
                              value(binds_[held.at].fact, test.right);
            if (same != (test.kind == Test::Kind::Equal)) return false;
            continue;
        }
        bool failed = false;
        const bool passed = network_.passes_one(test, binds_.data(), &binds_[held.at], failed);
        // A not takes what cannot be tested as a match.
        if (failed) return step.element->kind == Element::Kind::Not;
        if (!passed) return false;
    }
    return true;
}

// Whether the gate lets what is bound pass, if `except` were not there.
bool Seeker::gate_holds(const Step& step, const Fact* except) {
    const bool wanted = step.element->kind == Element::Kind::Exists;
    const Shelf* shelf = find(step, binds_.data());
    if (shelf == nullptr) return !wanted;
    if (step.tests.empty() && step.only == 0 && except == nullptr)
        return (shelf->count > 0) == wanted;
    Bind& own = binds_[step.position];
    const Bind before = own;
    bool found = false;
    for (std::uint32_t i = 0; !found && i < shelf->count; ++i) {
        if (shelf->facts[i] == except) continue;
        if (step.only != 0 && (shelf->facts[i]->alphas & step.only) == 0) continue;
        own = {shelf->facts[i], nullptr};
        found = holds(step);
    }
    own = before;
    return found == wanted;
}

// Whether the fact is one that the gate of this match asks for.
bool Seeker::concerns(const Element& gate, const Fact* fact, const Bind* binds) {
    const Bind right{const_cast<Fact*>(fact), nullptr};
    for (const Test* test : gate.tests) {
        bool failed = false;
        const bool passed = network_.passes_one(*test, binds, &right, failed);
        if (failed) return gate.kind == Element::Kind::Not;
        if (!passed) return false;
    }
    return true;
}

void Seeker::complete(const Plan& plan) {
    if (plan.seed != nullptr && plan.seed->is_gate()) {
        const bool exists = plan.seed->kind == Element::Kind::Exists;
        // It was there before the fact came, or an earlier gate has found it.
        if (exists && gate_holds(*plan.own, seed_)) return;
        for (const Element* gate : plan.earlier_gates) {
            if ((seed_->alphas & gate->alpha->bit) == 0 || !concerns(*gate, seed_, binds_.data()))
                continue;
            const auto step =
                std::find_if(plan.steps.begin(), plan.steps.end(), [&](const Step& one) {
                    return one.kind == Step::Kind::Gate && one.element == gate;
                });
            if (!exists || !gate_holds(*step, seed_)) return;
        }
    }
    add(*plan.rule, binds_.data(), plan.counted);
}

} // namespace croupier::engine::clips::seek
