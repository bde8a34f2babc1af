// Plays games to measure the costs of rules, finds hot machine code, and names machine code for
// perf.
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

// Games played to measure the costs of rules.

// How long to measure, and with what.
struct Timing {
    std::uint64_t ticks = 2000;              // enough to know a share of one half to 2.2 %
    double seconds = 2;                      // limit of wall time
    const std::atomic<bool>* stop = nullptr; // once set, ends soon
    MakeSampler sampler;
    std::function<double()> clock;
    CodeTimes* code = nullptr; // null if times of rules are enough
};

// Uses the clock and ticks of the host.
Timing timing_of(const HostServices& host);

// Games, or other work, on one thread: as many as needed for the times. Nothing is counted.
// `played` includes games without ticks.
struct TimedGames {
    results::CostTable times;
    std::uint64_t played = 0;
    std::optional<results::HardwareCounts> hardware; // per game; absent if unknown
};
// Called now and then; once it returns true, no block is begun.
using Over = std::function<bool()>;
// Plays `games` games; the seed differs between rounds.
using PlayGames = std::function<results::CostTable(std::uint64_t round, std::uint64_t games,
                                                   Sampler*, const Over&)>;
TimedGames time_games(const PlayGames& play_games, const Timing& timing);
// Times games of the run, whose rules must be described.
TimedGames time_games(const PreparedRun& run, const AgentMaker& make, const Timing& timing);

// The machine code of rules that ticks found, hottest first.
std::vector<results::HotCode> hot_code(const PreparedRun& run, const AgentMaker& make,
                                       const CodeTimes& times);

// At least `games` games of each, in alternating rounds.
std::vector<results::CostRound> measure_in_turn(const PreparedRun& old, const PreparedRun& now,
                                                std::uint64_t games, const MakeSampler& sampler);

// Names of rules for Linux's profiler perf, which does not know code compiled in memory.

// Records the playing rules and finally writes where their machine code is, since code is compiled
// on first use. The programs must live until then. Create it before the first game.
class PerfMap {
  public:
    // `made_ns`: by the clock that perf uses.
    explicit PerfMap(std::uint64_t made_ns) : made_ns_(made_ns) {}

    void add(const std::string& owner, const engine::Program& program);
    // Wraps `make` to record its agents, with these names.
    AgentMaker noting(AgentMaker make, std::vector<std::string> names);

    // A line for each piece of code: its address and size in hexadecimal, and its name, as
    // "belote:play/card".
    [[nodiscard]] std::string text() const;
    // Writes the text where perf looks for this process's code. Returns the error, if any.
    [[nodiscard]] std::optional<std::string> write() const;
    // Writes the code itself into that folder, as jit-PID.dump, for `perf inject --jit`. Returns
    // the error, if any.
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
