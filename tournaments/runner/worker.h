// Who plays blocks: a thread of this process, or (cluster/) one of another.
#pragma once

#include "results/costs/cost.h"
#include "results/costs/decision_times.h"
#include "results/record.h"
#include "results/store/rows.h"
#include "tournaments/replay/game_record.h"
#include "tournaments/runner/cost_meter.h"
#include "tournaments/runner/player.h"
#include "tournaments/schedule/schedule.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace croupier::tournaments {

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
    // Of all agents, in all games so far: also those that were played and then thrown away. Not
    // while anybody works.
    [[nodiscard]] AgentNotes notes() const;

  private:
    class One;

    results::RowFormat rows_;
    ProfileSettings profile_;
    std::mutex making_;
    std::vector<std::unique_ptr<One>> workers_;
};

} // namespace croupier::tournaments
