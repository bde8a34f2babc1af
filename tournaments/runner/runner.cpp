// Cuts the schedule into work items of about a millisecond and sends them through the pool.
#include "tournaments/runner/runner.h"

#include "results/store/rows.h"
#include "tournaments/runner/player.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace croupier::tournaments {
namespace {

constexpr double kItemSeconds = 1e-3;   // long enough that handing it over costs nothing
constexpr std::size_t kMostBlocks = 64; // an item; bounds the memory of a slot
constexpr std::size_t kSlotsPerThread = 16;

// Some blocks on their way through the pool. Memory is kept from one load to the next.
struct Item {
    struct Played {
        std::uint64_t index = 0;
        std::size_t games_end = 0;
        std::size_t rows_end = 0;
    };
    std::uint64_t first = 0;
    std::size_t count = 0;
    std::vector<Played> blocks;
    std::vector<results::GameRecord> games; // never shrinks
    std::string rows;
};

class BlockConveyor : public Conveyor {
  public:
    BlockConveyor(const games::Game& game, const results::RunFacts& facts, const AgentMaker& make,
                  const Schedule& schedule, const RunnerSettings& settings, BlockSink& sink)
        : schedule_(schedule), settings_(settings), sink_(sink), rows_(facts), seed_(facts.seed),
          next_(settings.range.first), items_(settings.threads * kSlotsPerThread),
          blocks_(settings.threads) {
        for (std::size_t i = 0; i < settings.threads; ++i) {
            players_.push_back(std::make_unique<Player>(
                game, make, static_cast<std::uint32_t>(facts.agents.size()), making_));
        }
    }

    bool load(std::size_t slot) override {
        const std::uint64_t known = schedule_.known();
        if (ended_ || stopped() || next_ >= known) return false;
        const std::uint64_t left = (known - next_ - 1) / settings_.range.step + 1;
        Item& item = items_[slot];
        item.first = next_;
        item.count = static_cast<std::size_t>(std::min<std::uint64_t>(left, item_size()));
        next_ += item.count * settings_.range.step;
        return true;
    }

    void work(std::size_t slot, std::size_t worker) override {
        Item& item = items_[slot];
        item.blocks.clear();
        item.rows.clear();
        const double begun = settings_.clock ? settings_.clock() : 0;
        for (std::size_t i = 0; i < item.count; ++i)
            play(item.first + i * settings_.range.step, worker, item);
        if (settings_.clock) {
            const double each = (settings_.clock() - begun) / static_cast<double>(item.count);
            block_seconds_.store(each, std::memory_order_relaxed);
        }
    }

    void unload(std::size_t slot) override {
        const Item& item = items_[slot];
        std::size_t game = 0;
        std::size_t row = 0;
        for (const Item::Played& block : item.blocks) {
            if (ended_) return; // lies behind the end of the run
            const bool on =
                sink_.take({block.index,
                            {item.games.data() + game, block.games_end - game},
                            std::string_view(item.rows).substr(row, block.rows_end - row)});
            game = block.games_end;
            row = block.rows_end;
            ++taken_;
            if (!on) ended_ = true;
        }
        sink_.pause();
    }

    [[nodiscard]] std::uint64_t taken() const { return taken_; }
    [[nodiscard]] std::uint64_t next() const { return next_; }
    [[nodiscard]] bool ended() const { return ended_ || stopped(); }

  private:
    [[nodiscard]] bool stopped() const {
        return settings_.stop != nullptr && settings_.stop->load(std::memory_order_relaxed);
    }

    [[nodiscard]] std::size_t item_size() const {
        const double each = block_seconds_.load(std::memory_order_relaxed);
        if (each <= 0) return 1;
        const double count = std::min(kItemSeconds / each, static_cast<double>(kMostBlocks));
        return std::max<std::size_t>(static_cast<std::size_t>(count), 1);
    }

    void play(std::uint64_t index, std::size_t worker, Item& item) {
        Block& block = blocks_[worker];
        schedule_.get(index, block);
        std::size_t at = item.blocks.empty() ? 0 : item.blocks.back().games_end;
        if (item.games.size() < at + block.games()) item.games.resize(at + block.games());
        for (std::uint32_t game = 0; game < block.games(); ++game, ++at) {
            players_[worker]->play(block, game, seed_, item.games[at]);
            rows_.append(item.games[at], item.rows);
        }
        item.blocks.push_back({index, at, item.rows.size()});
    }

    const Schedule& schedule_;
    const RunnerSettings& settings_;
    BlockSink& sink_;
    results::RowFormat rows_;
    std::uint64_t seed_;
    std::uint64_t next_;      // of load
    std::uint64_t taken_ = 0; // of unload
    std::atomic<bool> ended_ = false;
    std::atomic<double> block_seconds_ = 0;
    std::mutex making_;
    std::vector<Item> items_;
    std::vector<Block> blocks_; // by worker
    std::vector<std::unique_ptr<Player>> players_;
};

} // namespace

std::uint64_t play_blocks(const games::Game& game, const results::RunFacts& facts,
                          const AgentMaker& make_agent, Schedule& schedule,
                          const RunnerSettings& settings, BlockSink& sink) {
    BlockConveyor conveyor(game, facts, make_agent, schedule, settings, sink);
    // Where later blocks depend on results, all that is known is played before more is.
    for (;;) {
        convey(conveyor, settings.threads, settings.threads * kSlotsPerThread, settings.pool);
        if (conveyor.ended()) break;
        schedule.advance();
        if (conveyor.next() >= schedule.known()) break;
    }
    return conveyor.taken();
}

} // namespace croupier::tournaments
