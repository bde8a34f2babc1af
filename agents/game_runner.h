// A table at which one game after the other is played: who sits there sees views and nothing else.
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

// What a thread that plays is about, for who interrupts it to look.

// Written by the thread at each step, read by signal handlers on it.
class Whereabouts {
  public:
    enum class Area : std::uint8_t {
        Harness, // schedules, tables, records
        Game,    // the position: its rules, and what is around them
        Agent,   // whoever sits on the seat
        Watch,   // counts what rules do: no part of the games
    };
    struct Activity {
        Area area = Area::Harness;
        games::Seat seat = 0; // of the agent
    };

    [[nodiscard]] Activity activity() const {
        const std::uint32_t word = word_.load(std::memory_order_relaxed);
        return {static_cast<Area>(word & 0xff), word >> 8};
    }

    // While it lives, the thread is there.
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

// What makes a game the same game again, besides rules and agents.
struct GameKey {
    std::uint64_t seed = 0;  // of the run
    std::uint64_t deal = 0;  // what is dealt depends on seed and deal alone
    std::uint64_t round = 0; // one of the games that are played with this deal
};

// Where a game begins that does not begin with the deal of its key.
struct Opening {
    const Position* position = nullptr; // in play; null: as `deal` deals
    std::uint64_t deal = 0;             // what the deal and the chance of these moves hang on
    // Made before anybody chooses, whoever is at turn; told and shown like any others. Who brings
    // them has tried them: with one that is not legal the opening ends.
    std::span<const std::string> moves;
};

// Hears of everything that happens; the positions are the table's own, with nothing hidden.
class Listener {
  public:
    Listener() = default;
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    virtual ~Listener() = default;

    virtual void begins(const Position&) {}
    // The player at turn is about to make that move.
    virtual void moves(const Position& /*before*/, Move) {}
    virtual void moved(const Position& /*after*/) {}
    // The player at turn cannot go on; `ends` comes next.
    virtual void faults(const Position&, const AgentFault&) {}
    // The rules have not ended the game, nor has a fault; `ends` comes next.
    virtual void judged(const Position&, const Verdict&) {}
    // Before `ends`: another agent has played for that seat.
    virtual void substituted(const Position&, Seat, const Substitution&) {}
    virtual void ends(const Position&) {}
};

// Which steps of which games are watched. Step 0 of a game is its deal, with the legal moves that
// follow; step n is its n-th move: who chooses it, what it does, what follows, and who observes it.
class StepWatch : public games::RuleWatch {
  public:
    static constexpr std::uint32_t kNever = 0xffffffff;

    // A game begins: the first of its steps that is watched.
    virtual std::uint32_t first(const GameKey& key) = 0;
    // The next one; `step` has been taken.
    virtual std::uint32_t after(std::uint32_t step) = 0;
};

// Measures decisions. Steps are counted as for a StepWatch; who has rules is not measured in steps
// that are watched.
class DecisionMeter {
  public:
    static constexpr std::uint32_t kNever = 0xffffffff;

    DecisionMeter() = default;
    DecisionMeter(const DecisionMeter&) = delete;
    DecisionMeter& operator=(const DecisionMeter&) = delete;
    virtual ~DecisionMeter() = default;

    // A game begins: whether all decisions of a seat are measured; and, of whoever decides in it,
    // the first step that is measured. `after` tells the next one.
    virtual bool measures_all(Seat seat, const Agent& agent) = 0;
    virtual std::uint32_t first(const GameKey& key) = 0;
    virtual std::uint32_t after(std::uint32_t step) = 0;
    virtual void decides(Seat seat, const Agent& agent) = 0;
    virtual void decided(Seat seat, const Agent& agent) = 0;
    // The game has ended: how many decisions each seat has made.
    virtual void ends(std::span<const std::uint32_t> decisions) = 0;
};

// Whose fault ended a game.
struct SeatFault {
    Seat seat = 0;
    AgentFault fault;
};

// One a thread. Keeps its positions, so that after the first game it allocates nothing.
class GameRunner {
  public:
    // The game must outlive the table.
    explicit GameRunner(const Game& game);

    // Plays from the deal to the end and returns how it stands then; good until the next game.
    // agents[i] sits on seat i; each has a random stream of its own. A game that ended by the fault
    // of an agent has no ending: `fault` tells.
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
    // The last game was broken off, because somebody wanted that: it is none.
    [[nodiscard]] bool abandoned() const { return abandoned_; }
    // A game of so many moves is cut; 0: none is.
    void set_cut(std::uint32_t plies) { cut_ = plies; }
    // Once it is set, games are broken off before the next move; not owned, null: never.
    void set_abandon(const std::atomic<bool>* abandon) { abandon_ = abandon; }
    // Who measures decisions; not owned, null: nobody.
    void set_meter(DecisionMeter* meter) { meter_ = meter; }
    // Who watches; not owned, null: nobody.
    void set_watch(StepWatch* watch) { watch_ = watch; }
    // Who gets the lines that rules print; not owned.
    void set_log(engine::Log* log) { position_->set_log(log); }
    // What the thread that plays is about; anybody may look, who watches may say so.
    [[nodiscard]] Whereabouts& whereabouts() { return whereabouts_; }

  private:
    [[nodiscard]] const Position& seen_by(Seat seat);
    void sit_down(std::span<Agent* const> agents, const GameKey& key);
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
    void tell(std::span<Agent* const> agents, Seat player, bool secret);

    const Game& game_;
    Whereabouts whereabouts_;
    StepWatch* watch_ = nullptr;
    std::unique_ptr<Position> position_;
    std::unique_ptr<Position> view_; // null where nothing is hidden
    std::optional<SeatFault> fault_;
    std::optional<Verdict> verdict_;
    bool abandoned_ = false;
    const std::atomic<bool>* abandon_ = nullptr;
    std::uint32_t cut_ = 0;
    DecisionMeter* meter_ = nullptr;
    std::uint32_t measured_step_ = DecisionMeter::kNever; // the next
    template <class Value>
    using BySeat = std::array<Value, games::kMaxPlayers>;
    BySeat<bool> measures_all_{};
    BySeat<std::uint32_t> decisions_{};
    BySeat<Seat> sides_{};      // the first of its partners
    BySeat<Oracle*> oracles_{}; // null: it sees its view
    BySeat<bool> offers_{};     // of such a first one: the side offers a draw
    std::vector<std::uint32_t> made_;
    std::vector<std::pair<Seat, Substitution>> substitutions_;
    std::vector<Random> choices_;
    std::vector<bool> looks_;
    std::vector<bool> observes_;
    bool anybody_observes_ = false;
    std::string move_; // its name: the move may change the position that holds it
};

} // namespace croupier::agents
