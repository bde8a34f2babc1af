// Passes blocks to journal, stop rules and listeners, in this order.
#include "tournaments/runner/ledger.h"

#include "results/store/measurements.h"
#include "tournaments/spec/specification.h"

#include <fmt/format.h>

#include <utility>

namespace croupier::tournaments {
namespace {

constexpr std::size_t kMuch = std::size_t{256} << 10; // pending bytes
constexpr double kWriteSeconds = 0.1;                 // loss by a kill, to be played again
constexpr double kSyncSeconds = 5;                    // loss by a power failure

} // namespace

std::vector<std::unique_ptr<results::StopRule>> make_stop_rules(const Specification& specification,
                                                                std::uint32_t games_per_block) {
    std::vector<std::unique_ptr<results::StopRule>> rules;
    if (specification.sprt)
        rules.push_back(std::make_unique<results::Sprt>(*specification.sprt, games_per_block));
    if (specification.width)
        rules.push_back(std::make_unique<results::IntervalWidth>(*specification.width,
                                                                 specification.agents.size()));
    return rules;
}

Ledger::Ledger(const results::RunFacts& facts, LedgerSettings settings)
    : settings_(std::move(settings)), reader_(facts) {
    if (settings_.clock) written_ = synced_ = settings_.clock();
}

bool Ledger::count(std::span<const results::GameRecord> games,
                   std::span<const results::CostRow> costs) {
    const results::BlockOutcome outcome = reader_.read(games);
    ++blocks_;
    games_ += games.size();
    for (const results::GameRecord& game : games)
        costs_.add_game(game.plies);
    for (const results::CostRow& row : costs)
        costs_.add(row);
    if (settings_.listener) settings_.listener(games, outcome);
    if (settings_.schedule != nullptr) settings_.schedule->feed(outcome.scores);
    for (const auto& rule : settings_.rules)
        if (rule->feed(outcome.scores)) stopped_ = true;
    return !stopped_;
}

bool Ledger::take(const PlayedBlock& block) {
    if (failure_) return false;
    if (journal_ != nullptr) {
        cost_rows_.clear();
        results::append_cost_rows(block.index, block.costs, cost_rows_);
        journal_->append(block.rows, cost_rows_, block.records);
    }
    const bool goes_on = count(block.games, block.costs);
    if (settings_.ends_at_faults) look_for_faults(block.games);
    for (const results::CostRow& row : block.costs)
        work_ += row.cost.tried + row.cost.matches;
    return goes_on && ending_fault_.empty() && work_ < settings_.most_work;
}

void Ledger::look_for_faults(std::span<const results::GameRecord> games) {
    for (const results::GameRecord& game : games) {
        if (game.end != results::End::Fault) continue;
        ending_fault_ = fmt::format("{}.{}: {}", game.block, game.game, game.fault);
        return;
    }
}

void Ledger::pause() {
    if (journal_ != nullptr && !failure_) {
        const double now = settings_.clock ? settings_.clock() : 0;
        const bool much = journal_->waiting() >= kMuch;
        if (!settings_.clock || much || now - written_ >= kWriteSeconds) {
            write(settings_.clock && now - synced_ >= kSyncSeconds);
            written_ = now;
        }
    }
    if (settings_.paused) settings_.paused();
}

void Ledger::write(bool sync) {
    failure_ = journal_->write();
    if (failure_ || !sync) return;
    failure_ = journal_->sync();
    synced_ = settings_.clock();
}

void Ledger::flush() {
    if (journal_ == nullptr || failure_) return;
    failure_ = journal_->write();
    if (!failure_) failure_ = journal_->sync();
}

std::vector<results::StopStatus> Ledger::stop_status() const {
    std::vector<results::StopStatus> all;
    for (const auto& rule : settings_.rules)
        all.push_back(rule->status());
    return all;
}

} // namespace croupier::tournaments
