// Watches the rules of one worker's games: counts what they do in all steps or in a sample, and
// samples by ticks where the time goes.
#pragma once

#include "agents/game_runner.h"
#include "agents/registry.h"
#include "engine/api/explain.h"
#include "engine/api/origins.h"
#include "engine/api/program.h"
#include "games/contract/doing.h"
#include "games/contract/game.h"
#include "results/costs/cost.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace croupier::tournaments {

// Ticks of the CPU time of a playing thread, with the interrupted addresses.

struct Tick {
    engine::Glimpse glimpse;
    agents::Whereabouts::Activity place;
    games::Doing doing = games::Doing::Table;
};

// Filled by a signal handler, emptied by the interrupted thread. When it is full, every second tick
// is dropped and the others count twice, so that long decisions are known as well as short ones.
class TickBuffer {
  public:
    explicit TickBuffer(const agents::Whereabouts& of) : of_(of) {}

    // Records that the thread is about to run the instruction at that address. For signal handlers.
    void note(std::uintptr_t at) noexcept {
        if (busy_.load(std::memory_order_relaxed)) return;
        const std::uint64_t weight = weight_.load(std::memory_order_relaxed);
        const std::uint64_t skipped = skipped_.load(std::memory_order_relaxed) + 1;
        skipped_.store(skipped % weight, std::memory_order_relaxed);
        if (skipped < weight) return;
        std::size_t count = count_.load(std::memory_order_relaxed);
        if (count == kSize) {
            count = kSize / 2;
            for (std::size_t i = 0; i < count; ++i)
                ticks_[i] = ticks_[2 * i + 1];
            weight_.store(2 * weight, std::memory_order_relaxed);
        }
        ticks_[count] = {engine::glimpse(at), of_.activity(),
                         games::doing.load(std::memory_order_relaxed)};
        count_.store(count + 1, std::memory_order_relaxed);
    }
    [[nodiscard]] bool empty() const { return count_.load(std::memory_order_relaxed) == 0; }
    // Calls take(tick, weight) for each tick so far, oldest first, and removes them. Ticks during
    // the call are lost.
    template <class Take>
    void drain(Take take) {
        busy_.store(true, std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_acq_rel);
        const std::size_t count = count_.load(std::memory_order_relaxed);
        for (std::size_t i = 0; i < count; ++i)
            take(ticks_[i], weight_.load(std::memory_order_relaxed));
        count_.store(0, std::memory_order_relaxed);
        skipped_.store(0, std::memory_order_relaxed);
        weight_.store(1, std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_acq_rel);
        busy_.store(false, std::memory_order_relaxed);
    }

    static constexpr std::size_t kSize = 1024;

  private:
    const agents::Whereabouts& of_;
    std::array<Tick, kSize> ticks_;
    std::atomic<std::size_t> count_ = 0;
    std::atomic<std::uint64_t> weight_ = 1;  // of each tick
    std::atomic<std::uint64_t> skipped_ = 0; // since the last recorded tick
    std::atomic<bool> busy_ = false;
};

// Interrupts threads after intervals of their CPU time. Provided by the command line: nothing here
// knows a clock. Used by several threads.
class Sampler {
  public:
    Sampler() = default;
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;
    virtual ~Sampler() = default;

    // From now on writes the ticks of the current thread there; null for none.
    virtual void sample(TickBuffer* into) = 0;
    // CPU time of the current thread in nanoseconds.
    [[nodiscard]] virtual std::uint64_t cpu_ns() const = 0;
};

// The first deals of a run are watched more often, so that short runs have counts, too.
inline constexpr std::uint64_t kFirstDeals = 64;

// Machine instructions found by ticks, or that had called others found, with their time. The key is
// the owner of the rules (0 for the game, else agent + 1), the function, and the offset of a byte
// of the instruction.
using CodeTimes =
    std::map<std::tuple<std::size_t, std::size_t, std::uint32_t>, std::uint64_t>; // nanoseconds

struct ProfileSettings {
    const results::ProfileFacts* facts = nullptr; // null if nothing is watched
    Sampler* sampler = nullptr;                   // null for only counts
    std::uint32_t stretch = 0;                    // one of that many steps is watched; 0 for none
    std::uint32_t first_stretch = 0;              // in the first deals; 0 for the same
    CodeTimes* code = nullptr;                    // of the only worker; null if not needed
};

// The watched step in the n-th stretch of a game: a hash of only the game's key and n.
std::uint32_t sampled_step(const agents::GameKey& key, std::uint32_t n, std::uint32_t stretch);

// Use one per worker. Counts what rules do on copies (engine/explain/profile.h), and takes times by
// interrupting the thread, so it never affects games.
class CostMeter : public agents::StepWatch {
  public:
    // All must outlive the meter.
    CostMeter(const ProfileSettings& settings, const games::Game& game);
    // For rules outside games.
    CostMeter(const ProfileSettings& settings, const engine::Catalogue& rules);
    ~CostMeter() override;

    // Sets where the playing thread's activity is; call before measuring.
    void look_at(agents::Whereabouts& whereabouts);
    // The current thread plays from here until `rests`.
    void works();
    void rests();
    // Sets the agents of the next games, by number and by object.
    void seat(std::span<const std::uint32_t> numbers, std::span<agents::Agent* const> agents);
    std::uint32_t first(const agents::GameKey& key) override;
    std::uint32_t after(std::uint32_t step) override;
    void runs(const games::RuleRun& run) override;

    // Appends the counts since the last call, sorted by key, and resets them.
    void drain(std::vector<results::CostRow>& into);
    // The same for times.
    void drain_times(std::vector<results::CostRow>& into);

  private:
    CostMeter(const ProfileSettings& settings, std::uint32_t seats,
              const engine::Catalogue* rules_of_game);

    struct Program;
    struct Rules; // of a program, as far as ticks need them
    Program& program_of(const games::RuleRun& run);
    void settle();
    void take(const Tick& tick, std::uint64_t weight);
    void take_rules(const engine::TickOrigin& seen, std::uint64_t all_ns, const Rules& rules,
                    std::uint32_t first);
    void add_time(const results::CostKey& key, const results::Cost& cost);
    [[nodiscard]] const Rules& rules_of(const engine::Catalogue& catalogue);

    const ProfileSettings& settings_;
    std::uint32_t seats_;
    bool full_;
    std::vector<std::uint32_t> first_rules_; // of the game, then of each agent: index into facts
    const engine::Catalogue* game_rules_;    // null if it has none
    std::span<const std::uint32_t> agents_;
    std::vector<const engine::Catalogue*> agent_rules_; // by seat
    agents::Whereabouts* whereabouts_ = nullptr;
    std::unique_ptr<TickBuffer> buffer_;              // null without a sampler
    std::uint64_t begun_ns_ = 0;                      // CPU time of the thread at `works`
    std::uint64_t watched_ns_ = 0;                    // of that, time outside games
    std::map<results::CostKey, results::Cost> times_; // since the last drain
    std::map<const engine::Catalogue*, Rules> rules_;
    agents::GameKey key_;
    std::uint64_t watched_ = 0;
    bool touched_ = false;      // since the last drain
    std::uint32_t stretch_ = 0; // in this game
    // By owner: 0 is the game, then the agents.
    std::map<std::pair<std::size_t, const engine::Program*>, std::unique_ptr<Program>> programs_;
};

// The sampling rate of watched steps, chosen so that watching costs little in any game.

// Bounds: one of that many steps is watched.
inline constexpr std::uint32_t kLeastStretch = 1U << 15;
inline constexpr std::uint32_t kMaxStretch = 1U << 22;

// A watched rule is evaluated condition by condition, which in some games is a hundred times as
// slow as machine code. So a random game is begun, and its rules' work in a few steps is counted: a
// function of the game only.
std::uint32_t sample_stretch(const games::Game& game);

// Measures the decision times of one worker's agents: all of them, or a sample.

// A sample times one decision in kTimeStretch, since reading the clock takes five times as long as
// a random player. The processor's clock takes fifty times as long: only one sample in
// kProcessorStretch reads it.
inline constexpr std::uint32_t kTimeStretch = 256;
inline constexpr std::uint32_t kProcessorStretch = 8;

// Agents that depend on time or are programs are always measured; others in their first game, then
// always if they are slow, or else in sampled steps. Measuring never affects a game.
class TimeMeter : public agents::DecisionMeter {
  public:
    // Not used without a clock.
    TimeMeter(const agents::Clock* clock, std::size_t agents, std::size_t seats);

    // Sets the agents of the next game.
    void seat(std::span<const std::uint32_t> agents) { agents_ = agents; }
    [[nodiscard]] const results::TimeTable& table() const { return table_; }

    bool measures_all(games::Seat seat, const agents::Agent& agent) override;
    std::uint32_t first(const agents::GameKey& key) override;
    std::uint32_t after(std::uint32_t step) override;
    void decides(games::Seat seat, const agents::Agent& agent) override;
    void decided(games::Seat seat, const agents::Agent& agent) override;
    void ends(std::span<const std::uint32_t> decisions) override;

  private:
    void find_costs();
    [[nodiscard]] std::optional<std::chrono::nanoseconds>
    processor_time(const agents::Agent& agent) const;

    const agents::Clock* clock_;
    results::TimeTable table_;
    std::span<const std::uint32_t> agents_;
    agents::GameKey key_;
    std::uint64_t all_ = 0;     // bit set of seats that are always measured in this game
    std::uint32_t samples_ = 0; // samples of the other seats
    std::chrono::nanoseconds clock_cost_{0};
    std::chrono::nanoseconds processor_cost_{0};
    bool reads_processor_ = true; // for the current decision
    std::chrono::nanoseconds begun_{0};
    std::int64_t process_ = 0; // of the agent's process
    std::optional<std::chrono::nanoseconds> processor_begun_;
};

} // namespace croupier::tournaments
