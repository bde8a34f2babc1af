// An agent chooses moves and sees only a view of the position.
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

// A move as a seat is told of it.
struct ObservedMove {
    Seat player = 0;
    std::string_view move; // empty for a secret move of another
    bool draw = false;     // the player also offered a draw
    bool secret = false;   // only the player knows it
    Move number = 0;       // if the game lists its moves and the seat knows it

    [[nodiscard]] ObservedMove told_to(Seat seat) const {
        if (!secret || seat == player) return *this;
        return {player, {}, draw, secret, 0};
    }
};

// Why an agent cannot continue. It ends the game; the agent is to blame, not the game.
enum class FaultKind : std::uint8_t {
    Start,   // it could not be started, or its first answer is missing
    Crash,   // it exited, or closed its output
    Stall,   // it exceeded its time
    Illegal, // a move that is not legal
    Garbage, // an answer that cannot be understood
    Flood,   // more output than the limit allows
};
std::string_view name_of(FaultKind kind); // "start", "crash", ..

struct AgentFault {
    FaultKind kind = FaultKind::Crash;
    std::string what; // for people; deterministic
};

// Returned in place of a choice if the agent cannot continue; `Agent::fault` says why.
inline constexpr std::size_t kNoChoice = static_cast<std::size_t>(-1);
// Returned if the agent resigns. No index from here on is a move.
inline constexpr std::size_t kResigns = static_cast<std::size_t>(-2);

// How a game ended that its rules have not ended.
struct Verdict {
    enum class Kind : std::uint8_t {
        Fault,    // an agent cannot continue
        Resigned, // an agent has resigned
        Agreed,   // all sides have offered a draw
        Cut,      // the limit of moves is reached
        Left,     // a person has left, and nobody plays on
    };
    Kind kind = Kind::Fault;
    Seat seat = 0; // the seat at fault, or the one that resigned
};
std::string_view name_of(Verdict::Kind kind); // "fault", "resigned", ..
// The place of a seat under a verdict: the side that is at fault or has resigned is last, all
// others share the first place.
std::uint32_t place_after(const Verdict& verdict, const games::Facts& facts, Seat seat);

// Another agent has taken over for one that cannot continue.
struct Substitution {
    std::uint32_t ply = 0; // of the substitute's first move
    AgentFault fault;      // why
};

// Something its author should know that does not end the game, counted since the agent was made.
struct Note {
    std::string what;
    std::uint64_t times = 0;
};

class Oracle;

// One agent plays one seat of one game at a time and is used by one thread. Its choices are a
// function of its views, of what it observed since `reset`, and of its random stream.
class Agent {
  public:
    Agent() = default;
    Agent(const Agent&) = delete;
    Agent& operator=(const Agent&) = delete;
    virtual ~Agent() = default;

    // A new game begins; nothing of the last one is remembered. The game outlives the agent.
    virtual void reset(const Game& game, Seat me) = 0;
    // Returns the index of the chosen move, below view.move_count(), which is not 0; or kNoChoice.
    // The caller owns the view; copy it to think ahead.
    virtual std::size_t choose(const Position& view, Random& random) = 0;
    // False if it needs only the move count. Then `choose_by_count` is called in place of `choose`,
    // and no view is made for it. Called once a game, after `reset`.
    [[nodiscard]] virtual bool needs_view() const { return true; }
    // An index below `moves`, which is not 0. Or kNoChoice.
    virtual std::size_t choose_by_count(std::size_t /*moves*/, Random&) { return kNoChoice; }
    // Whether it wants to observe moves and the end. Called once a game, after `reset`.
    [[nodiscard]] virtual bool observes() const { return false; }
    // Called if it observes: after every move of any player, its own included, with its seat's
    // view.
    virtual void observe(const Position& /*view*/, const ObservedMove&) {}
    // Called if it observes and the rules have not ended the game, before `ends`, unless the agent
    // itself is at fault.
    virtual void judged(const Verdict&) {}
    virtual void ends(const Position& /*view*/) {}
    // Called after `choose`: whether it offers a draw with that move. An offer stands until its
    // side decides again; if offers of all sides stand, the game is drawn and the move is not made.
    [[nodiscard]] virtual bool offers_draw() const { return false; }

    // The rules that it runs; null if none.
    [[nodiscard]] virtual const engine::Program* rules() const { return nullptr; }
    // Sets the observer of each run of these rules; not owned, may be null.
    virtual void set_watch(games::RuleWatch*) {}

    // Valid after kNoChoice, until `reset`.
    [[nodiscard]] virtual const AgentFault* fault() const { return nullptr; }
    // The agent that played in its place in this game; null if it made all its moves itself.
    [[nodiscard]] virtual const Substitution* substitution() const { return nullptr; }
    // The number of the process that thinks for it; 0 if it thinks in the calling thread.
    [[nodiscard]] virtual std::int64_t process() const { return 0; }
    [[nodiscard]] virtual std::vector<Note> notes() const { return {}; }
    // Sets the log for the reasons of its moves; not owned, may be null. Most agents log nothing.
    virtual void set_log(engine::Log*) {}
    // Returns itself if it is an oracle; null if it sees only views.
    [[nodiscard]] virtual Oracle* oracle() { return nullptr; }
    // False if its choices depend on time or on something outside, so that the same seeds may give
    // different games.
    [[nodiscard]] virtual bool is_reproducible() const { return true; }
};

// The only agent that sees the position in place of a view. Its results cannot be compared with
// those of others, so reports mark it.
class Oracle : public Agent {
  public:
    // As `choose`, but with the position itself.
    virtual std::size_t choose_knowing(const Position& truth, Random& random) = 0;
    [[nodiscard]] Oracle* oracle() final { return this; }
};

} // namespace croupier::agents
