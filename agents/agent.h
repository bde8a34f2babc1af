// What an agent is: somebody who chooses moves, and sees nothing but a view.
#pragma once

#include "engine/api/program.h"
#include "engine/api/run.h"
#include "games/contract/game.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::agents {

using games::Game;
using games::Move;
using games::Position;
using games::Random;
using games::Seat;

// A move as the others at the table see it.
struct ObservedMove {
    Seat player = 0;
    std::string_view move; // empty: it was made in secret
    bool draw = false;     // with it the player has offered a draw
};

// Why an agent cannot go on. It ends the game, as the agent's doing and not as the game's.
enum class FaultKind : std::uint8_t {
    Start,   // it could not be started, or did not answer the first time
    Crash,   // it ended, or closed the line
    Stall,   // it took too long
    Illegal, // a move that is not legal
    Garbage, // an answer that cannot be understood
    Flood,   // more output than anybody may send
};
std::string_view name_of(FaultKind kind); // "start", "crash", ..

struct AgentFault {
    FaultKind kind = FaultKind::Crash;
    std::string what; // for people; the same whenever the same happens
};

// In place of a choice: the agent cannot go on, `Agent::fault` says why.
inline constexpr std::size_t kNoChoice = static_cast<std::size_t>(-1);
// Or: the agent resigns. No number from here on is a move.
inline constexpr std::size_t kResigns = static_cast<std::size_t>(-2);

// How a game ended that its rules have not ended.
struct Verdict {
    enum class Kind : std::uint8_t {
        Fault,    // an agent cannot go on
        Resigned, // an agent has given up
        Agreed,   // all sides have offered a draw
        Cut,      // it has had as many moves as a game may have here
    };
    Kind kind = Kind::Fault;
    Seat seat = 0; // who is at fault or has given up
};
std::string_view name_of(Verdict::Kind kind); // "fault", "resigned", ..
// The place of a seat after it: the side of who is at fault or has given up comes last, all others
// share the first place.
std::uint32_t place_after(const Verdict& verdict, const games::Facts& facts, Seat seat);

// Since when another agent has played in the place of one that cannot go on.
struct Substitution {
    std::uint32_t ply = 0; // of the first move that the other one has made
    AgentFault fault;      // why
};

// Something that its author should know and that ends no game, counted since the agent was made.
struct Note {
    std::string what;
    std::uint64_t times = 0;
};

class Oracle;

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
    // The view is the caller's; to think ahead, copy it. Or kNoChoice.
    virtual std::size_t choose(const Position& view, Random& random) = 0;
    // False if it needs only the move count. Then `choose_by_count` is called in place of `choose`,
    // and no view is made for it. Called once a game, after `reset`.
    [[nodiscard]] virtual bool needs_view() const { return true; }
    // An index below `moves`, which is not 0. Or kNoChoice.
    virtual std::size_t choose_by_count(std::size_t /*moves*/, Random&) { return kNoChoice; }
    // Whether it wants to be told of moves and of the end; asked once a game, after `reset`.
    [[nodiscard]] virtual bool observes() const { return false; }
    // If so: after every move of anybody, its own included; `view` is that of its seat afterwards.
    virtual void observe(const Position& /*view*/, const ObservedMove&) {}
    // And: the game has ended, as `view` says; not after a fault of its own. Before it, where the
    // rules have not ended it: how.
    virtual void judged(const Verdict&) {}
    virtual void ends(const Position& /*view*/) {}
    // After `choose`: whether it offers a draw with that move. An offer stands until its side
    // decides again; when those of all sides stand, the game is drawn, and the move is not made.
    [[nodiscard]] virtual bool offers_draw() const { return false; }

    // The rules that it runs; null: none.
    [[nodiscard]] virtual const engine::Program* rules() const { return nullptr; }
    // Who hears of each run of them from now on; not owned, null: nobody.
    virtual void set_watch(games::RuleWatch*) {}

    // After kNoChoice, until `reset`.
    [[nodiscard]] virtual const AgentFault* fault() const { return nullptr; }
    // The agent that played in its place in this game; null if it made all its moves itself.
    [[nodiscard]] virtual const Substitution* substitution() const { return nullptr; }
    // The number of the process that thinks for it; 0: the thread that asks.
    [[nodiscard]] virtual std::int64_t process() const { return 0; }
    [[nodiscard]] virtual std::vector<Note> notes() const { return {}; }
    // Who hears why it makes its moves; not owned, null: nobody. Most have nothing to say.
    virtual void set_log(engine::Log*) {}
    // Itself, if it is one; null: it is shown views and nothing else.
    [[nodiscard]] virtual Oracle* oracle() { return nullptr; }
    // False: what it chooses depends on time or on something outside, so that the same seeds need
    // not give the same games.
    [[nodiscard]] virtual bool is_reproducible() const { return true; }
};

// The one exception: the table shows it the position in place of its view. No result of others is
// comparable with its own, so whoever reports on it says what it is.
class Oracle : public Agent {
  public:
    // As `choose`, by the position itself.
    virtual std::size_t choose_knowing(const Position& truth, Random& random) = 0;
    [[nodiscard]] Oracle* oracle() final { return this; }
};

} // namespace croupier::agents
