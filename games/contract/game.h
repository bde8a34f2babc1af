// The contract of a game: what tournaments and agents know of it, whichever game it is.
//
//   const auto position = game.new_position();
//   Random deal = stream(seed, 0, Purpose::Deal), chance = stream(seed, 0, Purpose::Play);
//   position->start(deal);
//   while (position->ending() == Ending::None) {
//       position->play(position->move(0), chance);
//   }
//   position->score(0);
//
// Games are files (ruleset/); contract_test.cpp holds every one of them, revision by revision, to
// what is said here.
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

// What games and agents made of rules tell of the rules they run, to whoever measures them.

// What rules are run for. The first four are a game's, the others an agent's.
enum class Phase : std::uint8_t { Setup, Moves, Play, Score, Choose, Observe };

// In `RuleRun::seat`: it is nobody's in particular.
inline constexpr Seat kNobody = 0xffffffff;

// A group that is about to be run; the references are good during the call.
struct RuleRun {
    Phase phase = Phase::Setup;
    Seat seat = kNobody; // whose move, legal moves or thoughts they are
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

    // Before each run. Whoever hears it copies what it needs and changes nothing.
    virtual void runs(const RuleRun& run) = 0;
};

inline constexpr std::size_t kMaxPlayers = 8;

// A move as a number. Where `Facts::moves` lists a game's moves, it is an index into that list and
// the same in all positions of the game; otherwise it is good for the position that gave it and its
// copies. `Position::text` is its name in records and on the command line.
using Move = std::uint32_t;

// How a game ended. Whatever it is, the tournament goes on.
enum class Ending : std::uint8_t {
    None,       // it goes on
    Over,       // by its rules
    Aborted,    // a rule failed or a budget was passed: `Position::fault` says which
    Unfinished, // after `Facts::max_plies` moves
};
std::string_view name_of(Ending ending); // "over", "aborted", "unfinished", ""

// Why a game was aborted.
struct Fault {
    std::string rule;  // its name; empty if no single rule is to blame
    std::string what;  // "division by zero: 10 and 0", "no legal move"
    std::string place; // file:line:column, for people; may be empty, never in records
};

struct Team {
    std::string name;
    std::vector<Seat> seats;
};

// A part of a game by the name that its rules give it, "play".
struct GamePhase {
    std::string name;
    bool auction = false; // players bid in it
};

struct GameOption {
    std::string name;
    engine::Scalar value;
    std::string doc = {}; // a sentence for people; of facts only
};

// What is known of a game before it is played. Constant for the life of the game.
struct Facts {
    std::string name;     // "life"
    std::string revision; // "torus"; empty: the game itself
    std::string doc;      // a sentence or two for people
    std::string ruleset;  // hash of what its rules say: games with different rules differ in it
    std::vector<std::string> players; // names of the seats, two to eight
    std::vector<Team> teams;          // all seats, or empty: everyone plays alone
    std::vector<GamePhase> phases;    // empty where its rules name none
    std::vector<GameOption> options;  // with the values they have in this game
    engine::Document option_values;   // lists or leaves: what they may be, by name
    std::vector<std::string> moves;   // every move there can be; empty if they cannot be listed
    std::uint32_t max_plies = 0;      // a game of more moves is unfinished
    // Numbers that players win and that nothing but the score depends on; to have more is never
    // worse, nor is it that others have less. By number: whose it is.
    std::vector<std::vector<Seat>> gains;
    bool hides = false;   // some seat may not see everything: its view is less than the position
    bool replays = false; // a copy of a position plays its moves again before it goes on

    [[nodiscard]] std::uint32_t seats() const { return static_cast<std::uint32_t>(players.size()); }
    // The seat of the player with that name.
    [[nodiscard]] std::optional<Seat> seat(std::string_view player) const;
    [[nodiscard]] bool has_auction() const;
    // The others of the seat's team, itself included; only itself where everyone plays alone.
    [[nodiscard]] std::vector<Seat> partners(Seat seat) const;
    // "life:torus", or "life".
    [[nodiscard]] std::string title() const;
};

class Position;
class RulesetGame;

// How good the positions of a game are, for agents that look ahead. What a seat has, the others
// lack: between two players, worth(0) is -worth(1).
class Evaluation {
  public:
    static constexpr double kWon = 1e6; // worth of a won position; others are worth less

    Evaluation() = default;
    Evaluation(const Evaluation&) = delete;
    Evaluation& operator=(const Evaluation&) = delete;
    virtual ~Evaluation() = default;

    // The worth of a position that has not ended.
    [[nodiscard]] virtual double worth(const Position&, Seat) const = 0;
    // Whether `worth` depends on which moves are legal. If not, it takes positions after
    // `Position::play_last`, too.
    [[nodiscard]] virtual bool reads_moves() const { return true; }
    // For two players: what the one at turn has right after its best move, wins included.
    // Absent if no way is faster than trying all moves.
    [[nodiscard]] virtual std::optional<double> best_worth(const Position&) const { return {}; }
    // And which move that is: its index. Of several one by `choices`, each as likely.
    [[nodiscard]] virtual std::optional<std::size_t> best_move(const Position&, Random&) const {
        return {};
    }
};

// How many draws what a game believes to be likely has taken.
struct Draws {
    std::uint64_t kept = 0;     // by their own weight
    std::uint64_t rejected = 0; // were not
    std::uint64_t picked = 0;   // were, by weight among many that had been rejected
};

// What a seat can tell of a game that hides things: it follows the moves, and draws positions that
// may stand behind a view. Knows what the seat is told and nothing else. Used by one thread.
class Observer {
  public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;

    // A game begins, seen from that seat.
    virtual void reset(Seat me) = 0;
    // After a move; its name is empty if it was made in secret.
    virtual void observe(const Position& view, Seat player, std::string_view move) = 0;
    // Finds out what the view leaves open. False: nothing agrees with it, `problem` says why.
    virtual bool look(const Position& view) = 0;
    // After `look`: `into` becomes a position that agrees with the view, each as likely, or as the
    // game believes; the seat's legal moves are the view's, in its order. False: none was found,
    // `problem` says why.
    virtual bool draw(Position& into, Random& random) = 0;
    // Whether the game says how likely positions are; `doubt`: they are as likely as each other.
    [[nodiscard]] virtual bool believes() const { return false; }
    virtual void doubt() {}
    // Since it was made; all zero where nothing is believed.
    [[nodiscard]] virtual Draws draws() const { return {}; }
    [[nodiscard]] virtual const std::string& problem() const = 0;
};

// Immutable: threads share it. Outlives its positions.
class Game {
  public:
    Game() = default;
    Game(const Game&) = delete;
    Game& operator=(const Game&) = delete;
    virtual ~Game() = default;

    [[nodiscard]] virtual const Facts& facts() const = 0;
    // One that is not in play yet: `start`, `load` or `copy_from` comes next. It may allocate as
    // much as it will ever need; afterwards a game in steady state allocates nothing.
    [[nodiscard]] virtual std::unique_ptr<Position> new_position() const = 0;
    // What the game itself knows of the worth of its positions; null: nothing. The game's own.
    [[nodiscard]] virtual const Evaluation* evaluation() const { return nullptr; }
    // The observer of a game that hides something and says how it can be drawn; else null.
    [[nodiscard]] virtual std::unique_ptr<Observer> new_observer() const { return nullptr; }
    // The ruleset that the game is; null: it is none.
    [[nodiscard]] virtual const RulesetGame* ruleset_game() const { return nullptr; }
};

// One game in progress. Used by one thread at a time; different positions by different threads.
//
// What happens is a function of (game, chance, moves) and of nothing else: not of the machine, the
// thread, addresses, or what the object was used for before. Chance is brought by whoever plays, so
// a copy can look ahead with chance of its own and never learns what will really come.
class Position {
  public:
    Position() = default;
    Position(const Position&) = delete;
    Position& operator=(const Position&) = delete;
    virtual ~Position() = default;

    [[nodiscard]] virtual const Game& game() const = 0;

    // ---- a game ----
    // A new game from its beginning, whatever stood here before.
    virtual void start(Random& deal) = 0;
    // Plays a legal move (anything else is the caller's bug) and all that follows from it until
    // somebody must choose again. Not after the end.
    virtual void play(Move move, Random& chance) = 0;
    // The same where nobody is going to move on from there: the legal moves need not be found, and
    // `move_count` means nothing. Everything else is as after `play`, but for a position that has
    // no moves, which `play` aborts.
    virtual void play_last(Move move, Random& chance) { play(move, chance); }
    [[nodiscard]] virtual Ending ending() const = 0;
    // After Aborted.
    [[nodiscard]] virtual const Fault& fault() const = 0;
    // Moves played since `start` or `load`.
    [[nodiscard]] virtual std::uint32_t plies() const = 0;
    // Who is to move, until the end.
    [[nodiscard]] virtual Seat turn() const = 0;
    // In which part of the game it is: an index into `Facts::phases`, or kNoPhase.
    static constexpr std::size_t kNoPhase = static_cast<std::size_t>(-1);
    [[nodiscard]] virtual std::size_t phase() const { return kNoPhase; }
    // Whether players bid now.
    [[nodiscard]] bool is_auction() const;

    // ---- legal moves: of the player whose turn it is, at least one until the end, none twice ----
    [[nodiscard]] virtual std::size_t move_count() const = 0; // 0 after the end
    // The i-th, in an order that depends on the position alone. Costs little, so that a random
    // player need not list them.
    [[nodiscard]] virtual Move move(std::size_t i) const = 0;
    // All of them in that order, in place of what `into` held.
    virtual void list_moves(std::vector<Move>& into) const;
    // Its name; the text lives as long as the position is not changed.
    [[nodiscard]] virtual std::string_view text(Move move) const = 0;
    // The same for the same text in every build: what records of games tell moves by.
    [[nodiscard]] virtual std::uint64_t fingerprint(Move move) const { return move; }
    // The legal move of that name.
    [[nodiscard]] virtual std::optional<Move> find_move(std::string_view text) const;
    // Whether the others are not told which of its moves the player at turn makes.
    [[nodiscard]] virtual bool is_secret() const { return false; }

    // ---- results: of the position as it stood at the end ----
    // More is better. Partners have the same score and place. All zero after Aborted.
    [[nodiscard]] virtual double score(Seat seat) const = 0;
    // 1 is the best; who is equal shares a place, and the next one is left out (1 1 3). Partners
    // are one (1 2 1 2).
    [[nodiscard]] virtual std::uint32_t place(Seat seat) const = 0;
    // What the seat was in this game ("taker"), for tables; empty where the game knows no roles.
    [[nodiscard]] virtual std::string role(Seat) const { return {}; }

    // ---- copies and views: `other` is a position of the same game ----
    // Becomes the same position. Neither notices what later happens to the other. Cheap: this is
    // what search lives on.
    virtual void copy_from(const Position& other) = 0;
    // Becomes what that seat may know of `other`: what is hidden from it does not exist here, the
    // legal moves do if it is its turn. A view can be read, copied and hashed; it can be played on
    // where the game hides nothing (`Facts::hides`).
    virtual void view_from(const Position& other, Seat seat) = 0;
    [[nodiscard]] std::unique_ptr<Position> clone() const;
    // Hashes the contents, not how they came: equal positions, equal hashes, in every thread.
    [[nodiscard]] virtual std::uint64_t hash() const = 0;

    // ---- for agents that solve positions ----
    // What each of `Facts::gains` is now, and the hash of everything else: positions that agree in
    // it have the same moves, now and later.
    [[nodiscard]] virtual std::uint64_t hash_without_gains(std::vector<std::int32_t>& gains) const;
    // Who plays together from here on, where there are no teams: seats with the same number.
    [[nodiscard]] virtual std::uint32_t side(Seat seat) const { return seat; }

    // ---- for the rules of agents ----
    // The position as a state of its ruleset (`Game::ruleset_game`), its legal moves included: what
    // is faster to read than JSON. Null: the game is no ruleset. Good until the position changes.
    [[nodiscard]] virtual const engine::State* ruleset_state() const { return nullptr; }

    // ---- JSON ----
    // The nodes that the game documents; `load` accepts it.
    [[nodiscard]] virtual engine::Document state() const = 0;
    // The initial state, nothing dealt, with `over` laid over it; then whatever the game keeps
    // besides is computed again. False, with diagnostics, if the game cannot have such a state.
    // Not yet in play: `resume` or `evaluate` comes next.
    virtual bool load(const engine::Document& over, Random& chance,
                      engine::Diagnostics& diagnostics) = 0;
    // After `load`: finds whether the game is over, or else the legal moves.
    virtual void resume(Random& chance) = 0;
    // After `load`: the scoring alone, whether the game is over or not.
    virtual void evaluate(Random& chance) = 0;

    // ---- for people ----
    // Who hears of the rules that this position runs from now on, `load` and `evaluate` apart; not
    // owned, not copied, null: nobody. Games without rules have nothing to tell.
    virtual void set_watch(RuleWatch*) {}
    // Who gets the lines that rules print while this position is played; not owned, null: nobody.
    virtual void set_log(engine::Log*) {}

    // Plays to the end with moves picked as `move(choices.below(move_count()))`. A game that knows
    // a faster way to the same result may take it.
    virtual void play_randomly(Random& choices, Random& chance);
};

} // namespace croupier::games
