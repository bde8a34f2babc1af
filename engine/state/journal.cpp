// Records nodes before they are written and finds which of them changed.
#include "engine/state/journal.h"

#include <algorithm>

namespace croupier::engine {

void Journal::note(const State& state, NodeRef node, bool present) {
    Note made{};
    made.first = static_cast<std::uint32_t>(keys_.size());
    made.present = present;
    made.value = present ? state.value(node) : Value{};
    // Walks upwards from the node; the root has no key.
    for (NodeRef each = node; each; each = state.parent(each))
        if (const Value key = state.key(each); key.tag != Tag::None) keys_.push_back(key.symbol());
    std::reverse(keys_.begin() + made.first, keys_.end());
    made.size = static_cast<std::uint32_t>(keys_.size()) - made.first;
    notes_.push_back(made);
}

// The earliest note of each node sorts first and is kept. std::stable_sort would allocate.
void Journal::settle() {
    // `first` grows with every note, so it gives their order.
    std::sort(notes_.begin(), notes_.end(), [&](const Note& a, const Note& b) {
        const auto x = keys(a);
        const auto y = keys(b);
        const auto order =
            std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(), y.end());
        return order < 0 || (order == 0 && a.first < b.first);
    });
    const auto same = [&](const Note& a, const Note& b) {
        return std::ranges::equal(keys(a), keys(b));
    };
    notes_.erase(std::unique(notes_.begin(), notes_.end(), same), notes_.end());
}

bool Journal::has_changed(std::size_t i, const State& now) const {
    NodeRef node = now.root();
    for (const Symbol key : path(i)) {
        node = now.child(node, key);
        if (!node) break;
    }
    const Note& before = notes_[i];
    if (static_cast<bool>(node) != before.present) return true;
    const Value value = node ? now.value(node) : Value{};
    return value.tag != before.value.tag || value.integer != before.value.integer;
}

} // namespace croupier::engine
