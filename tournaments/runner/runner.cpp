// Cuts the schedule into work items and sends them through the pool.
#include "tournaments/runner/runner.h"

#include <algorithm>
#include <vector>

namespace croupier::tournaments {
namespace {

constexpr std::size_t kMostBlocks = 64; // an item; bounds the memory of a slot
constexpr std::size_t kSlotsPerWorker = 16;

// Some blocks on their way through the pool. Memory is kept from one load to the next.
struct Item {
    std::vector<Block> blocks; // never shrinks
    std::size_t count = 0;
    bool whole = false;
    PlayedBlocks played;
};

class BlockConveyor : public Conveyor {
  public:
    BlockConveyor(const Schedule& schedule, std::span<Worker* const> workers,
                  const RunnerSettings& settings, BlockSink& sink)
        : schedule_(schedule), workers_(workers), settings_(settings), sink_(sink),
          next_(settings.range.first), items_(workers.size() * kSlotsPerWorker) {}

    bool load(std::size_t slot) override {
        const std::uint64_t known = schedule_.known();
        if (ended_ || stopped() || next_ >= known) return false;
        const std::uint64_t left = (known - next_ - 1) / settings_.range.step + 1;
        Item& item = items_[slot];
        item.count = static_cast<std::size_t>(std::min<std::uint64_t>(left, item_size()));
        if (item.blocks.size() < item.count) item.blocks.resize(item.count);
        for (std::size_t i = 0; i < item.count; ++i, next_ += settings_.range.step)
            schedule_.get(next_, item.blocks[i]);
        return true;
    }

    void work(std::size_t slot, std::size_t worker) override {
        Item& item = items_[slot];
        const double begun = settings_.clock ? settings_.clock() : 0;
        item.whole = workers_[worker]->play(std::span(item.blocks).first(item.count), item.played);
        if (settings_.clock) {
            const double each = (settings_.clock() - begun) / static_cast<double>(item.count);
            block_seconds_.store(each, std::memory_order_relaxed);
        }
    }

    void unload(std::size_t slot) override {
        const Item& item = items_[slot];
        if (!item.whole) ended_ = true;
        const PlayedBlocks& played = item.played;
        PlayedBlocks::End begin;
        for (std::size_t i = 0; i < item.count; ++i) {
            if (ended_) return; // lies behind the end of the run
            const PlayedBlocks::End end = played.ends[i];
            const bool on = sink_.take(
                {item.blocks[i].index,
                 std::span(played.games).subspan(begin.game, end.game - begin.game),
                 std::string_view(played.rows).substr(begin.row, end.row - begin.row),
                 std::span(played.costs).subspan(begin.cost, end.cost - begin.cost),
                 std::string_view(played.records).substr(begin.record, end.record - begin.record)});
            begin = end;
            ++taken_;
            if (!on) ended_ = true;
        }
        sink_.pause();
    }

    [[nodiscard]] std::size_t slots() const { return items_.size(); }
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
        const double count =
            std::min(settings_.item_seconds / each, static_cast<double>(kMostBlocks));
        return std::max<std::size_t>(static_cast<std::size_t>(count), 1);
    }

    const Schedule& schedule_;
    std::span<Worker* const> workers_;
    const RunnerSettings& settings_;
    BlockSink& sink_;
    std::uint64_t next_;      // of load
    std::uint64_t taken_ = 0; // of unload
    std::atomic<bool> ended_ = false;
    std::atomic<double> block_seconds_ = 0;
    std::vector<Item> items_;
};

} // namespace

std::uint64_t play_blocks(Schedule& schedule, std::span<Worker* const> workers,
                          const RunnerSettings& settings, BlockSink& sink) {
    BlockConveyor conveyor(schedule, workers, settings, sink);
    // Where later blocks depend on results, all that is known is played before more is.
    for (;;) {
        convey(conveyor, workers.size(), conveyor.slots(), settings.pool);
        if (conveyor.ended()) break;
        schedule.advance();
        if (conveyor.next() >= schedule.known()) break;
    }
    return conveyor.taken();
}

} // namespace croupier::tournaments
