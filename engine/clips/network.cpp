// Facts entering and leaving the pattern network; memories.
#include "engine/clips/network.h"

#include "engine/clips/seek/seeker.h"
#include "engine/clips/session.h"

#include <algorithm>
#include <cassert>

namespace croupier::engine::clips {
namespace {

std::size_t fact_bytes(const Template& of) {
    return sizeof(Fact) + of.slots.size() * sizeof(Value) + of.tail;
}

std::size_t match_bytes(std::size_t binds) {
    return sizeof(Match) + binds * sizeof(Bind);
}

constexpr std::uint32_t kFirstBuckets = 16;

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
    auto* fact = static_cast<Fact*>(arena_.take(fact_bytes(of)));
    fact->of = &of;
    fact->matches = nullptr;
    fact->alive = fact->dying = false;
    fact->index = -1;
    return fact;
}

void Network::free_fact(Fact* fact) {
    arena_.give(fact, fact_bytes(*fact->of));
}

void Network::bury(Fact* fact) {
    buried_.push_back(fact);
}

void Network::free_buried() {
    for (Fact* fact : buried_)
        free_fact(fact);
    buried_.clear();
}

namespace {

std::uint64_t fact_hash(const Fact& fact) {
    std::uint64_t hash = mix(0, reinterpret_cast<std::uintptr_t>(fact.of));
    for (std::size_t i = 0; i < fact.of->slots.size(); ++i)
        hash = hash_of(hash, fact.slots()[i]);
    return hash;
}

} // namespace

Fact* Network::find_equal(const Fact& fact) const {
    const std::uint64_t hash = fact_hash(fact);
    for (Fact* at = facts_->table[hash & (facts_->table_size - 1)]; at != nullptr;
         at = at->same_hash) {
        if (at->hash == hash && at->of == fact.of &&
            std::equal(at->slots(), at->slots() + at->of->slots.size(), fact.slots()))
            return at;
    }
    return nullptr;
}

void Network::insert(Fact* fact) {
    FactList& facts = *facts_;
    fact->hash = fact_hash(*fact);
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

// ---- memories

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

// ---- pattern network

namespace {

const Test* constant_test(const Tests& tests) {
    for (const Test& test : tests.all) {
        if (test.kind == Test::Kind::EqualConstant && test.right_position == 0) return &test;
    }
    return nullptr;
}

} // namespace

// Appends what must be visited for this fact, in order; returns where it begins.
template <typename Item>
std::size_t Network::choose(const ValueIndex<Item>& index, const Fact* fact,
                            std::vector<typename ValueIndex<Item>::Entry>& into) {
    const std::size_t begin = into.size();
    into.insert(into.end(), index.others.begin(), index.others.end());
    for (const auto& group : index.groups) {
        if (group.place.kind == Place::Kind::FromStart &&
            fact->slots()[group.place.slot].fields().size <= group.place.index)
            continue;
        const Value value = value_at({const_cast<Fact*>(fact), nullptr}, group.place);
        const auto found = group.by_value.find(hash_of(0, value));
        if (found != group.by_value.end())
            into.insert(into.end(), found->second.begin(), found->second.end());
    }
    std::sort(into.begin() + static_cast<std::ptrdiff_t>(begin), into.end(),
              [](const auto& a, const auto& b) { return a.order < b.order; });
    return begin;
}

void Network::match_roots(Fact* fact) {
    Template& of = *fact->of;
    if (of.roots.size() <= ValueIndex<PatternNode>::kFew) {
        match_level(of.roots, fact, 0, -1);
        return;
    }
    ValueIndex<PatternNode>& index = root_indexes_[&of];
    if (of.roots_changed) {
        index.build(of.roots, [](const PatternNode& node) {
            return node.multi || node.selector ? nullptr : constant_test(node.tests);
        });
        of.roots_changed = false;
    }
    const std::size_t begin = choose(index, fact, chosen_nodes_);
    const std::size_t end = chosen_nodes_.size();
    for (std::size_t i = begin; i < end; ++i) {
        PatternNode* node = chosen_nodes_[i].item;
        if (node->multi)
            match_multi(node, fact, 0, -1);
        else
            match_node(node, fact, 0, -1);
    }
    chosen_nodes_.resize(begin);
}

void Network::match_level(const std::vector<PatternNode*>& level, Fact* fact, std::uint32_t offset,
                          int offset_slot) {
    for (PatternNode* node : level) {
        if (node->multi)
            match_multi(node, fact, offset, offset_slot);
        else
            match_node(node, fact, offset, offset_slot);
    }
}

bool Network::node_tests(PatternNode* node, const Fact* fact) {
    if (node->length_least >= 0) {
        const std::uint32_t size = fact->slots()[node->slot].fields().size;
        const auto least = static_cast<std::uint32_t>(node->length_least);
        if (node->length_exact ? size != least : size < least) return false;
    }
    if (node->tests.empty()) return true;
    const Bind bind{const_cast<Fact*>(fact), markers_.data()};
    return passes(node->tests, nullptr, &bind, nullptr);
}

// Few children are looked through, many are looked up.
PatternNode* Network::choose_child(const PatternNode& node, const Value& value) {
    if (node.children.size() <= 8) {
        for (PatternNode* child : node.children) {
            if (child->constant == value) return child;
        }
        return nullptr;
    }
    const auto found = node.by_value.find(hash_of(0, value));
    if (found == node.by_value.end()) return nullptr;
    for (PatternNode* child : found->second) {
        if (child->constant == value) return child;
    }
    return nullptr;
}

void Network::match_node(PatternNode* node, Fact* fact, std::uint32_t offset, int offset_slot) {
    if (incremental_ && !node->initialize && !node->leads_to_new) return;
    if (!node_tests(node, fact)) return;
    if (node->selector) {
        const Bind bind{fact, markers_.data()};
        PatternNode* child = choose_child(*node, value_at(bind, node->selected));
        if (child == nullptr) return;
        if (incremental_ && !child->initialize && !child->leads_to_new) return;
        if (child->stop && (!incremental_ || child->initialize)) enter(child, fact);
        if (!child->children.empty()) match_level(child->children, fact, offset, offset_slot);
        return;
    }
    if (node->stop && (!incremental_ || node->initialize)) enter(node, fact);
    if (!node->children.empty()) match_level(node->children, fact, offset, offset_slot);
}

// `offset` is how many fields the segments before have taken up, beyond one each.
void Network::match_multi(PatternNode* node, Fact* fact, std::uint32_t offset, int offset_slot) {
    if (incremental_ && !node->initialize && !node->leads_to_new) return;
    const std::uint32_t size = fact->slots()[node->slot].fields().size;
    const std::uint32_t start =
        node->field + (offset_slot == static_cast<int>(node->slot) ? offset : 0);
    if (node->length_least >= 0 && size < static_cast<std::uint32_t>(node->length_least)) return;
    if (start + node->singles_after > size) return;
    const std::uint32_t longest = size - start - node->singles_after;
    if (markers_.size() <= node->marker) markers_.resize(node->marker + 1U);
    for (std::uint32_t length = longest;; --length) {
        markers_[node->marker] = {start, length};
        const Bind bind{fact, markers_.data()};
        if (node->tests.empty() || passes(node->tests, nullptr, &bind, nullptr)) {
            PatternNode* at = node;
            if (node->selector) {
                at = choose_child(*node, value_at(bind, node->selected));
            }
            if (at != nullptr) {
                if (at->stop && (!incremental_ || at->initialize)) enter(at, fact);
                // Deeper nodes may need more markers: the vector moves, the values stay.
                match_level(at->children, fact, start + length - node->field - 1,
                            static_cast<int>(node->slot));
            }
        }
        if (length == 0 || node->last_multi) return;
    }
}

void Network::doze() {
    for (PatternNode& node : nodes_) {
        bool asked = !node.stop || node.joins.empty() || node.markers > 0;
        for (const PatternNode* at = &node; at != nullptr; at = at->parent)
            asked = asked || at->multi;
        for (const Join* join : node.joins)
            asked = asked || join->first || join->left_memory->count > 0;
        if (asked) continue;
        while (Match* match = node.memory->first) {
            forget_match(match);
            drop_alpha(match);
        }
        node.memory->dormant = true;
    }
}

void Network::wake_all() {
    for (PatternNode& node : nodes_) {
        if (node.memory != nullptr && node.memory->dormant) wake(&node);
    }
}

bool Network::accepts(PatternNode* node, const Fact* fact) {
    if (node->parent != nullptr) {
        if (!accepts(node->parent, fact)) return false;
        const Bind bind{const_cast<Fact*>(fact), nullptr};
        if (node->parent->selector && value_at(bind, node->parent->selected) != node->constant)
            return false;
    }
    return node_tests(node, fact);
}

bool Network::matches(const PatternNode& node, const Fact& fact) {
    return fact.of == node.of && accepts(const_cast<PatternNode*>(&node), &fact);
}

void Network::wake(PatternNode* node) {
    node->memory->dormant = false;
    for (Fact* fact = facts_->first; fact != nullptr; fact = fact->next) {
        if (fact->of == node->of && accepts(node, fact)) store(node, fact);
    }
}

// Out of its fact's list.
void Network::forget_match(Match* match) {
    Match** at = &match->binds()[0].fact->matches;
    while (*at != match)
        at = &(*at)->next_of_fact;
    *at = match->next_of_fact;
}

Match* Network::store(PatternNode* node, Fact* fact) {
    Match* match = new_match(1);
    const Marker* markers = nullptr;
    if (node->markers > 0) {
        auto* kept = static_cast<Marker*>(arena_.take(node->markers * sizeof(Marker)));
        std::copy_n(markers_.begin(), node->markers, kept);
        markers = kept;
    }
    match->binds()[0] = {fact, markers};
    match->node = node;
    match->hash = hash_parts(node->keys, match->binds());
    match->next_of_fact = fact->matches;
    fact->matches = match;
    Memory& memory = *node->memory;
    match->previous_of_node = memory.last;
    (memory.last == nullptr ? memory.first : memory.last->next_of_node) = match;
    memory.last = match;
    ++memory.count;
    if (memory.table != nullptr) {
        Bucket& bucket = *need_bucket(memory, match->hash);
        match->previous = bucket.last;
        (bucket.last == nullptr ? bucket.first : bucket.last->next) = match;
        bucket.last = match;
        ++bucket.count;
    }
    return match;
}

void Network::enter(PatternNode* node, Fact* fact) {
    const Memory& memory = *node->memory;
    if (memory.dormant) return;
    // A node that was woken by this very fact has it already.
    if (node->markers == 0 && memory.last != nullptr && memory.last->binds()[0].fact == fact &&
        !node->multi_path)
        return;
    Match* match = store(node, fact);
    if (node->joins.size() <= ValueIndex<Join>::kFew) {
        for (Join* join : node->joins)
            assert_alpha(match, join);
        return;
    }
    if (node->join_index.stale)
        node->join_index.build(node->joins,
                               [](const Join& join) { return constant_test(join.tests); });
    const std::size_t begin = choose(node->join_index, fact, chosen_joins_);
    const std::size_t end = chosen_joins_.size();
    for (std::size_t i = begin; i < end; ++i)
        assert_alpha(match, chosen_joins_[i].item);
    chosen_joins_.resize(begin);
}

void Network::drop_alpha(Match* match) {
    Memory& memory = *match->node->memory;
    (match->previous_of_node == nullptr ? memory.first : match->previous_of_node->next_of_node) =
        match->next_of_node;
    (match->next_of_node == nullptr ? memory.last : match->next_of_node->previous_of_node) =
        match->previous_of_node;
    --memory.count;
    if (memory.table != nullptr) {
        Bucket& bucket = *find_bucket(memory, match->hash);
        (match->previous == nullptr ? bucket.first : match->previous->next) = match->next;
        (match->next == nullptr ? bucket.last : match->next->previous) = match->previous;
        --bucket.count;
    }
    if (match->node->markers > 0)
        session_.bury_markers(match->binds()[0].markers, match->node->markers);
    free_match(match);
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
