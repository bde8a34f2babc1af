// Where blocks are entered in schedule order: written down, added up, and asked whether to go on.
#pragma once

#include "results/costs/cost.h"
#include "results/record.h"
#include "results/statistics/block.h"
#include "results/statistics/stop.h"
#include "results/store/journal.h"
#include "tournaments/runner/runner.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace croupier::tournaments {

struct Specification;

// The rules of the specification that may end a run before its last block.
std::vector<std::unique_ptr<results::StopRule>> make_stop_rules(const Specification& specification,
                                                                std::uint32_t games_per_block);

// Hears of every block that counts.
using BlockListener =
    std::function<void(std::span<const results::GameRecord>, const results::BlockOutcome&)>;

struct LedgerSettings {
    Schedule* schedule = nullptr; // told of results, if it wants to be; not owned
    std::vector<std::unique_ptr<results::StopRule>> rules;
    BlockListener listener;
    std::function<void()> paused;  // after some blocks: for progress
    std::function<double()> clock; // for how often to write; without it, whenever there is a pause
    bool ends_at_faults = false;   // a block that is played with an agent's fault in it is the last
    // And so is one with which rules and entries that were watched have made so many tries and
    // matches: a function of the games.
    std::uint64_t most_work = ~std::uint64_t{0};
};

class Ledger : public BlockSink {
  public:
    Ledger(const results::RunFacts& facts, LedgerSettings settings);

    // Blocks that are taken are written there, too. Not owned.
    void write_to(results::Journal& journal) { journal_ = &journal; }

    bool take(const PlayedBlock& block) override;
    void pause() override;
    // A block that is written down already. Where it returns false, the run has ended with it.
    bool count(std::span<const results::GameRecord> games,
               std::span<const results::CostRow> costs = {});
    // Writes what still waits.
    void flush();

    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    [[nodiscard]] std::uint64_t games() const { return games_; }
    // What the rules of these blocks have cost, as far as they were watched.
    [[nodiscard]] const results::CostTable& costs() const { return costs_; }
    // A stop rule has ended the run.
    [[nodiscard]] bool stopped() const { return stopped_; }
    [[nodiscard]] std::vector<results::StopStatus> stop_status() const;
    // The game whose fault has ended the run, if one has: "17.1: crash: ..".
    [[nodiscard]] const std::string& ending_fault() const { return ending_fault_; }
    // What could not be written; the run does not go on after it.
    [[nodiscard]] const results::Failure& failure() const { return failure_; }
    [[nodiscard]] const results::BlockReader& reader() const { return reader_; }

  private:
    void write(bool sync);
    void look_for_faults(std::span<const results::GameRecord> games);

    LedgerSettings settings_;
    results::Journal* journal_ = nullptr;
    results::BlockReader reader_;
    results::CostTable costs_;
    std::string cost_rows_;
    results::Failure failure_;
    std::string ending_fault_;
    bool stopped_ = false;
    std::uint64_t blocks_ = 0;
    std::uint64_t games_ = 0;
    std::uint64_t work_ = 0;
    double written_ = 0; // when
    double synced_ = 0;
};

} // namespace croupier::tournaments
