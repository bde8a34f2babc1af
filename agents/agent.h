// What an agent is: somebody who chooses moves, and sees nothing but a view.
#pragma once

#include "games/contract/game.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace croupier::agents {

using games::Game;
using games::Move;
using games::Position;
using games::Random;
using games::Seat;

// A move as the others at the table see it.
struct Seen {
    Seat player = 0;
    std::string_view move; // empty: it was made in secret
};

// One agent sits on one seat of one game at a time and is used by one thread. What it chooses is a
// function of the views it was given, of what it observed since `reset`, and of its random stream.
class Agent {
  public:
    Agent() = default;
    Agent(const Agent&) = delete;
    Agent& operator=(const Agent&) = delete;
    virtual ~Agent() = default;

    // A new game begins. Nothing is remembered of the last one. The game outlives it.
    virtual void reset(const Game& game, Seat me) = 0;
    // Which of the view's legal moves to make: an index below view.move_count(), which is not 0.
    // The view is the caller's; to think ahead, copy it.
    virtual std::size_t choose(const Position& view, Random& random) = 0;
    // Whether it wants to be told of moves; asked once a game, after `reset`.
    [[nodiscard]] virtual bool observes() const { return false; }
    // After every move of anybody, its own included; `view` is that of its seat afterwards.
    virtual void observe(const Position& /*view*/, const Seen&) {}
};

} // namespace croupier::agents
