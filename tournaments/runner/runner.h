// Has the blocks of a schedule played by many workers and hands them over in the order of the
// schedule.
#pragma once

#include "results/costs/cost.h"
#include "results/record.h"
#include "tournaments/runner/pool.h"
#include "tournaments/runner/worker.h"
#include "tournaments/schedule/schedule.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace croupier::tournaments {

// A block that was played.
struct PlayedBlock {
    std::uint64_t index = 0;
    std::span<const results::GameRecord> games;
    std::string_view rows;                   // the same as rows of games.csv
    std::span<const results::CostRow> costs; // of what was watched in it
    std::string_view records;                // of its games that are kept
};

// Who gets the blocks, in the order of the schedule, one at a time. Output, statistics and stop
// rules hang on this order and on nothing else, so they are the same for any number of threads.
class BlockSink {
  public:
    BlockSink() = default;
    BlockSink(const BlockSink&) = delete;
    BlockSink& operator=(const BlockSink&) = delete;
    virtual ~BlockSink() = default;

    // False: the run ends with this block; those behind it are thrown away.
    virtual bool take(const PlayedBlock& block) = 0;
    // Some blocks were taken, and it may be a while before more come.
    virtual void pause() {}
};

// Which blocks: first, first + step, .. A run that goes on begins in the middle, and machines that
// share a schedule play every n-th block each.
struct BlockRange {
    std::uint64_t first = 0;
    std::uint64_t step = 1;
};

struct RunnerSettings {
    Pool pool = kDefaultPool;
    BlockRange range;
    // Seconds since whenever; chooses how many short blocks go into one work item, which no result
    // depends on. Without it a work item is one block.
    std::function<double()> clock;
    double item_seconds = 1e-3; // long enough that handing an item over costs nothing
    // Set from outside: what is being played is finished and handed over, nothing else begun.
    const std::atomic<bool>* stop = nullptr;
};

// Returns how many blocks the sink took. A block that could not be played ends the run before it.
std::uint64_t play_blocks(Schedule& schedule, std::span<Worker* const> workers,
                          const RunnerSettings& settings, BlockSink& sink);

} // namespace croupier::tournaments
