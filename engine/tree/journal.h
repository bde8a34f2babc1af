// What changes touched in a state: the nodes by their paths, with what stood there before.
#pragma once

#include "engine/tree/state.h"

#include <cstdint>
#include <span>
#include <vector>

namespace croupier::engine {

// Kept by a state that is told to (State::set_journal). A node is noted before each write that may
// make it, remove it or give it another value; everything below a removed node is noted too.
class Journal {
  public:
    void clear() {
        touched_.clear();
        keys_.clear();
    }
    [[nodiscard]] bool empty() const { return touched_.empty(); }

    // For the state: the node, which need not be present yet, is about to be written.
    void note(const State& state, NodeRef node, bool present);

    // Sorts by path and leaves the first note of each: what stood there when the journal began.
    void settle();
    [[nodiscard]] std::size_t size() const { return touched_.size(); }
    // The keys from the state's root.
    [[nodiscard]] std::span<const Symbol> path(std::size_t i) const {
        return std::span(keys_).subspan(touched_[i].first, touched_[i].size);
    }
    // True if the node is there now and was not, or the other way round, or has another value.
    [[nodiscard]] bool has_changed(std::size_t i, const State& now) const;

  private:
    struct Touched {
        std::uint32_t first; // in keys_
        std::uint32_t size;
        bool present;
        Value value;
    };

    std::vector<Touched> touched_;
    std::vector<Symbol> keys_;
};

} // namespace croupier::engine
