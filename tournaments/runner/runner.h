// Has the blocks of a schedule played by many workers and hands them over in the order of the
// schedule.
#pragma once

#include "results/costs/cost.h"
#include "results/record.h"
#include "results/store/games_file.h"
#include "tournaments/replay/game_record.h"
#include "tournaments/runner/cost_meter.h"
#include "tournaments/runner/player.h"
#include "tournaments/runner/pool.h"
#include "tournaments/schedule/schedule.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::tournaments {

// Who plays blocks: a thread of this process, or (cluster/) one of another.

// Some blocks and how they went. Memory is kept from one use to the next.
struct PlayedBlocks {
    struct End { // of one block in games, rows, costs and records
        std::size_t game = 0;
        std::size_t row = 0;
        std::size_t cost = 0;
        std::size_t record = 0;
    };
    std::vector<End> ends;
    std::vector<results::GameRecord> games; // never shrinks
    std::string rows;
    std::vector<results::CostRow> costs; // of what was watched
    std::string records;                 // of the games that are kept, as in moves.jsonl
};

// Used by one thread at a time.
class Worker {
  public:
    Worker() = default;
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    virtual ~Worker() = default;

    // False: they could not be played, and will not be by this worker.
    virtual bool play(std::span<const Block> blocks, PlayedBlocks& into) = 0;
    // Adds what agents have taken for decisions in all that it has played. Not while it plays.
    virtual void add_times(results::TimeTable& /*times*/) const {}
};

// The workers of this process, and what they share. All must outlive it.
class LocalWorkers {
  public:
    // `profile`: which rules they watch. `settings` are those of each, but for `costs`; `keep`:
    // which games are kept.
    LocalWorkers(const games::Game& game, const results::RunFacts& facts, const AgentMaker& make,
                 std::size_t count, const ProfileSettings& profile = {},
                 const PlayerSettings& settings = {}, const KeepSettings& keep = {});
    ~LocalWorkers();
    LocalWorkers(const LocalWorkers&) = delete;
    LocalWorkers& operator=(const LocalWorkers&) = delete;

    [[nodiscard]] std::vector<Worker*> all() const;
    // Notes of all agents in all games so far, also in those played and then thrown away. Not
    // while anybody works.
    [[nodiscard]] AgentNotes notes() const;

  private:
    class One;

    results::RowFormat rows_;
    ProfileSettings profile_;
    std::mutex making_;
    std::vector<std::unique_ptr<One>> workers_;
};

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

// Plays the same blocks under several variants: of the ruleset, or of an agent.

// A game and who plays it. All variants have the same seats and as many agents.
struct Variant {
    const games::Game* game = nullptr;
    AgentMaker make;
};

// Workers that hand over, for each block, its games under the first variant, then those under the
// second, and so on, numbered throughout. A thread plays a block under all variants in turn, so
// that what else the machine does falls on all alike.
class VariantWorkers {
  public:
    // The variants must outlive them, and so must `rows`, without which none are written. `clock`,
    // in seconds, may be absent: then nothing is timed.
    VariantWorkers(std::span<const Variant> variants, std::uint32_t agents, std::uint64_t seed,
                   std::size_t count, std::function<double()> clock = {},
                   const PlayerSettings& settings = {}, const results::RowFormat* rows = nullptr);
    ~VariantWorkers();
    VariantWorkers(const VariantWorkers&) = delete;
    VariantWorkers& operator=(const VariantWorkers&) = delete;

    [[nodiscard]] std::vector<Worker*> all() const;
    // By variant, the mean over the later half of each worker's games; 0 without a clock or games.
    // After playing.
    [[nodiscard]] std::vector<double> seconds_per_game() const;
    // By variant, what its agents took for their decisions; empty if the settings have no clock.
    [[nodiscard]] std::vector<results::TimeTable> decision_times() const;

  private:
    class One;

    std::size_t variants_;
    std::function<double()> clock_;
    std::mutex making_;
    std::vector<std::unique_ptr<One>> workers_;
};

// Takes blocks as these workers hand them over.
class VariantSink : public BlockSink {
  public:
    // Returns whether to go on.
    using Take = std::function<bool(std::span<const results::GameRecord> games)>;
    explicit VariantSink(Take take) : take_(std::move(take)) {}
    bool take(const PlayedBlock& block) override { return take_(block.games); }

  private:
    Take take_;
};

} // namespace croupier::tournaments
