// The list of facts, and what stands still while games run on facts of their own.
#include "engine/clips/network.h"

#include "engine/clips/seek/seeker.h"
#include "engine/clips/session.h"

#include <algorithm>
#include <cassert>

namespace croupier::engine::clips {
namespace {

std::size_t fact_bytes(const Template& of, std::size_t slots) {
    return sizeof(Fact) + slots * sizeof(Value) + of.tail;
}

} // namespace

Network::Network(Session& session, Interner& interner, std::size_t memory_limit)
    : session_(session), interner_(interner), arena_(memory_limit) {
    new_fact_list();
}

void Network::new_fact_list() {
    facts_ = arena_.make<FactList>();
    facts_->table_size = 64;
    facts_->table = arena_.make_array<Fact*>(facts_->table_size);
}

void Network::begin_games() {
    facts_before_games_ = facts_;
    buried_before_games_.swap(buried_);
    arena_.fence();
    new_fact_list();
}

void Network::end_games() {
    seeker_ = nullptr;
    arena_.unfence();
    facts_ = facts_before_games_;
    buried_.clear();
    buried_.swap(buried_before_games_);
}

std::uint64_t activation_draw(const Random& draws, const FactList& facts, const Rule& rule,
                              const Bind* binds, std::size_t count) {
    std::uint64_t name = mix(facts.events, rule.id);
    for (std::size_t i = 0; i < count; ++i) {
        const Fact* fact = binds[i].fact;
        name = mix(name, fact == nullptr ? 0 : fact->tag - facts.first_tag + 1);
    }
    return draws.stream(name).next();
}

// ---- facts

Fact* Network::new_fact(Template& of) {
    auto* fact = static_cast<Fact*>(arena_.take(fact_bytes(of, of.slots.size())));
    fact->of = &of;
    fact->width = static_cast<std::uint32_t>(of.slots.size());
    fact->matches = nullptr;
    fact->alive = fact->dying = false;
    fact->index = -1;
    return fact;
}

void Network::free_fact(Fact* fact) {
    arena_.give(fact, fact_bytes(*fact->of, fact->width));
}

void Network::bury(Fact* fact) {
    buried_.push_back(fact);
}

void Network::free_buried() {
    for (Fact* fact : buried_)
        free_fact(fact);
    buried_.clear();
}

void Network::hash(Fact& fact) {
    fact.hash = mix(0, reinterpret_cast<std::uintptr_t>(fact.of));
    for (std::uint32_t i = 0; i < fact.width; ++i)
        fact.hash = hash_of(fact.hash, fact.slots()[i]);
}

Fact* Network::find_equal(const Fact& fact) const {
    for (Fact* at = facts_->table[fact.hash & (facts_->table_size - 1)]; at != nullptr;
         at = at->same_hash) {
        if (at->hash == fact.hash && at->of == fact.of &&
            std::equal(at->slots(), at->slots() + at->width, fact.slots()))
            return at;
    }
    return nullptr;
}

void Network::insert(Fact* fact) {
    FactList& facts = *facts_;
    if (++facts.hashed > facts.table_size) {
        const std::uint64_t size = facts.table_size * 2;
        auto** table = arena_.make_array<Fact*>(size);
        for (Fact* at = facts.first; at != nullptr; at = at->next) {
            at->same_hash = table[at->hash & (size - 1)];
            table[at->hash & (size - 1)] = at;
        }
        arena_.give(facts.table, facts.table_size * sizeof(Fact*));
        facts.table = table;
        facts.table_size = size;
    }
    Fact*& slot = facts.table[fact->hash & (facts.table_size - 1)];
    fact->same_hash = slot;
    slot = fact;
    fact->index = facts.next_index++;
    fact->tag = facts.next_tag++;
    fact->alive = true;
    fact->next = nullptr;
    fact->previous = facts.last;
    (facts.last == nullptr ? facts.first : facts.last->next) = fact;
    facts.last = fact;
    ++facts.count;
    ++facts.events;
    session_.on_assert(*fact);
    if (seeker_ != nullptr)
        seeker_->insert(fact);
    else
        match_roots(fact);
}

void Network::retract(Fact* fact) {
    FactList& facts = *facts_;
    ++facts.events;
    session_.on_retract(*fact);
    (fact->previous == nullptr ? facts.first : fact->previous->next) = fact->next;
    (fact->next == nullptr ? facts.last : fact->next->previous) = fact->previous;
    --facts.count;
    --facts.hashed;
    Fact** slot = &facts.table[fact->hash & (facts.table_size - 1)];
    while (*slot != fact)
        slot = &(*slot)->same_hash;
    *slot = fact->same_hash;
    fact->alive = false;
    if (seeker_ != nullptr) {
        seeker_->retract(fact);
        bury(fact);
        return;
    }
    fact->dying = true;
    for (Match* match = fact->matches; match != nullptr;) {
        Match* next = match->next_of_fact;
        if (match->children != nullptr) retract_right_children(match, true);
        if (match->blocked != nullptr) release_blocked(match, true);
        drop_alpha(match);
        match = next;
    }
    fact->matches = nullptr;
    bury(fact);
}

Fact* Network::find(std::int64_t index) const {
    // Indices only grow along the list.
    for (Fact* fact = facts_->last; fact != nullptr && fact->index >= index;
         fact = fact->previous) {
        if (fact->index == index) return fact;
    }
    return nullptr;
}

} // namespace croupier::engine::clips
