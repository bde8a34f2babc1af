// The work of a playing thread besides rules, for a profiler that interrupts it.
#pragma once

#include <atomic>
#include <cstdint>

namespace croupier::games {

// Each activity lasts until the next begins: beginning one writes a word and restores nothing.
// Ordered like results::Outside: parts of games, of agents, of the harness.
enum class Doing : std::uint8_t {
    Table,   // turn and choices
    Deal,    // a new state, and code around the rules of `setup`
    Play,    // the move added and removed, and code around `play`
    Moves,   // legal moves read, and code around `moves`
    Score,   // results read, and code around `score`
    View,    // copied for a seat, with hidden parts removed
    Line,    // the move's part of the game's hash
    Look,    // the view copied for an agent's rules, and code around them
    Weights, // their weights read, and a move taken
    Record,  // writing the game's record
    Rows,    // writing rows of games.csv and moves.jsonl
};

// The activity of this thread.
inline constinit thread_local std::atomic<Doing> doing = Doing::Table;

inline void now(Doing what) {
    doing.store(what, std::memory_order_relaxed);
}

} // namespace croupier::games
