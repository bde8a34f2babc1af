// Plays one game after another with the same seats; agents see only views.
#pragma once

#include "agents/agent.h"
#include "engine/api/run.h"
#include "games/contract/streams.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::agents {

// The activity of a playing thread, for a profiler that interrupts it.

// The thread writes it at each step; signal handlers on the thread read it.
class Whereabouts {
  public:
    enum class Area : std::uint8_t {
        Harness, // schedules, runner, records
        Game,    // the position: its rules, and code around them
        Agent,   // the agent on the seat
        Watch,   // counts what rules do: not part of the games
    };
    struct Activity {
        Area area = Area::Harness;
        games::Seat seat = 0; // of the agent
    };

    [[nodiscard]] Activity activity() const {
        const std::uint32_t word = word_.load(std::memory_order_relaxed);
        return {static_cast<Area>(word & 0xff), word >> 8};
    }

    // Sets the thread's activity for its lifetime.
    class Stay {
      public:
        Stay(Whereabouts& of, Area area, games::Seat seat = 0)
            : word_(of.word_), before_(word_.load(std::memory_order_relaxed)) {
            word_.store(static_cast<std::uint32_t>(area) | seat << 8, std::memory_order_relaxed);
        }
        ~Stay() { word_.store(before_, std::memory_order_relaxed); }
        Stay(const Stay&) = delete;
        Stay& operator=(const Stay&) = delete;

      private:
        std::atomic<std::uint32_t>& word_;
        std::uint32_t before_;
    };

  private:
    std::atomic<std::uint32_t> word_ = 0;
};

// Identifies a game, besides its rules and agents.
struct GameKey {
    std::uint64_t seed = 0;  // of the run
    std::uint64_t deal = 0;  // what is dealt depends on seed and deal alone
    std::uint64_t round = 0; // one of the games played with this deal
};

// Where a game begins if not with the deal of its key.
struct Opening {
    const Position* position = nullptr; // in play; if null, `deal` deals
    std::uint64_t deal = 0;             // seeds the deal and the chance of these moves
    // Made before any agent chooses, whoever is to move; observed like any other moves. The caller
    // has checked them: the opening ends at an illegal one.
    std::span<const std::string> moves;
};

// Is called for everything that happens; the positions are the runner's own, with nothing hidden.
class Listener {
  public:
    Listener() = default;
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    virtual ~Listener() = default;

    virtual void begins(const Position&) {}
    // The player to move is about to make that move.
    virtual void moves(const Position& /*before*/, Move) {}
    virtual void moved(const Position& /*after*/) {}
    // The player to move cannot continue; `ends` follows.
    virtual void faults(const Position&, const AgentFault&) {}
    // Neither rules nor a fault have ended the game; `ends` follows.
    virtual void judged(const Position&, const Verdict&) {}
    // Called before `ends` if another agent has played for that seat.
    virtual void substituted(const Position&, Seat, const Substitution&) {}
    virtual void ends(const Position&) {}
};

// Selects the steps to watch. Step 0 of a game is its deal, with the legal moves after it; step n
// is its n-th move: the choice, the move, what follows, and the observing agents.
class StepWatch : public games::RuleWatch {
  public:
    static constexpr std::uint32_t kNever = 0xffffffff;

    // A game begins. Returns the first step to watch.
    virtual std::uint32_t first(const GameKey& key) = 0;
    // Returns the next step to watch, after `step` was watched.
    virtual std::uint32_t after(std::uint32_t step) = 0;
};

// Measures decisions. Steps are counted as for a StepWatch; agents with rules are not measured in
// watched steps.
class DecisionMeter {
  public:
    static constexpr std::uint32_t kNever = 0xffffffff;

    DecisionMeter() = default;
    DecisionMeter(const DecisionMeter&) = delete;
    DecisionMeter& operator=(const DecisionMeter&) = delete;
    virtual ~DecisionMeter() = default;

    // A game begins. `measures_all` says whether all decisions of a seat are measured; `first`
    // returns the first step whose decision is measured for any seat, `after` the next one.
    virtual bool measures_all(Seat seat, const Agent& agent) = 0;
    virtual std::uint32_t first(const GameKey& key) = 0;
    virtual std::uint32_t after(std::uint32_t step) = 0;
    virtual void decides(Seat seat, const Agent& agent) = 0;
    virtual void decided(Seat seat, const Agent& agent) = 0;
    // The game has ended, with the number of decisions of each seat.
    virtual void ends(std::span<const std::uint32_t> decisions) = 0;
};

// The agent's fault that ended a game.
struct SeatFault {
    Seat seat = 0;
    AgentFault fault;
};

// Use one per thread. Keeps its positions, so that it allocates nothing after the first game.
class GameRunner {
  public:
    // The game must outlive the runner.
    explicit GameRunner(const Game& game);

    // Plays from the deal to the end and returns the final position, valid until the next game.
    // agents[i] plays seat i; each has its own random stream. If an agent's fault ended the game,
    // the position has no ending: see `fault`.
    const Position& play(std::span<Agent* const> agents, const GameKey& key,
                         Listener* listener = nullptr, const Opening* opening = nullptr);
    // The moves of the last game, each as an index into the legal moves.
    [[nodiscard]] const std::vector<std::uint32_t>& made() const { return made_; }
    // The fault that ended the last game.
    [[nodiscard]] const std::optional<SeatFault>& fault() const { return fault_; }
    // How the last game ended, if its rules did not end it.
    [[nodiscard]] const std::optional<Verdict>& verdict() const { return verdict_; }
    // The seats for which another agent played in the last game.
    [[nodiscard]] const std::vector<std::pair<Seat, Substitution>>& substitutions() const {
        return substitutions_;
    }
    // The last game was abandoned on request: it does not count.
    [[nodiscard]] bool abandoned() const { return abandoned_; }
    // Cuts games after that many moves; 0 means never.
    void set_cut(std::uint32_t plies) { cut_ = plies; }
    // Once it is set, games are abandoned before the next move; not owned, may be null.
    void set_abandon(const std::atomic<bool>* abandon) { abandon_ = abandon; }
    // Sets the meter of decisions; not owned, may be null.
    void set_meter(DecisionMeter* meter) { meter_ = meter; }
    // Sets the watch; not owned, may be null.
    void set_watch(StepWatch* watch) { watch_ = watch; }
    // Sets the log for lines that rules print; not owned.
    void set_log(engine::Log* log) { position_->set_log(log); }
    // The activity of the playing thread; any code may read it, a watch may write it.
    [[nodiscard]] Whereabouts& whereabouts() { return whereabouts_; }

  private:
    [[nodiscard]] const Position& seen_by(Seat seat);
    void sit_down(std::span<Agent* const> agents, const GameKey& key,
                  const games::DealStreams& streams);
    std::size_t choice_of(Agent& agent, Seat seat);
    std::size_t measured_choice_of(Agent& agent, Seat seat);
    std::size_t sampled_choice_of(Agent& agent, Seat seat, std::uint32_t step, bool watched);
    [[nodiscard]] bool is_agreed(const Agent& agent, Seat seat);
    void give_up(const Agent& agent, Seat seat, bool resigns, Listener* listener);
    void judge(const Verdict& verdict, Listener* listener);
    void say_goodbye(std::span<Agent* const> agents, Listener* listener);
    [[nodiscard]] bool breaks_off() const {
        return abandon_ != nullptr && abandon_->load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::size_t find(std::string_view move) const;
    void watch(std::span<Agent* const> agents, games::RuleWatch* watch);
    std::uint32_t watched(std::span<Agent* const> agents, std::uint32_t step);
    void tell(std::span<Agent* const> agents, Seat player, Move move, bool secret);

    const Game& game_;
    Whereabouts whereabouts_;
    StepWatch* watch_ = nullptr;
    std::unique_ptr<Position> position_;
    std::unique_ptr<Position> view_; // null if nothing is hidden
    std::optional<SeatFault> fault_;
    std::optional<Verdict> verdict_;
    bool abandoned_ = false;
    const std::atomic<bool>* abandon_ = nullptr;
    std::uint32_t cut_ = 0;
    DecisionMeter* meter_ = nullptr;
    std::uint32_t measured_step_ = DecisionMeter::kNever; // the next one
    template <class Value>
    using BySeat = std::array<Value, games::kMaxPlayers>;
    BySeat<bool> measures_all_{};
    BySeat<std::uint32_t> decisions_{};
    BySeat<Seat> sides_{};      // the first of its partners
    BySeat<Oracle*> oracles_{}; // null if it sees its view
    BySeat<bool> offers_{};     // by the first seat of a side: the side offers a draw
    std::vector<std::uint32_t> made_;
    std::vector<std::pair<Seat, Substitution>> substitutions_;
    std::vector<Random> choices_;
    std::vector<bool> looks_;
    std::vector<bool> observes_;
    bool anybody_observes_ = false;
    std::string move_; // its name, copied because the move may change the position that holds it
};

} // namespace croupier::agents
