// Orders activations by salience and strategy: a list by age per salience, or a heap.
#include "engine/agenda/agenda.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>

namespace croupier::engine {
namespace {

constexpr std::array<std::string_view, 7> kNames = {"depth", "breadth", "simplicity", "complexity",
                                                    "lex",   "mea",     "random"};

} // namespace

std::string_view strategy_name(Strategy strategy) {
    return kNames[static_cast<std::size_t>(strategy)];
}

std::optional<Strategy> find_strategy(std::string_view name) {
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    if (found == kNames.end()) return std::nullopt;
    return static_cast<Strategy>(found - kNames.begin());
}

Agenda::Handle Agenda::add(const Entry& entry) {
    Handle handle = free_;
    if (handle == kNone) {
        handle = static_cast<Handle>(nodes_.size());
        nodes_.emplace_back();
    } else {
        free_ = nodes_[handle].next;
    }
    Node& node = nodes_[handle];
    node.payload = entry.payload;
    node.age = next_age_++;
    node.draw = entry.draw;
    node.specificity = entry.specificity;
    node.level = level_of(entry.salience);
    prepare(handle);
    insert(handle);
    ++size_;
    return handle;
}

void Agenda::withdraw(Handle handle) {
    assert(handle < nodes_.size() && size_ > 0);
    remove(handle);
    nodes_[handle].next = free_;
    free_ = handle;
    --size_;
}

Agenda::Handle Agenda::next() const {
    while (first_filled_ < by_salience_.size()) {
        const Group& group = levels_[by_salience_[first_filled_]];
        if (!group.empty()) {
            if (!listed()) return group.heap.front();
            return strategy_ == Strategy::Depth ? group.youngest : group.oldest;
        }
        ++first_filled_;
    }
    return kNone;
}

void Agenda::clear(Strategy strategy) {
    strategy_ = strategy;
    for (Group& group : levels_) {
        group.oldest = group.youngest = kNone;
        group.heap.clear();
    }
    nodes_.clear();
    free_ = kNone;
    size_ = 0;
    // The tags keep their buffers: handles are given out from 0 again.
    for (std::vector<std::uint64_t>& tags : tags_)
        tags.clear();
}

// The first thing the strategy compares, as a number of which the smaller comes first.
void Agenda::prepare(Handle handle) {
    Node& node = nodes_[handle];
    switch (strategy_) {
    case Strategy::Depth:
    case Strategy::Breadth:
        return;
    case Strategy::Simplicity:
        node.key = node.specificity;
        return;
    case Strategy::Complexity:
        node.key = ~std::uint64_t{node.specificity};
        return;
    case Strategy::Random:
        node.key = node.draw;
        return;
    case Strategy::Lex:
    case Strategy::Mea:
        break;
    }
    assert(tags_source_ != nullptr);
    if (tags_.size() <= handle) tags_.resize(handle + 1);
    std::vector<std::uint64_t>& tags = tags_[handle];
    tags.clear();
    tags_source_->append_time_tags(node.payload, tags);
    const std::uint64_t first = tags.empty() ? 0 : tags.front();
    std::sort(tags.begin(), tags.end(), std::greater<>());
    const std::uint64_t largest = tags.empty() ? 0 : tags.front();
    node.key = ~(strategy_ == Strategy::Mea ? first : largest);
}

bool Agenda::before(Handle a, Handle b) const {
    const Node& x = nodes_[a];
    const Node& y = nodes_[b];
    if (x.key != y.key) return x.key < y.key;
    if (tagged()) return before_by_tags(a, b);
    return x.age < y.age;
}

bool Agenda::before_by_tags(Handle a, Handle b) const {
    const std::vector<std::uint64_t>& x = tags_[a];
    const std::vector<std::uint64_t>& y = tags_[b];
    const std::size_t common = std::min(x.size(), y.size());
    for (std::size_t i = 0; i < common; ++i)
        if (x[i] != y[i]) return x[i] > y[i];
    if (x.size() != y.size()) return x.size() > y.size();
    if (nodes_[a].specificity != nodes_[b].specificity)
        return nodes_[a].specificity > nodes_[b].specificity;
    return nodes_[a].age < nodes_[b].age;
}

Agenda::Level Agenda::level_of(int salience) {
    if (last_level_ < levels_.size() && levels_[last_level_].salience == salience)
        return last_level_;
    const auto at =
        std::lower_bound(by_salience_.begin(), by_salience_.end(), salience,
                         [&](Level level, int than) { return levels_[level].salience > than; });
    if (at != by_salience_.end() && levels_[*at].salience == salience) return last_level_ = *at;
    const auto level = static_cast<Level>(levels_.size());
    levels_.emplace_back();
    levels_.back().salience = salience;
    by_salience_.insert(at, level);
    first_filled_ = 0;
    return last_level_ = level;
}

void Agenda::insert(Handle handle) {
    Group& group = levels_[nodes_[handle].level];
    if (listed()) {
        insert_by_age(group, handle);
    } else {
        group.heap.push_back(handle);
        nodes_[handle].previous = static_cast<Handle>(group.heap.size() - 1);
        sift_up(group, group.heap.size() - 1);
    }
    while (first_filled_ > 0 && levels_[by_salience_[first_filled_ - 1]].salience <= group.salience)
        --first_filled_;
}

// A new activation is the youngest; only one whose salience changed has to find its place.
void Agenda::insert_by_age(Group& group, Handle handle) {
    Node& node = nodes_[handle];
    Handle after = group.youngest;
    while (after != kNone && nodes_[after].age > node.age)
        after = nodes_[after].previous;
    node.previous = after;
    node.next = after == kNone ? group.oldest : nodes_[after].next;
    (node.previous == kNone ? group.oldest : nodes_[node.previous].next) = handle;
    (node.next == kNone ? group.youngest : nodes_[node.next].previous) = handle;
}

void Agenda::remove(Handle handle) {
    const Node& node = nodes_[handle];
    Group& group = levels_[node.level];
    if (listed()) {
        (node.previous == kNone ? group.oldest : nodes_[node.previous].next) = node.next;
        (node.next == kNone ? group.youngest : nodes_[node.next].previous) = node.previous;
        return;
    }
    const std::size_t at = node.previous;
    const Handle last = group.heap.back();
    group.heap.pop_back();
    if (last == handle) return;
    place(group, at, last);
    sift_up(group, at);
    sift_down(group, nodes_[last].previous);
}

void Agenda::place(Group& group, std::size_t at, Handle handle) {
    group.heap[at] = handle;
    nodes_[handle].previous = static_cast<Handle>(at);
}

void Agenda::sift_up(Group& group, std::size_t at) {
    const Handle handle = group.heap[at];
    while (at > 0) {
        const std::size_t parent = (at - 1) / 2;
        if (!before(handle, group.heap[parent])) break;
        place(group, at, group.heap[parent]);
        at = parent;
    }
    place(group, at, handle);
}

void Agenda::sift_down(Group& group, std::size_t at) {
    const Handle handle = group.heap[at];
    for (;;) {
        std::size_t child = 2 * at + 1;
        if (child >= group.heap.size()) break;
        if (child + 1 < group.heap.size() && before(group.heap[child + 1], group.heap[child]))
            ++child;
        if (!before(group.heap[child], handle)) break;
        place(group, at, group.heap[child]);
        at = child;
    }
    place(group, at, handle);
}

} // namespace croupier::engine
