// What waits to fire: listed one by one, or counted where only their number matters.
#include "engine/clips/seek/plan_maker.h"
#include "engine/clips/seek/seeker.h"

#include <algorithm>

namespace croupier::engine::clips::seek {
namespace {

constexpr std::uint32_t kNoBundle = ~std::uint32_t{0};
constexpr std::uint32_t kFirstGateTable = 16;

std::uint64_t payload(Activation* activation) {
    return reinterpret_cast<std::uintptr_t>(activation);
}
Activation* of(std::uint64_t payload) {
    return reinterpret_cast<Activation*>(static_cast<std::uintptr_t>(payload));
}
std::size_t bytes_of(std::size_t binds, std::size_t links) {
    return sizeof(Activation) + binds * sizeof(Bind) + links * sizeof(Link);
}
} // namespace

// ---- lists

void Seeker::hang(Link* link, Link*& list) {
    link->next = list;
    link->back = &list;
    if (list != nullptr) list->back = &link->next;
    list = link;
}

Link*& Seeker::gate_list(const SoughtRule& rule, const Element& gate, std::uint64_t hash) {
    const SoughtRule::GateState& state = rule.gate_states[gate.gate];
    return state.table[static_cast<std::uint32_t>(hash >> 7) & (state.size - 1)];
}

std::uint64_t Seeker::gate_hash(const Element& gate, const Bind* binds) const {
    std::uint64_t hash = 0;
    for (const Test* test : gate.tests) {
        if (is_key(*test)) hash = hash_of(hash, value(binds[test->left_position].fact, test->left));
    }
    return hash;
}

void Seeker::grow(const SoughtRule& rule, const Element& gate) {
    SoughtRule::GateState& state = rule.gate_states[gate.gate];
    const std::uint32_t old_size = state.size;
    Link** old = state.table;
    state.size = old_size == 0 ? kFirstGateTable : old_size * 4;
    state.table = network_.arena().make_array<Link*>(state.size);
    for (std::uint32_t i = 0; i < old_size; ++i) {
        for (Link* link = old[i]; link != nullptr;) {
            Link* next = link->next;
            hang(link, gate_list(rule, gate, gate_hash(gate, link->of->binds())));
            link = next;
        }
    }
    if (old_size > 0) network_.arena().give(old, old_size * sizeof(Link*));
}

// ---- coming and going

Activation* Seeker::add(SoughtRule& rule, const Bind* binds, bool counted) {
    const std::size_t count = rule.rule->positions - (counted ? 1U : 0U);
    const std::size_t facts = rule.positions.size() - (counted ? 1U : 0U);
    const std::size_t links = facts + rule.gates.size();
    auto* made = static_cast<Activation*>(network_.arena().take(bytes_of(count, links)));
    made->rule = &rule;
    made->handle = Agenda::kNone;
    made->bundle = kNoBundle;
    made->count = static_cast<std::uint16_t>(count);
    made->links = static_cast<std::uint16_t>(links);
    Bind* own = made->binds();
    Link* link = made->link(0);
    if (facts < count) std::fill_n(own, count, Bind{nullptr, nullptr});
    for (std::size_t i = 0; i < facts; ++i, ++link) {
        const std::uint16_t position = rule.positions[i];
        Fact* fact = binds[position].fact;
        own[position] = {fact, nullptr};
        link->of = made;
        hang(link, fact->sought);
    }
    for (const Element* gate : rule.gates) {
        SoughtRule::GateState& state = rule.gate_states[gate->gate];
        if (state.count++ >= state.size * 2) grow(rule, *gate);
        link->of = made;
        hang(link++, gate_list(rule, *gate, gate_hash(*gate, own)));
    }
    ++rule.state->activations;
    ++rule.rule->activated;
    if (counted) {
        made->bundle = static_cast<std::uint32_t>(bundles_.size());
        bundles_.push_back(made);
    } else {
        Agenda::Entry entry;
        entry.payload = payload(made);
        entry.salience = rule.rule->salience;
        entry.draw = activation_draw(draws_, network_.facts(), *rule.rule, made->binds(), count);
        made->handle = agenda_.add(entry);
    }
    return made;
}

void Seeker::drop(Activation* activation) {
    SoughtRule& rule = *activation->rule;
    if (activation->handle != Agenda::kNone) {
        agenda_.withdraw(activation->handle);
    } else {
        bundles_.back()->bundle = activation->bundle;
        bundles_[activation->bundle] = bundles_.back();
        bundles_.pop_back();
    }
    const Link* end = activation->link(activation->links);
    for (const Link* link = activation->link(0); link != end; ++link) {
        *link->back = link->next;
        if (link->next != nullptr) link->next->back = link->back;
    }
    for (const Element* gate : rule.gates)
        --rule.gate_states[gate->gate].count;
    --rule.state->activations;
    network_.arena().give(activation, bytes_of(activation->count, activation->links));
}

// A fact that a not asks for has come, or one of an exists has gone.
void Seeker::strike(const Use& use, const Fact* fact) {
    const SoughtRule& rule = *use.rule;
    const Element& gate = *use.element;
    std::uint64_t hash = 0;
    for (const Test* test : gate.tests) {
        if (is_key(*test)) hash = hash_of(hash, value(fact, test->right));
    }
    for (Link* link = gate_list(rule, gate, hash); link != nullptr;) {
        Activation* activation = link->of;
        link = link->next;
        if (!concerns(gate, fact, activation->binds())) continue;
        if (gate.kind == Element::Kind::Exists) {
            std::copy_n(activation->binds(), activation->count, binds_.begin());
            if (gate_holds(*use.plan->own, nullptr)) continue;
        }
        drop(activation);
    }
}

// ---- games

void Seeker::save() {
    start_bundles_ = bundles_;
    start_listed_.clear();
    std::vector<Agenda::Handle> handles;
    agenda_.list(handles);
    for (const Agenda::Handle handle : handles)
        start_listed_.push_back(of(agenda_.payload(handle)));
}

void Seeker::restart(const Random& random, bool restored) {
    draws_ = random.stream(0);
    picks_ = random.stream(1);
    if (!restored) return;
    bundles_ = start_bundles_;
    agenda_.clear();
    for (Activation* activation : start_listed_) {
        Rule& rule = *activation->rule->rule;
        Agenda::Entry entry;
        entry.payload = payload(activation);
        entry.salience = rule.salience;
        entry.draw =
            activation_draw(draws_, network_.facts(), rule, activation->binds(), activation->count);
        activation->handle = agenda_.add(entry);
    }
}

// ---- firing

const Shelf* Seeker::last_facts(Activation* bundle) const {
    const Shelf* shelf = find(*bundle->rule->last, bundle->binds());
    return shelf == nullptr || shelf->count == 0 ? nullptr : shelf;
}

bool Seeker::idle() const {
    return agenda_.empty() && std::none_of(bundles_.begin(), bundles_.end(), [&](Activation* one) {
               return last_facts(one) != nullptr;
           });
}

// All that it stands for, one by one; its rule is not counted for the rest of the game.
void Seeker::list(Activation* bundle) {
    SoughtRule& rule = *bundle->rule;
    rule.state->counting = false;
    if (const Shelf* shelf = last_facts(bundle)) {
        std::copy_n(bundle->binds(), bundle->count, binds_.begin());
        for (std::uint32_t i = 0; i < shelf->count; ++i) {
            binds_[bundle->count] = {shelf->facts[i], nullptr};
            add(rule, binds_.data(), false);
        }
    }
    drop(bundle);
}

Seeker::Picked Seeker::pick(Agenda::Handle listed, Firing& firing) {
    Activation* best = nullptr;
    const Shelf* facts = nullptr;
    bool rivals = false;
    for (Activation* bundle : bundles_) {
        const int salience = bundle->rule->rule->salience;
        if (best != nullptr && salience < best->rule->rule->salience) continue;
        const Shelf* here = last_facts(bundle);
        if (here == nullptr) continue;
        rivals = best != nullptr && salience == best->rule->rule->salience;
        best = bundle;
        facts = here;
    }
    if (best == nullptr) return Picked::Nothing;
    const int salience = best->rule->rule->salience;
    if (listed != Agenda::kNone) {
        const int other = agenda_.entry(listed).salience;
        if (other > salience) return Picked::Nothing;
        rivals = rivals || other == salience;
    }
    if (rivals) {
        // With each its rule's others: a rule is counted or it is not.
        std::vector<Activation*> all;
        std::vector<const SoughtRule*> rules;
        for (Activation* bundle : bundles_) {
            if (bundle->rule->rule->salience == salience) rules.push_back(bundle->rule);
        }
        for (Activation* bundle : bundles_) {
            if (std::find(rules.begin(), rules.end(), bundle->rule) != rules.end())
                all.push_back(bundle);
        }
        for (Activation* bundle : all)
            list(bundle);
        return Picked::Listed;
    }
    firing.rule = best->rule->rule;
    firing.count = best->count + 1U;
    std::copy_n(best->binds(), best->count, firing.binds.begin());
    firing.binds[best->count] = {facts->facts[picks_.below(facts->count)], nullptr};
    return Picked::Fired;
}

bool Seeker::next(Firing& firing) {
    for (;;) {
        const Agenda::Handle handle = agenda_.next();
        if (!bundles_.empty()) {
            const Picked picked = pick(handle, firing);
            if (picked == Picked::Listed) continue;
            if (picked == Picked::Fired) return true;
        }
        if (handle == Agenda::kNone) return false;
        Activation* activation = of(agenda_.payload(handle));
        firing.rule = activation->rule->rule;
        firing.count = activation->count;
        std::copy_n(activation->binds(), activation->count, firing.binds.begin());
        drop(activation);
        return true;
    }
}

} // namespace croupier::engine::clips::seek
