// The nodes about to be written, and what became of them.
#include "engine/tree/journal.h"

#include <algorithm>

namespace croupier::engine {

void Journal::note_path(const State& state, NodeRef node, bool present) {
    Other made{};
    made.first = static_cast<std::uint32_t>(keys_.size());
    made.present = present;
    made.value = present ? state.value(node) : Value{};
    // From the node upwards: the root has no key.
    for (NodeRef each = node; each; each = state.parent(each))
        if (const Value key = state.key(each); key.tag != Tag::None) keys_.push_back(key.symbol());
    std::reverse(keys_.begin() + made.first, keys_.end());
    made.size = static_cast<std::uint32_t>(keys_.size()) - made.first;
    others_.push_back(made);
}

// The earlier note of a node comes first and stays. Not std::stable_sort, which allocates.
void Journal::settle() {
    std::sort(declared_.begin(), declared_.end(), [](const Declared& a, const Declared& b) {
        if (a.node.schema != b.node.schema) return a.node.schema < b.node.schema;
        return a.node.index != b.node.index ? a.node.index < b.node.index : a.time < b.time;
    });
    declared_.erase(
        std::unique(declared_.begin(), declared_.end(),
                    [](const Declared& a, const Declared& b) { return a.node == b.node; }),
        declared_.end());

    const auto keys = [&](const Other& each) {
        return std::span(keys_).subspan(each.first, each.size);
    };
    // Its keys were written down first.
    std::sort(others_.begin(), others_.end(), [&](const Other& a, const Other& b) {
        const auto x = keys(a);
        const auto y = keys(b);
        const auto order =
            std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(), y.end());
        return order < 0 || (order == 0 && a.first < b.first);
    });
    others_.erase(std::unique(others_.begin(), others_.end(),
                              [&](const Other& a, const Other& b) {
                                  const auto x = keys(a);
                                  const auto y = keys(b);
                                  return std::equal(x.begin(), x.end(), y.begin(), y.end());
                              }),
                  others_.end());
}

void Journal::append_path(std::size_t i, const State& state, std::vector<Symbol>& keys) const {
    if (i < declared_.size()) {
        const NodeRef node = declared_[i].node;
        state.layout().append_keys(node.schema, node.index, keys);
        return;
    }
    const std::span<const Symbol> path = path_of_other(i - declared_.size());
    keys.insert(keys.end(), path.begin(), path.end());
}

bool Journal::has_changed(std::size_t i, const State& now) const {
    if (i < declared_.size()) return now.held(declared_[i].node) != declared_[i].before;
    NodeRef node = now.root();
    for (const Symbol key : path_of_other(i - declared_.size())) {
        node = now.child(node, key);
        if (!node) break;
    }
    const Other& before = others_[i - declared_.size()];
    if (static_cast<bool>(node) != before.present) return true;
    const Value value = node ? now.value(node) : Value{};
    return value.tag != before.value.tag || value.integer != before.value.integer;
}

} // namespace croupier::engine
