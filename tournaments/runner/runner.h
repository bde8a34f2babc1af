// Has the blocks of a schedule played by many workers and passes them on in schedule order.
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
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::tournaments {

// What plays blocks: a thread of this process, or (cluster/) of another one.

// Some blocks and their results. Memory is reused.
struct PlayedBlocks {
    struct End { // end of one block in games, rows, costs and records
        std::size_t game = 0;
        std::size_t row = 0;
        std::size_t cost = 0;
        std::size_t record = 0;
    };
    std::vector<End> ends;
    std::vector<results::GameRecord> games; // never shrinks
    std::string rows;
    std::vector<results::CostRow> costs; // of watched rules
    std::string records;                 // of kept games, as in moves.jsonl
};

// The variants or agents that play the next blocks, for workers that know several.
struct Setup {
    std::vector<std::uint32_t> variants; // that play, in order
    std::vector<double> values = {};     // a tuning's: the one agent's, then the other's
    std::uint64_t seed = 0;              // and the seed of its deals

    friend bool operator==(const Setup&, const Setup&) = default;
};

// Times that workers have measured, by variant. No result depends on them.
struct WorkerTimes {
    std::vector<results::TimeTable> decisions;
    // Only the later half of a worker's blocks, since code is compiled during the first ones.
    std::vector<double> seconds;
    std::vector<std::uint64_t> games;

    // Makes room for that many variants.
    void resize(std::size_t variants);
    // 0 if nothing was measured.
    [[nodiscard]] double seconds_a_game(std::size_t variant) const;
};

// Used by one thread at a time.
class Worker {
  public:
    Worker() = default;
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    virtual ~Worker() = default;

    // False if the blocks could not be played; this worker then plays no more.
    virtual bool play(std::span<const Block> blocks, PlayedBlocks& into) = 0;
    // Call before the first block, and between blocks.
    virtual void set_up(const Setup& /*setup*/) {}
    // Adds what it has measured. Not while it plays.
    virtual void add_times(WorkerTimes& /*times*/) {}
};

// All that they have measured.
WorkerTimes measured_by(std::span<Worker* const> workers);

// The workers of this process, and what they share. All arguments must outlive it.
class LocalWorkers {
  public:
    // `profile`: the rules to watch. `settings` apply to each worker, except `costs`; `keep`: the
    // games to keep.
    LocalWorkers(const games::Game& game, const results::RunFacts& facts, const AgentMaker& make,
                 std::size_t count, const ProfileSettings& profile = {},
                 const PlayerSettings& settings = {}, const KeepSettings& keep = {});
    ~LocalWorkers();
    LocalWorkers(const LocalWorkers&) = delete;
    LocalWorkers& operator=(const LocalWorkers&) = delete;

    [[nodiscard]] std::vector<Worker*> all() const;
    // Notes of all agents in all games so far, including discarded ones. Not while a worker plays.
    [[nodiscard]] AgentNotes notes() const;

  private:
    class One;

    results::RowFormat rows_;
    ProfileSettings profile_;
    std::mutex making_;
    std::vector<std::unique_ptr<One>> workers_;
};

// A finished block.
struct PlayedBlock {
    std::uint64_t index = 0;
    std::span<const results::GameRecord> games;
    std::string_view rows;                   // the same as rows of games.csv
    std::span<const results::CostRow> costs; // of watched rules
    std::string_view records;                // of its kept games
};

// Receives the blocks, in schedule order, one at a time. Output, statistics and stop rules depend
// only on this order, so they are equal for any number of threads.
class BlockSink {
  public:
    BlockSink() = default;
    BlockSink(const BlockSink&) = delete;
    BlockSink& operator=(const BlockSink&) = delete;
    virtual ~BlockSink() = default;

    // False ends the run with this block; later ones are discarded.
    virtual bool take(const PlayedBlock& block) = 0;
    // Called when some blocks were taken and the next may take a while.
    virtual void pause() {}
};

// Selects blocks first, first + step, .. A resumed run begins in the middle; machines that share a
// schedule each play every n-th block.
struct BlockRange {
    std::uint64_t first = 0;
    std::uint64_t step = 1;
    std::uint64_t end = ~std::uint64_t{0}; // none from here
};

struct RunnerSettings {
    Pool pool = kDefaultPool;
    BlockRange range;
    // Seconds since an arbitrary moment; determines how many short blocks form a work item, which
    // no result depends on. Without it a work item is one block.
    std::function<double()> clock;
    double item_seconds = 1e-3; // long compared with passing an item on
    // Set from outside: current blocks are finished and passed on, no others are begun.
    const std::atomic<bool>* stop = nullptr;
};

// Returns how many blocks the sink took. A block that could not be played ends the run before it.
std::uint64_t play_blocks(Schedule& schedule, std::span<Worker* const> workers,
                          const RunnerSettings& settings, BlockSink& sink);

// Plays the same blocks under several variants of the ruleset or of an agent.

// A game and its agents. All variants have the same seats and number of agents.
struct Variant {
    const games::Game* game = nullptr;
    AgentMaker make;
};

// Workers that return, for each block, its games under the first variant that plays, then under the
// second, and so on, numbered consecutively by the variants' places. A thread plays a block under
// all of them in turn, so that other load on the machine affects all equally.
class VariantWorkers {
  public:
    // The variants must outlive them, and so must `rows`; without it no rows are written. `clock`,
    // in seconds, may be absent: then nothing is timed. All variants play until they are set up
    // otherwise.
    VariantWorkers(std::span<const Variant> variants, std::uint32_t agents, std::uint64_t seed,
                   std::size_t count, std::function<double()> clock = {},
                   const PlayerSettings& settings = {}, const results::RowFormat* rows = nullptr);
    ~VariantWorkers();
    VariantWorkers(const VariantWorkers&) = delete;
    VariantWorkers& operator=(const VariantWorkers&) = delete;

    [[nodiscard]] std::vector<Worker*> all() const;

  private:
    class One;

    std::function<double()> clock_;
    std::mutex making_;
    std::vector<std::unique_ptr<One>> workers_;
};

// Takes blocks from these workers.
class VariantSink : public BlockSink {
  public:
    // Returns whether to continue.
    using Take = std::function<bool(std::span<const results::GameRecord> games)>;
    explicit VariantSink(Take take) : take_(std::move(take)) {}
    bool take(const PlayedBlock& block) override { return take_(block.games); }

  private:
    Take take_;
};

} // namespace croupier::tournaments
