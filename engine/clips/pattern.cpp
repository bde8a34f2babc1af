// Facts run through the pattern network.
#include "engine/clips/network.h"
#include "engine/clips/session.h"

#include <algorithm>

namespace croupier::engine::clips {
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

} // namespace croupier::engine::clips
