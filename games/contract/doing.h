// What a thread that plays does beside running rules, for who interrupts it to look.
#pragma once

#include <atomic>
#include <cstdint>

namespace croupier::games {

// Each lasts until the next is begun: one word is written, nothing is restored. In the order of
// results::Outside: parts of games, of agents, of the harness.
enum class Doing : std::uint8_t {
    Table,   // whose turn it is, what was chosen
    Deal,    // a fresh state, and around the rules of `setup`
    Play,    // the move put and taken away, and around `play`
    Moves,   // legal moves read, and around `moves`
    Score,   // results read, and around `score`
    View,    // copied for a seat, with what it may not see hidden
    Line,    // the move's part in the number that the game has
    Look,    // the view put before an agent's rules, and around them
    Weights, // what these rules have said is read, and a move taken
    Record,  // of the game
    Rows,    // of games.csv and moves.jsonl
};

// What this thread is doing.
inline constinit thread_local std::atomic<Doing> doing = Doing::Table;

inline void now(Doing what) {
    doing.store(what, std::memory_order_relaxed);
}

} // namespace croupier::games
