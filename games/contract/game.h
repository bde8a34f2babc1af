// The contract of a game: all that tournaments and agents know of any game.
//
//   const auto position = game.new_position();
//   Random deal = stream(seed, 0, Purpose::Deal), chance = stream(seed, 0, Purpose::Play);
//   position->start(deal);
//   while (position->ending() == Ending::None) {
//       position->play(position->move(0), chance);
//   }
//   position->score(0);
//
// Games are files (ruleset/); contract_test.cpp tests every one of them, with each revision,
// against this contract.
#pragma once

#include "engine/api/program.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/contract/streams.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::games {

// The reports of games and rule agents about the rules they run, to profilers and meters.

// What rules are run for. The first four phases are a game's, the others an agent's.
enum class Phase : std::uint8_t { Setup, Moves, Play, Score, Choose, Observe };

// `RuleRun::seat` of rules that run for no single seat.
inline constexpr Seat kNobody = 0xffffffff;

// A group that is about to run; the references are valid during the call.
struct RuleRun {
    Phase phase = Phase::Setup;
    Seat seat = kNobody; // whose move, legal moves or decision it is
    const engine::Program& program;
    engine::GroupId group;
    const engine::Budgets& budgets;
    const engine::State& state;
    const engine::Random& random;
};

class RuleWatch {
  public:
    RuleWatch() = default;
    RuleWatch(const RuleWatch&) = delete;
    RuleWatch& operator=(const RuleWatch&) = delete;
    virtual ~RuleWatch() = default;

    // Called before each run. The callee copies what it needs and changes nothing.
    virtual void runs(const RuleRun& run) = 0;
};

inline constexpr std::size_t kMaxPlayers = 8;

// A move as a number. If `Facts::moves` lists a game's moves, it is an index into that list, in all
// positions of the game; otherwise it is valid for the position that gave it and its copies.
// `Position::text` is its name in records and on the command line.
using Move = std::uint32_t;

// Equal in every build. `before` is the hash of the text that comes before, if any.
std::uint64_t text_hash(std::string_view text, std::uint64_t before = 0xcbf29ce484222325u);

// How a game ended. The tournament continues in any case.
enum class Ending : std::uint8_t {
    None,       // it continues
    Over,       // by its rules
    Aborted,    // a rule failed or exceeded a budget: see `Position::fault`
    Unfinished, // after `Facts::max_plies` moves
};
std::string_view name_of(Ending ending); // "over", "aborted", "unfinished", ""

// Why a game was aborted.
struct Fault {
    std::string rule;  // empty if no single rule is to blame
    std::string what;  // "division by zero: 10 and 0", "no legal move"
    std::string place; // file:line:column, for people; may be empty; not in records
};

struct Team {
    std::string name;
    std::vector<Seat> seats;
};

// A phase of a game, by the name its rules give it, as "play".
struct GamePhase {
    std::string name;
    bool auction = false; // players bid in it
};

struct GameOption {
    std::string name;
    engine::Scalar value;
    std::string doc = {}; // a sentence for people; only in facts
};

// The facts known about a game before it is played. Constant for the life of the game.
struct Facts {
    std::string name;                 // "life"
    std::string revision;             // "torus"; empty for the base game
    std::string doc;                  // a sentence or two for people
    std::string ruleset;              // a hash of its rules: differs between different rules
    std::vector<std::string> players; // names of the seats, two to eight
    std::vector<Team> teams;          // covers all seats; empty if everyone plays alone
    std::vector<GamePhase> phases;    // empty if its rules name none
    std::vector<GameOption> options;  // with the values they have in this game
    engine::Document option_values;   // allowed values by name, each a list or a leaf
    std::vector<std::string> moves;   // every possible move; empty if they cannot be listed
    std::uint32_t max_plies = 0;      // a longer game is unfinished
    // Numbers that players win and that only the score depends on. Having more is never worse, nor
    // is it worse if others have less. Lists the owners by number.
    std::vector<std::vector<Seat>> gains;
    bool hides = false;   // a seat may not see everything: its view is less than the position
    bool replays = false; // a copy of a position replays its moves before it continues

    [[nodiscard]] std::uint32_t seats() const { return static_cast<std::uint32_t>(players.size()); }
    // The seat of the player with that name.
    [[nodiscard]] std::optional<Seat> seat(std::string_view player) const;
    [[nodiscard]] bool has_auction() const;
    // The seats of the seat's team, itself included; only itself if everyone plays alone.
    [[nodiscard]] std::vector<Seat> partners(Seat seat) const;
    // The players of those seats.
    [[nodiscard]] std::vector<std::string> names_of(const std::vector<Seat>& seats) const;
    // "life:torus", or "life".
    [[nodiscard]] std::string title() const;
};

class Position;
class RulesetGame;

// The value of a game's positions, for agents that look ahead. A seat's gain is the others' loss:
// between two players, worth(0) is -worth(1).
class Evaluation {
  public:
    static constexpr double kWon = 1e6; // worth of a won position; others are worth less

    Evaluation() = default;
    Evaluation(const Evaluation&) = delete;
    Evaluation& operator=(const Evaluation&) = delete;
    virtual ~Evaluation() = default;

    // The worth of a position that has not ended.
    [[nodiscard]] virtual double worth(const Position&, Seat) const = 0;
    // Whether `worth` depends on the legal moves. If not, it also accepts positions after
    // `Position::play_last`.
    [[nodiscard]] virtual bool reads_moves() const { return true; }
    // For two players: the worth for the player to move right after its best move, wins included.
    // Absent if there is no faster way than trying all moves.
    [[nodiscard]] virtual std::optional<double> best_worth(const Position&) const { return {}; }
    // The index of that move; among equals `choices` picks one uniformly.
    [[nodiscard]] virtual std::optional<std::size_t> best_move(const Position&, Random&) const {
        return {};
    }
};

// Number of draws, by how they were taken where a game says how likely positions are.
struct Draws {
    std::uint64_t kept = 0;     // accepted by their own weight
    std::uint64_t rejected = 0; // not accepted
    std::uint64_t picked = 0;   // picked by weight among many rejected ones
};

// Follows a game with hidden parts from a seat, and draws positions that agree with its view. Knows
// only what the seat may know. Used by one thread.
class Observer {
  public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;

    // A game begins, seen from that seat.
    virtual void reset(Seat me) = 0;
    // Call after a move; its name is empty for a secret move.
    virtual void observe(const Position& view, Seat player, std::string_view move) = 0;
    // Finds out what the view leaves open. False if no position agrees with it; `problem` says why.
    virtual bool look(const Position& view) = 0;
    // Call after `look`: `into` becomes a position that agrees with the view, with uniform
    // likelihood or as the game believes; the seat's legal moves are the view's, in its order.
    // False if none was found; `problem` says why.
    virtual bool draw(Position& into, Random& random) = 0;
    // Whether the game says how likely positions are; `doubt` makes them equally likely.
    [[nodiscard]] virtual bool believes() const { return false; }
    virtual void doubt() {}
    // Counted since it was made; all zero if the game believes nothing.
    [[nodiscard]] virtual Draws draws() const { return {}; }
    [[nodiscard]] virtual const std::string& problem() const = 0;
};

// Immutable: threads share it. Outlives its positions. Shared pointers hold it, so whoever keeps
// positions for longer can keep the game, too.
class Game : public std::enable_shared_from_this<Game> {
  public:
    Game() = default;
    Game(const Game&) = delete;
    Game& operator=(const Game&) = delete;
    virtual ~Game() = default;

    [[nodiscard]] virtual const Facts& facts() const = 0;
    // A position not yet in play: call `start`, `load` or `copy_from` next. It may allocate as much
    // as it will ever need; in steady state a game allocates nothing.
    [[nodiscard]] virtual std::unique_ptr<Position> new_position() const = 0;
    // The game's own evaluation of its positions, owned by the game; null if none.
    [[nodiscard]] virtual const Evaluation* evaluation() const { return nullptr; }
    // An observer, if the game hides something and says how to draw it; otherwise null.
    [[nodiscard]] virtual std::unique_ptr<Observer> new_observer() const { return nullptr; }
    // This game as a ruleset; null if it is not one.
    [[nodiscard]] virtual const RulesetGame* ruleset_game() const { return nullptr; }
};

// One game in progress. Used by one thread at a time; different positions by different threads.
//
// The course of a game is a function of (game, chance, moves) only: not of the machine, the thread,
// addresses, or the object's earlier use. The caller provides chance, so a copy can look ahead with
// chance of its own and never learns what will really happen.
class Position {
  public:
    Position() = default;
    Position(const Position&) = delete;
    Position& operator=(const Position&) = delete;
    virtual ~Position() = default;

    [[nodiscard]] virtual const Game& game() const = 0;

    // ---- a game ----
    // Begins a new game; any earlier one is discarded.
    virtual void start(Random& deal) = 0;
    // Plays a legal move (any other is the caller's bug) and all that follows, until a player must
    // choose again. Not after the end.
    virtual void play(Move move, Random& chance) = 0;
    // As `play`, if the caller will not continue from there: the legal moves need not be found, and
    // `move_count` is meaningless. The rest is as after `play`, except that a position without
    // moves is not aborted.
    virtual void play_last(Move move, Random& chance) { play(move, chance); }
    [[nodiscard]] virtual Ending ending() const = 0;
    // Valid after Aborted.
    [[nodiscard]] virtual const Fault& fault() const = 0;
    // Moves played since `start` or `load`.
    [[nodiscard]] virtual std::uint32_t plies() const = 0;
    // The seat to move, until the end.
    [[nodiscard]] virtual Seat turn() const = 0;
    // The current phase: an index into `Facts::phases`, or kNoPhase.
    static constexpr std::size_t kNoPhase = static_cast<std::size_t>(-1);
    [[nodiscard]] virtual std::size_t phase() const { return kNoPhase; }
    // Whether the current phase is an auction.
    [[nodiscard]] bool is_auction() const;

    // ---- legal moves: of the player to move, at least one until the end, without duplicates ----
    [[nodiscard]] virtual std::size_t move_count() const = 0; // 0 after the end
    // The i-th, in an order that depends on the position only. Cheap, so that a random player need
    // not list all.
    [[nodiscard]] virtual Move move(std::size_t i) const = 0;
    // Replaces `into` by all of them, in that order.
    virtual void list_moves(std::vector<Move>& into) const;
    // Its name; the text is valid until the position changes.
    [[nodiscard]] virtual std::string_view text(Move move) const = 0;
    // Equal for equal texts in every build: identifies moves in records of games.
    [[nodiscard]] virtual std::uint64_t fingerprint(Move move) const { return move; }
    // The legal move with that name.
    [[nodiscard]] virtual std::optional<Move> find_move(std::string_view text) const;
    // Whether the move of the player to move stays secret from the others.
    [[nodiscard]] virtual bool is_secret() const { return false; }

    // ---- results: of the position as it stood at the end ----
    // More is better. Partners have the same score and place. All zero after Aborted.
    [[nodiscard]] virtual double score(Seat seat) const = 0;
    // 1 is the best; equal seats share a place, and the next one is left out (1 1 3). Partners
    // count as one (1 2 1 2).
    [[nodiscard]] virtual std::uint32_t place(Seat seat) const = 0;
    // The seat's role in this game ("taker"), for tables; empty if the game knows no roles.
    [[nodiscard]] virtual std::string role(Seat) const { return {}; }

    // ---- copies and views: `other` is a position of the same game ----
    // Becomes the same position; later changes to one do not affect the other. Cheap, because
    // search depends on it.
    virtual void copy_from(const Position& other) = 0;
    // Becomes the seat's view of `other`: without what is hidden from the seat, and with legal
    // moves only if it is its turn. A view can be read, copied and hashed; it can be played on only
    // in games that hide nothing (`Facts::hides`).
    virtual void view_from(const Position& other, Seat seat) = 0;
    [[nodiscard]] std::unique_ptr<Position> clone() const;
    // Hashes the contents only: equal positions have equal hashes, in every thread.
    [[nodiscard]] virtual std::uint64_t hash() const = 0;

    // ---- for agents that solve positions ----
    // Sets the current value of each of `Facts::gains` and returns the hash of everything else:
    // positions with equal hashes have the same moves, now and later.
    [[nodiscard]] virtual std::uint64_t hash_without_gains(std::vector<std::int32_t>& gains) const;
    // The seat's side from here on, if there are no teams: partners have the same number.
    [[nodiscard]] virtual std::uint32_t side(Seat seat) const { return seat; }

    // ---- for the rules of agents ----
    // The position as a state of its ruleset (`Game::ruleset_game`), with its legal moves: faster
    // to read than JSON. Null if the game is not a ruleset. Valid until the position changes.
    [[nodiscard]] virtual const engine::State* ruleset_state() const { return nullptr; }

    // ---- JSON ----
    // The documented nodes; `load` accepts them.
    [[nodiscard]] virtual engine::Document state() const = 0;
    // Overlays the initial state, before dealing, with `over`, then computes the game's derived
    // nodes. False, with diagnostics, if the game cannot have such a state. Not yet in play: call
    // `resume` or `evaluate` next.
    virtual bool load(const engine::Document& over, Random& chance,
                      engine::Diagnostics& diagnostics) = 0;
    // Call after `load`: determines whether the game is over, or else the legal moves.
    virtual void resume(Random& chance) = 0;
    // Call after `load`: runs only the scoring, whether the game is over or not.
    virtual void evaluate(Random& chance) = 0;

    // ---- for people ----
    // Sets the watch for rules that this position runs from now on, except in `load` and
    // `evaluate`; not owned, not copied, may be null. Games without rules report nothing.
    virtual void set_watch(RuleWatch*) {}
    // Sets the log for lines that rules print in this position; not owned, may be null.
    virtual void set_log(engine::Log*) {}

    // Plays to the end with moves picked as `move(choices.below(move_count()))`. A game may use a
    // faster way to the same result.
    virtual void play_randomly(Random& choices, Random& chance);
};

} // namespace croupier::games
