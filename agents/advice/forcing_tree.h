// What a piece of advice comes to in a position: a move of ours for every permitted reply, up to
// where its goal holds.
#pragma once

#include "games/contract/game.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace croupier::agents::advice {

// Nodes by their numbers; the root is 0. Built child by child from the leaves' side, so that what
// fails is cut off again by `cut`.
class ForcingTree {
  public:
    using Node = std::uint32_t;
    static constexpr Node kNone = 0xffffffff;

    enum class Kind : std::uint8_t { Leaf, Ours, Theirs };

    void clear() { nodes_.clear(); }
    [[nodiscard]] bool empty() const { return nodes_.empty(); }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    // A new node below `parent`, behind its other children, reached by `move`; kNone: the root.
    Node add(Node parent, games::Move move, Kind kind);
    // All nodes from that number on go; they were the last ones made.
    void cut(std::size_t size, Node parent);
    void set_kind(Node node, Kind kind) { nodes_[node].kind = kind; }
    // The node goes on as the other one does.
    void share(Node node, Node other) {
        nodes_[node].kind = nodes_[other].kind;
        nodes_[node].first = nodes_[other].first;
        nodes_[node].last = nodes_[other].last;
    }

    [[nodiscard]] Kind kind(Node node) const { return nodes_[node].kind; }
    [[nodiscard]] games::Move move(Node node) const { return nodes_[node].move; }
    [[nodiscard]] Node first(Node node) const { return nodes_[node].first; }
    [[nodiscard]] Node next(Node node) const { return nodes_[node].next; }
    // The child that the move leads to, or kNone.
    [[nodiscard]] Node after(Node node, games::Move move) const;

    // "Ra1c1 {kd7e8 Rc1c6 *; kd7d6 *}": a move of ours, then in braces what follows each reply; *
    // is a leaf.
    [[nodiscard]] std::string text(const std::function<std::string(games::Move)>& name) const;

  private:
    struct Entry {
        games::Move move = 0;
        Node first = kNone;
        Node last = kNone;
        Node next = kNone;
        Kind kind = Kind::Leaf;
    };
    void write(std::string& text, Node node,
               const std::function<std::string(games::Move)>& name) const;

    std::vector<Entry> nodes_;
};

} // namespace croupier::agents::advice
