// Memories of matches, and the tests between them.
#include "engine/clips/network.h"
#include "engine/clips/session.h"

#include <cstring>

namespace croupier::engine::clips {
namespace {

std::size_t match_bytes(std::size_t binds) {
    return sizeof(Match) + binds * sizeof(Bind);
}

constexpr std::uint32_t kFirstBuckets = 16;

} // namespace

Memory* Network::new_memory(bool hashed) {
    auto* memory = arena_.make<Memory>();
    *memory = Memory{};
    if (hashed) {
        memory->table = arena_.make_array<Bucket>(kFirstBuckets);
        memory->size = kFirstBuckets;
    }
    return memory;
}

Bucket* Network::find_bucket(Memory& memory, std::uint64_t hash) {
    if (memory.table == nullptr) return &memory.single;
    const std::uint32_t mask = memory.size - 1;
    for (auto at = static_cast<std::uint32_t>(hash >> 7) & mask; memory.table[at].used;
         at = (at + 1) & mask) {
        if (memory.table[at].hash == hash) return &memory.table[at];
    }
    return nullptr;
}

Bucket* Network::need_bucket(Memory& memory, std::uint64_t hash) {
    if (memory.table == nullptr) return &memory.single;
    if (memory.filled * 2 >= memory.size) rehash(memory);
    const std::uint32_t mask = memory.size - 1;
    auto at = static_cast<std::uint32_t>(hash >> 7) & mask;
    while (memory.table[at].used) {
        if (memory.table[at].hash == hash) return &memory.table[at];
        at = (at + 1) & mask;
    }
    memory.table[at] = {hash, nullptr, nullptr, 0, true};
    ++memory.filled;
    return &memory.table[at];
}

// Empty buckets stay until then: the same keys tend to come back.
void Network::rehash(Memory& memory) {
    std::uint32_t live = 0;
    for (std::uint32_t i = 0; i < memory.size; ++i)
        live += memory.table[i].count > 0 ? 1 : 0;
    std::uint32_t size = kFirstBuckets;
    while (size < live * 4)
        size *= 2;
    Bucket* old = memory.table;
    const std::uint32_t old_size = memory.size;
    memory.table = arena_.make_array<Bucket>(size);
    memory.size = size;
    memory.filled = live;
    for (std::uint32_t i = 0; i < old_size; ++i) {
        if (old[i].count == 0) continue;
        auto at = static_cast<std::uint32_t>(old[i].hash >> 7) & (size - 1);
        while (memory.table[at].used)
            at = (at + 1) & (size - 1);
        memory.table[at] = old[i];
    }
    arena_.give(old, old_size * sizeof(Bucket));
}

Match* Network::new_match(std::size_t binds) {
    auto* match = static_cast<Match*>(arena_.take(match_bytes(binds)));
    std::memset(static_cast<void*>(match), 0, sizeof(Match));
    match->count = static_cast<std::uint16_t>(binds);
    match->activation = Agenda::kNone;
    match->bundle = kNoBundle;
    return match;
}

void Network::free_match(Match* match) {
    arena_.give(match, match_bytes(match->count));
}

std::uint64_t Network::hash_parts(const std::vector<KeyPart>& keys, const Bind* binds) const {
    std::uint64_t hash = 0;
    for (const KeyPart& part : keys) {
        if (part.constant) {
            hash = hash_of(hash, part.value);
        } else {
            const Bind& bind = binds[part.position];
            hash = bind.fact == nullptr ? mix(hash, 1) : hash_of(hash, value_at(bind, part.place));
        }
    }
    return hash;
}

// ---- tests

bool Network::passes_one(const Test& test, const Bind* left, const Bind* right, bool& failed) {
    switch (test.kind) {
    case Test::Kind::EqualConstant:
        return value_at(right[test.right_position], test.right) == test.value;
    case Test::Kind::DifferConstant:
        return value_at(right[test.right_position], test.right) != test.value;
    case Test::Kind::Equal:
    case Test::Kind::Differ: {
        const Bind& other = test.within ? right[test.right_position] : left[test.left_position];
        const bool equal =
            value_at(other, test.left) == value_at(right[test.right_position], test.right);
        return equal == (test.kind == Test::Kind::Equal);
    }
    case Test::Kind::Expression:
        return session_.test(test.expr, left, right, failed);
    case Test::Kind::AnyOf:
        for (const std::vector<Test>& all : test.choices) {
            bool holds = true;
            for (const Test& one : all) {
                holds = passes_one(one, left, right, failed);
                if (failed) return false;
                if (!holds) break;
            }
            if (holds) return true;
        }
        return false;
    }
    return false;
}

bool Network::passes(const Tests& tests, const Bind* left, const Bind* right, const Join* join) {
    for (const Test& test : tests.all) {
        bool failed = false;
        const bool passed = passes_one(test, left, right, failed);
        if (failed) {
            session_.test_failed(join);
            // A not takes what cannot be tested as a match.
            return join != nullptr && join->negated;
        }
        if (!passed) return false;
    }
    return true;
}

void Network::each_right(const Join& join, const std::function<void(const Match&)>& visit) {
    if (join.node != nullptr) {
        for (const Match* at = join.node->memory->first; at != nullptr; at = at->next_of_node)
            visit(*at);
    } else if (join.right_memory != nullptr) {
        const Memory& memory = *join.right_memory;
        for (const Match* at = memory.single.first; at != nullptr; at = at->next)
            visit(*at);
        for (std::uint32_t i = 0; memory.table != nullptr && i < memory.size; ++i) {
            for (const Match* at = memory.table[i].first; at != nullptr; at = at->next)
                visit(*at);
        }
    }
}

void Network::each_left(const Join& join, const std::function<void(const Match&)>& visit) {
    if (join.left_memory == nullptr) return;
    const Memory& memory = *join.left_memory;
    for (const Match* at = memory.single.first; at != nullptr; at = at->next)
        visit(*at);
    for (std::uint32_t i = 0; memory.table != nullptr && i < memory.size; ++i) {
        for (const Match* at = memory.table[i].first; at != nullptr; at = at->next)
            visit(*at);
    }
}

} // namespace croupier::engine::clips
