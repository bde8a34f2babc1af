// Games that are played to learn what rules take.
#pragma once

#include "results/costs/compare.h"
#include "results/costs/cost.h"
#include "results/report/profile_view.h"
#include "tournaments/cli/machine.h"
#include "tournaments/cli/run_input.h"
#include "tournaments/cli/sampler.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace croupier::cli {

// How long to look. Tests lend clocks and ticks of their own.
struct Timing {
    std::uint64_t ticks = 2000;              // are enough: a share of a half is then known to 2.2 %
    double seconds = 2;                      // on the wall are, too
    const std::atomic<bool>* stop = nullptr; // set: it ends soon
    std::function<std::unique_ptr<tournaments::Sampler>(Ticks,
                                                        std::optional<results::HardwareCounts>*)>
        sampler = make_sampler;
    std::function<double()> clock = seconds_now;
    tournaments::CodeTimes* code = nullptr; // null: rules are enough
};

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
                                                   tournaments::Sampler*, const Over&)>;
TimedGames time_games(const PlayGames& play_games, const Timing& timing = {});
// Games of the run, whose rules must be described.
TimedGames time_games(const PreparedRun& run, const tournaments::AgentMaker& make,
                      const Timing& timing = {});

// The machine code of those rules that ticks have found at work, the hottest first.
std::vector<results::HotCode> hot_code(const PreparedRun& run, const tournaments::AgentMaker& make,
                                       const tournaments::CodeTimes& times);

// At least so many games of each of two, in rounds that take turns.
std::vector<results::CostRound> measure_in_turn(const PreparedRun& old, const PreparedRun& now,
                                                std::uint64_t games);

} // namespace croupier::cli
