// Who takes the time: plays games to learn what rules take, tells whose machine code is hot, and
// tells perf whose machine code is whose.
#pragma once

#include "engine/api/program.h"
#include "results/costs/cost.h"
#include "results/report/profile_view.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/runner/cost_meter.h"
#include "tournaments/runner/player.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::tournaments {

// Games that are played to learn what rules take.

// How long to look, and with what.
struct Timing {
    std::uint64_t ticks = 2000;              // are enough: a share of a half is then known to 2.2 %
    double seconds = 2;                      // on the wall are, too
    const std::atomic<bool>* stop = nullptr; // set: it ends soon
    MakeSampler sampler;
    std::function<double()> clock;
    CodeTimes* code = nullptr; // null: rules are enough
};

// With the clock and ticks of the host.
Timing timing_of(const HostServices& host);

// Games by one thread, or whatever else is run in their place: as many as it takes to know their
// times. Nothing is counted. `played`: games of all kinds, also those without ticks.
struct TimedGames {
    results::CostTable times;
    std::uint64_t played = 0;
    std::optional<results::HardwareCounts> hardware; // of a game; absent: it is not known
};
// Asked now and then; once it says so no block is begun.
using Over = std::function<bool()>;
// Plays so many games; the seed differs from round to round.
using PlayGames = std::function<results::CostTable(std::uint64_t round, std::uint64_t games,
                                                   Sampler*, const Over&)>;
TimedGames time_games(const PlayGames& play_games, const Timing& timing);
// Games of the run, whose rules must be described.
TimedGames time_games(const PreparedRun& run, const AgentMaker& make, const Timing& timing);

// The machine code of those rules that ticks have found at work, the hottest first.
std::vector<results::HotCode> hot_code(const PreparedRun& run, const AgentMaker& make,
                                       const CodeTimes& times);

// At least so many games of each of two, in rounds that take turns.
std::vector<results::CostRound> measure_in_turn(const PreparedRun& old, const PreparedRun& now,
                                                std::uint64_t games, const MakeSampler& sampler);

// Names of rules for Linux's profiler perf, which knows nothing of code that was compiled in
// memory.

// Remembers whose rules play, and tells at the end where their machine code stands: code is
// compiled when it is first needed. The programs must live until then. Made before the first game.
class PerfMap {
  public:
    // `made_ns`: by the clock that perf goes by.
    explicit PerfMap(std::uint64_t made_ns) : made_ns_(made_ns) {}

    void add(const std::string& owner, const engine::Program& program);
    // The agents that `make` makes, by their names.
    AgentMaker noting(AgentMaker make, std::vector<std::string> names);

    // A line for each piece of code: where it begins, its size, both as hexadecimal numbers, and
    // what it is for, as in "belote:play/card".
    [[nodiscard]] std::string text() const;
    // Puts it where perf looks for what this process has compiled. Says what went wrong.
    [[nodiscard]] std::optional<std::string> write() const;
    // Puts the code itself into that folder, as jit-PID.dump, for `perf inject --jit`. Says what
    // went wrong.
    [[nodiscard]] std::optional<std::string> dump(const std::string& folder) const;

  private:
    struct Piece {
        std::uintptr_t begin = 0;
        std::uintptr_t size = 0;
        std::string name;
    };
    [[nodiscard]] std::vector<Piece> pieces() const;

    const std::uint64_t made_ns_;
    mutable std::mutex mutex_; // agents are made by several threads
    std::vector<std::pair<std::string, const engine::Program*>> programs_;
};

} // namespace croupier::tournaments
