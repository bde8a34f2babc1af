// What changes touched in a state: the nodes about to be written, with what stood there before.
#pragma once

#include "engine/state/state.h"

#include <cstdint>
#include <span>
#include <vector>

namespace croupier::engine {

// Kept by a state that is told to (State::set_journal). A node is noted before each write that may
// make it, remove it or give it another value; everything below a removed node is noted too. It is
// known by its path, since its number may be given to another node.
class Journal {
  public:
    void clear() {
        notes_.clear();
        keys_.clear();
    }
    [[nodiscard]] bool empty() const { return notes_.empty(); }

    // For the state: the node, which need not be present yet, is about to be written.
    void note(const State& state, NodeRef node, bool present);

    // A node may be among them more than once until they are settled.
    [[nodiscard]] std::size_t size() const { return notes_.size(); }
    // The keys from the state's root to the i-th node; good until the next note.
    [[nodiscard]] std::span<const Symbol> path(std::size_t i) const { return keys(notes_[i]); }

    // Sorts and leaves the first note of each node: what stood there when the journal began.
    void settle();
    // True if the node is there now and was not, or the other way round, or has another value.
    [[nodiscard]] bool has_changed(std::size_t i, const State& now) const;

  private:
    struct Note {
        std::uint32_t first; // in keys_
        std::uint32_t size;
        bool present;
        Value value;
    };

    [[nodiscard]] std::span<const Symbol> keys(const Note& note) const {
        return std::span(keys_).subspan(note.first, note.size);
    }

    std::vector<Note> notes_;
    std::vector<Symbol> keys_;
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
