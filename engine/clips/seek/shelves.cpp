// Facts by what rules ask of them.
#include "engine/clips/seek/seeker.h"

#include <algorithm>

namespace croupier::engine::clips::seek {
namespace {

constexpr std::uint32_t kFirstShelf = 4;

} // namespace

Value Seeker::odd_value(const Fact* fact, const Place& place) const {
    return network_.value_at({const_cast<Fact*>(fact), nullptr}, place);
}

bool Seeker::accepts_more(const Alpha& alpha, const Fact* fact) const {
    for (const PatternNode* node : alpha.lengths) {
        const std::uint32_t size = fact->slots()[node->slot].fields().size;
        const auto least = static_cast<std::uint32_t>(node->length_least);
        if (node->length_exact ? size != least : size < least) return false;
    }
    for (const Test& test : alpha.tests) {
        const Bind bind{const_cast<Fact*>(fact), nullptr};
        bool failed = false;
        if (!network_.passes_one(test, nullptr, &bind, failed) || failed) return false;
    }
    return true;
}

void Seeker::shelve(const Alpha& alpha, Fact* fact) {
    if (alpha.state->count++ == 0) {
        for (const SoughtRule* rule : alpha.rules)
            rule->state->missing -= rule->state->awake ? 1U : 0U;
    }
    fact->alphas |= alpha.bit;
    Entry* own = entries(fact);
    for (const Index* index : alpha.indexes) {
        Shelf& shelf = shelf_for(*index, fact);
        if (shelf.count == shelf.capacity) widen(shelf);
        own[index->entry] = {&shelf, shelf.count};
        shelf.facts[shelf.count++] = fact;
    }
}

void Seeker::widen(Shelf& shelf) {
    const std::uint32_t capacity = std::max(kFirstShelf, shelf.capacity * 2);
    auto** facts = static_cast<Fact**>(network_.arena().take(capacity * sizeof(Fact*)));
    std::copy_n(shelf.facts, shelf.count, facts);
    if (shelf.capacity > 0) network_.arena().give(shelf.facts, shelf.capacity * sizeof(Fact*));
    shelf.facts = facts;
    shelf.capacity = capacity;
}

// The last of the shelf takes the place.
void Seeker::unshelve(const Alpha& alpha, Fact* fact) {
    if (--alpha.state->count == 0) {
        for (const SoughtRule* rule : alpha.rules)
            rule->state->missing += rule->state->awake ? 1U : 0U;
    }
    const std::size_t width = fact->width;
    const Entry* own = entries(fact);
    for (const Index* index : alpha.indexes) {
        const Entry entry = own[index->entry];
        Fact* last = entry.shelf->facts[--entry.shelf->count];
        entry.shelf->facts[entry.at] = last;
        entries(last, width)[index->entry].at = entry.at;
    }
}

Shelf& Seeker::shelf_for(const Index& index, const Fact* fact) {
    Index::State& state = *index.state;
    if (index.look == Look::All) return state.all;
    if (index.look == Look::Many) return shelf_by_many(index, fact);
    const Value key = value(fact, index.place);
    const std::uint64_t hash = hash_of(0, key);
    if (index.look == Look::One) {
        Shelf* shelf = look_up(state, hash, key);
        return shelf != nullptr ? *shelf : new_shelf(state, hash, key, {});
    }
    const Value second = value(fact, index.second);
    const std::uint64_t both = hash_of(hash, second);
    Shelf* shelf = look_up(state, both, key, second);
    return shelf != nullptr ? *shelf : new_shelf(state, both, key, second);
}

Shelf& Seeker::shelf_by_many(const Index& index, const Fact* fact) {
    Index::State& state = *index.state;
    std::uint64_t hash = 0;
    for (const Place& place : index.places)
        hash = hash_of(hash, value(fact, place));
    const auto same_key = [&](const Shelf& shelf) {
        if (shelf.hash != hash) return false;
        if (shelf.count == 0) return true;
        const Fact* there = shelf.facts[0];
        return std::all_of(index.places.begin(), index.places.end(), [&](const Place& place) {
            return value(fact, place) == value(there, place);
        });
    };
    const std::uint32_t mask = state.size - 1;
    auto at = static_cast<std::uint32_t>(hash >> 7) & mask;
    for (; state.table[at] != nullptr; at = (at + 1) & mask) {
        if (same_key(*state.table[at])) return *state.table[at];
    }
    return new_shelf(state, hash, {}, {});
}

Shelf& Seeker::new_shelf(Index::State& state, std::uint64_t hash, const Value& key,
                         const Value& second) {
    if (state.filled * 2 >= state.size) grow(state);
    const std::uint32_t mask = state.size - 1;
    auto at = static_cast<std::uint32_t>(hash >> 7) & mask;
    while (state.table[at] != nullptr)
        at = (at + 1) & mask;
    auto* shelf = network_.arena().make<Shelf>();
    *shelf = {hash, key, second, nullptr, 0, 0};
    state.table[at] = shelf;
    ++state.filled;
    return *shelf;
}

// Empty shelves go then: the same keys tend to come back before.
void Seeker::grow(Index::State& state) {
    Arena& arena = network_.arena();
    std::uint32_t live = 0;
    for (std::uint32_t i = 0; i < state.size; ++i)
        live += state.table[i] != nullptr && state.table[i]->count > 0 ? 1 : 0;
    std::uint32_t size = kFirstTable;
    while (size < live * 4)
        size *= 2;
    Shelf** old = state.table;
    const std::uint32_t old_size = state.size;
    state.table = arena.make_array<Shelf*>(size);
    state.size = size;
    state.filled = live;
    for (std::uint32_t i = 0; i < old_size; ++i) {
        Shelf* shelf = old[i];
        if (shelf == nullptr) continue;
        if (shelf->count == 0) {
            if (shelf->capacity > 0) arena.give(shelf->facts, shelf->capacity * sizeof(Fact*));
            arena.give(shelf, sizeof(Shelf));
            continue;
        }
        auto at = static_cast<std::uint32_t>(shelf->hash >> 7) & (size - 1);
        while (state.table[at] != nullptr)
            at = (at + 1) & (size - 1);
        state.table[at] = shelf;
    }
    if (old_size > 0) arena.give(old, old_size * sizeof(Shelf*));
}

const Shelf* Seeker::find_by_many(const Step& step, const Bind* binds) const {
    const Index& index = *step.index;
    const Index::State& state = *step.shelves;
    std::uint64_t hash = 0;
    for (const Source& source : step.key)
        hash = hash_of(hash, value(binds[source.position].fact, source.place));
    const std::uint32_t mask = state.size - 1;
    for (auto at = static_cast<std::uint32_t>(hash >> 7) & mask; state.table[at] != nullptr;
         at = (at + 1) & mask) {
        const Shelf& shelf = *state.table[at];
        if (shelf.hash != hash || shelf.count == 0) continue;
        bool same = true;
        for (std::size_t i = 0; same && i < step.key.size(); ++i) {
            const Source& source = step.key[i];
            same = value(shelf.facts[0], index.places[i]) ==
                   value(binds[source.position].fact, source.place);
        }
        if (same) return &shelf;
    }
    return nullptr;
}

// From now on it follows what comes and goes.
void Seeker::wake(const Alpha& alpha) {
    if (alpha.state->awake) return;
    alpha.state->awake = true;
    if (alpha.wider != nullptr) wake(*alpha.wider);
    for (Fact* fact = network_.facts().first; fact != nullptr; fact = fact->next) {
        if (fact->of == alpha.of && accepts(alpha, fact)) shelve(alpha, fact);
    }
}

} // namespace croupier::engine::clips::seek
