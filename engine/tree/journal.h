// What changes touched in a state: the nodes about to be written, with what stood there before.
#pragma once

#include "engine/tree/state.h"

#include <cstdint>
#include <span>
#include <vector>

namespace croupier::engine {

// Kept by a state that is told to (State::set_journal). A node is noted before each write that may
// make it, remove it or give it another value; everything below a removed node is noted too.
// A declared node is known by its place, which costs a few instructions; any other by its path,
// since its number may be given to another node.
class Journal {
  public:
    void clear() {
        declared_.clear();
        others_.clear();
        keys_.clear();
    }
    [[nodiscard]] bool empty() const { return declared_.empty() && others_.empty(); }

    // For the state: the node, which need not be present yet, is about to be written.
    void note(const State& state, NodeRef node, bool present) {
        if (node.schema == kArena) {
            note_path(state, node, present);
        } else {
            declared_.push_back({node, static_cast<std::uint32_t>(declared_.size()), //
                                 state.held(node)});
        }
    }

    struct Declared {
        NodeRef node;
        std::uint32_t time; // how many were noted before
        State::Held before;
    };
    // A node may be among them more than once until they are settled.
    [[nodiscard]] std::span<const Declared> declared() const { return declared_; }
    [[nodiscard]] std::size_t others() const { return others_.size(); }
    // The keys from the state's root to the i-th of the others.
    [[nodiscard]] std::span<const Symbol> path_of_other(std::size_t i) const {
        return std::span(keys_).subspan(others_[i].first, others_[i].size);
    }

    // Sorts and leaves the first note of each node: what stood there when the journal began.
    void settle();
    // Both kinds counted together, the declared nodes first.
    [[nodiscard]] std::size_t size() const { return declared_.size() + others_.size(); }
    // The keys from the state's root.
    void append_path(std::size_t i, const State& state, std::vector<Symbol>& keys) const;
    // True if the node is there now and was not, or the other way round, or has another value.
    [[nodiscard]] bool has_changed(std::size_t i, const State& now) const;

  private:
    struct Other {
        std::uint32_t first; // in keys_
        std::uint32_t size;
        bool present;
        Value value;
    };

    void note_path(const State& state, NodeRef node, bool present);

    std::vector<Declared> declared_;
    std::vector<Other> others_;
    std::vector<Symbol> keys_; // of the others
};

// The state notes its changes as long as this lives.
class Journaling {
  public:
    Journaling(State& state, Journal& journal) : state_(state) { state.set_journal(&journal); }
    ~Journaling() { state_.set_journal(nullptr); }
    Journaling(const Journaling&) = delete;
    Journaling& operator=(const Journaling&) = delete;

  private:
    State& state_;
};

} // namespace croupier::engine
