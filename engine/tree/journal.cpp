// The paths of nodes about to be written, and what became of them.
#include "engine/tree/journal.h"

#include <algorithm>

namespace croupier::engine {

void Journal::note(const State& state, NodeRef node, bool present) {
    Touched made{};
    made.first = static_cast<std::uint32_t>(keys_.size());
    made.present = present;
    made.value = present ? state.value(node) : Value{};
    // From the node upwards: the root has no key.
    for (NodeRef each = node; each; each = state.parent(each)) {
        if (const Value key = state.key(each); key.tag != Tag::None) {
            keys_.push_back(key.symbol());
        }
    }
    std::reverse(keys_.begin() + made.first, keys_.end());
    made.size = static_cast<std::uint32_t>(keys_.size()) - made.first;
    touched_.push_back(made);
}

void Journal::settle() {
    const auto keys = [&](const Touched& each) {
        return std::span(keys_).subspan(each.first, each.size);
    };
    // The first note of a path comes first: its keys were written down first. Not std::stable_sort,
    // which allocates.
    std::sort(touched_.begin(), touched_.end(), [&](const Touched& a, const Touched& b) {
        const auto x = keys(a);
        const auto y = keys(b);
        const auto order =
            std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(), y.end());
        return order < 0 || (order == 0 && a.first < b.first);
    });
    const auto same = [&](const Touched& a, const Touched& b) {
        const auto x = keys(a);
        const auto y = keys(b);
        return std::equal(x.begin(), x.end(), y.begin(), y.end());
    };
    touched_.erase(std::unique(touched_.begin(), touched_.end(), same), touched_.end());
}

bool Journal::has_changed(std::size_t i, const State& now) const {
    NodeRef node = now.root();
    for (const Symbol key : path(i)) {
        node = now.child(node, key);
        if (!node) {
            break;
        }
    }
    const Touched& before = touched_[i];
    if (static_cast<bool>(node) != before.present) {
        return true;
    }
    const Value value = node ? now.value(node) : Value{};
    return value.tag != before.value.tag || value.integer != before.value.integer;
}

} // namespace croupier::engine
