// Records which nodes of a state are about to be written, with their earlier contents.
#pragma once

#include "engine/state/state.h"

#include <cstdint>
#include <span>
#include <vector>

namespace croupier::engine {

// A state writes to it after State::set_journal. It records a node before each write that may make
// it, remove it or change its value, and everything below a removed node. It identifies a node by
// its path, since its number may be reused.
class Journal {
  public:
    void clear() {
        notes_.clear();
        keys_.clear();
    }
    [[nodiscard]] bool empty() const { return notes_.empty(); }

    // Called by the state: `node`, which need not be present yet, is about to be written.
    void note(const State& state, NodeRef node, bool present);

    // Counts a node more than once until settle() is called.
    [[nodiscard]] std::size_t size() const { return notes_.size(); }
    // The keys from the state's root to the i-th node; valid until the next note.
    [[nodiscard]] std::span<const Symbol> path(std::size_t i) const { return keys(notes_[i]); }

    // Sorts the notes and keeps the first of each node: its contents when the journal began.
    void settle();
    // True if the node has appeared, disappeared or changed its value.
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

// The state journals its changes while this object exists.
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
