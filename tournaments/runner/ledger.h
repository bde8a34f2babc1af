// Enters blocks in schedule order: stores them, sums them up, and applies the rules that end a run.
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

// The stop rules of the specification.
std::vector<std::unique_ptr<results::StopRule>> make_stop_rules(const Specification& specification,
                                                                std::uint32_t games_per_block);

// Called with every block that counts.
using BlockListener =
    std::function<void(std::span<const results::GameRecord>, const results::BlockOutcome&)>;

struct LedgerSettings {
    Schedule* schedule = nullptr; // receives results, if it uses them; not owned
    std::vector<std::unique_ptr<results::StopRule>> rules;
    BlockListener listener;
    std::function<void()> paused;  // called after some blocks, for progress
    std::function<double()> clock; // for the time of writes; without it, writes at each pause
    bool ends_at_faults = false;   // a newly played block with an agent's fault is the last
    // So is the block in which the tries and matches of watched rules and entries reach this sum: a
    // function of the games.
    std::uint64_t most_work = ~std::uint64_t{0};
};

class Ledger : public BlockSink {
  public:
    Ledger(const results::RunFacts& facts, LedgerSettings settings);

    // Also writes later blocks there. Not owned.
    void write_to(results::Journal& journal) { journal_ = &journal; }

    bool take(const PlayedBlock& block) override;
    void pause() override;
    // Counts a block that is already stored. Returns false if the run has ended with it.
    bool count(std::span<const results::GameRecord> games,
               std::span<const results::CostRow> costs = {});
    // Writes pending blocks.
    void flush();

    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    [[nodiscard]] std::uint64_t games() const { return games_; }
    // The costs of rules in these blocks, as far as watched.
    [[nodiscard]] const results::CostTable& costs() const { return costs_; }
    // Whether a stop rule has ended the run.
    [[nodiscard]] bool stopped() const { return stopped_; }
    [[nodiscard]] std::vector<results::StopStatus> stop_status() const;
    // The game whose fault ended the run, if any: "17.1: crash: ..".
    [[nodiscard]] const std::string& ending_fault() const { return ending_fault_; }
    // A write error; the run ends after it.
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
    double written_ = 0; // time of the last write
    double synced_ = 0;
};

} // namespace croupier::tournaments
