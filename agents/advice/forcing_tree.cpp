// Nodes in one vector, children as linked lists.
#include "agents/advice/forcing_tree.h"

namespace croupier::agents::advice {

ForcingTree::Node ForcingTree::add(Node parent, games::Move move, Kind kind) {
    const auto node = static_cast<Node>(nodes_.size());
    nodes_.push_back({.move = move, .kind = kind});
    if (parent == kNone) return node;
    Entry& above = nodes_[parent];
    (above.first == kNone ? above.first : nodes_[above.last].next) = node;
    above.last = node;
    return node;
}

// The children of `parent` that stay were made before those that go.
void ForcingTree::cut(std::size_t size, Node parent) {
    nodes_.resize(size);
    Entry& above = nodes_[parent];
    Node last = kNone;
    for (Node child = above.first; child != kNone && child < size; child = nodes_[child].next)
        last = child;
    above.last = last;
    (last == kNone ? above.first : nodes_[last].next) = kNone;
}

ForcingTree::Node ForcingTree::after(Node node, games::Move move) const {
    Node child = nodes_[node].first;
    while (child != kNone && nodes_[child].move != move)
        child = nodes_[child].next;
    return child;
}

std::string ForcingTree::text(const std::function<std::string(games::Move)>& name) const {
    std::string text;
    if (!empty()) write(text, 0, name);
    return text;
}

void ForcingTree::write(std::string& text, Node node,
                        const std::function<std::string(games::Move)>& name) const {
    const Entry& entry = nodes_[node];
    if (entry.kind == Kind::Leaf) {
        text += '*';
    } else if (entry.kind == Kind::Ours) {
        text += name(nodes_[entry.first].move) + ' ';
        write(text, entry.first, name);
    } else {
        text += '{';
        for (Node child = entry.first; child != kNone; child = nodes_[child].next) {
            text += name(nodes_[child].move) + ' ';
            write(text, child, name);
            if (nodes_[child].next != kNone) text += "; ";
        }
        text += '}';
    }
}

} // namespace croupier::agents::advice
