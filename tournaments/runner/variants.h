// Plays the same blocks under several variants: of the ruleset, or of an agent.
#pragma once

#include "results/costs/decision_times.h"
#include "results/record.h"
#include "results/store/rows.h"
#include "tournaments/runner/player.h"
#include "tournaments/runner/runner.h"
#include "tournaments/runner/worker.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace croupier::tournaments {

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
