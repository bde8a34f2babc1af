// Divides the schedule into work items and sends them through the pool.
#include "tournaments/runner/runner.h"

#include "games/contract/doing.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace croupier::tournaments {

namespace {

constexpr std::size_t kMaxBlocks = 64; // per item; bounds the memory of a slot
constexpr std::size_t kSlotsPerWorker = 16;

// Some blocks on their way through the pool. Memory is reused.
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
        const std::uint64_t known = std::min(schedule_.known(), settings_.range.end);
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
            if (ended_) return; // after the end of the run
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
            std::min(settings_.item_seconds / each, static_cast<double>(kMaxBlocks));
        return std::max<std::size_t>(static_cast<std::size_t>(count), 1);
    }

    const Schedule& schedule_;
    std::span<Worker* const> workers_;
    const RunnerSettings& settings_;
    BlockSink& sink_;
    std::uint64_t next_;      // next block to load
    std::uint64_t taken_ = 0; // blocks unloaded
    std::atomic<bool> ended_ = false;
    std::atomic<double> block_seconds_ = 0;
    std::vector<Item> items_;
};

} // namespace

std::uint64_t play_blocks(Schedule& schedule, std::span<Worker* const> workers,
                          const RunnerSettings& settings, BlockSink& sink) {
    BlockConveyor conveyor(schedule, workers, settings, sink);
    // If later blocks depend on results, plays all known ones before advancing.
    for (;;) {
        convey(conveyor, workers.size(), conveyor.slots(), settings.pool);
        if (conveyor.ended()) break;
        schedule.advance();
        if (conveyor.next() >= std::min(schedule.known(), settings.range.end)) break;
    }
    return conveyor.taken();
}

// Plays blocks on a thread of this process.

class LocalWorkers::One : public Worker {
  public:
    One(const games::Game& game, const results::RunFacts& facts, const AgentMaker& make,
        const results::RowFormat& rows, std::mutex& making, const ProfileSettings& profile,
        const PlayerSettings& settings, const KeepSettings& keep)
        : meter_(profile.facts == nullptr ? nullptr : std::make_unique<CostMeter>(profile, game)),
          player_(game, make, static_cast<std::uint32_t>(facts.agents.size()), making,
                  with_costs(settings, meter_.get())),
          rows_(rows), seed_(facts.seed) {
        if (keep.keep != results::Keep::None) keeper_.emplace(game, keep, facts.seed, facts.agents);
    }

    bool play(std::span<const Block> blocks, PlayedBlocks& into) override {
        into.ends.clear();
        into.rows.clear();
        into.costs.clear();
        into.records.clear();
        if (meter_) meter_->works();
        bool played = false;
        try {
            played = play_each(blocks, into);
        } catch (...) {
            if (meter_) meter_->rests();
            throw;
        }
        if (!meter_) return played;
        // Clocks are not read at each block: the times of all are in the last one's rows.
        meter_->rests();
        if (into.ends.empty()) return played;
        meter_->drain_times(into.costs);
        into.ends.back().cost = into.costs.size();
        return played;
    }

    void add_times(WorkerTimes& times) override {
        times.resize(1);
        times.decisions[0].add(player_.times());
    }
    void add_notes(AgentNotes& notes) const { player_.add_notes(notes); }

  private:
    bool play_each(std::span<const Block> blocks, PlayedBlocks& into) {
        std::size_t at = 0;
        for (const Block& block : blocks) {
            if (into.games.size() < at + block.games()) into.games.resize(at + block.games());
            for (std::uint32_t game = 0; game < block.games(); ++game, ++at) {
                if (!player_.play(block, game, seed_, into.games[at])) return false;
                games::now(games::Doing::Rows);
                rows_.append(into.games[at], into.rows);
                if (keeper_ && keeper_->keeps(into.games[at].end)) keep(block, game, into.records);
            }
            if (meter_) meter_->drain(into.costs);
            into.ends.push_back({at, into.rows.size(), into.costs.size(), into.records.size()});
        }
        return true;
    }

    static PlayerSettings with_costs(PlayerSettings settings, CostMeter* meter) {
        settings.costs = meter;
        return settings;
    }
    void keep(const Block& block, std::uint32_t game, std::string& into) {
        keeper_->append({block.index, game}, block.seating(game), player_.start(), player_.table(),
                        into);
    }

    std::unique_ptr<CostMeter> meter_; // null if nothing is watched
    Player player_;
    const results::RowFormat& rows_;
    std::uint64_t seed_;
    std::optional<GameKeeper> keeper_; // unset if no game is kept
};

LocalWorkers::LocalWorkers(const games::Game& game, const results::RunFacts& facts,
                           const AgentMaker& make, std::size_t count,
                           const ProfileSettings& profile, const PlayerSettings& settings,
                           const KeepSettings& keep)
    : rows_(facts), profile_(profile) {
    for (std::size_t i = 0; i < count; ++i)
        workers_.push_back(
            std::make_unique<One>(game, facts, make, rows_, making_, profile_, settings, keep));
}

LocalWorkers::~LocalWorkers() = default;

std::vector<Worker*> LocalWorkers::all() const {
    std::vector<Worker*> all;
    for (const auto& worker : workers_)
        all.push_back(worker.get());
    return all;
}

AgentNotes LocalWorkers::notes() const {
    AgentNotes notes;
    for (const auto& worker : workers_)
        worker->add_notes(notes);
    return notes;
}

// One worker with several runners.

class VariantWorkers::One : public Worker {
  public:
    One(std::span<const Variant> variants, std::uint32_t agents, std::uint64_t seed,
        std::mutex& making, const std::function<double()>& clock, const PlayerSettings& settings,
        const results::RowFormat* rows)
        : seed_(seed), clock_(clock), rows_(rows), timed_(variants.size()) {
        for (const Variant& variant : variants) {
            playing_.push_back(static_cast<std::uint32_t>(players_.size()));
            players_.push_back(
                std::make_unique<Player>(*variant.game, variant.make, agents, making, settings));
            players_.back()->count_choices();
        }
    }

    void set_up(const Setup& setup) override { playing_ = setup.variants; }

    bool play(std::span<const Block> blocks, PlayedBlocks& into) override {
        into.ends.clear();
        into.rows.clear();
        std::size_t at = 0;
        for (const Block& block : blocks) {
            const std::size_t end = at + playing_.size() * block.games();
            if (into.games.size() < end) into.games.resize(end);
            for (const std::uint32_t variant : playing_) {
                const double begun = clock_ ? clock_() : 0;
                for (std::uint32_t game = 0; game < block.games(); ++game, ++at) {
                    if (!players_[variant]->play(block, game, seed_, into.games[at])) return false;
                    into.games[at].game += variant * block.games();
                    if (rows_ != nullptr) rows_->append(into.games[at], into.rows);
                }
                timed_[variant].push_back({clock_ ? clock_() - begun : 0, block.games()});
            }
            into.ends.push_back({at, into.rows.size()});
        }
        return true;
    }

    void add_times(WorkerTimes& times) override {
        times.resize(players_.size());
        for (std::size_t variant = 0; variant < players_.size(); ++variant) {
            const std::vector<Timed>& blocks = timed_[variant];
            std::uint64_t games = 0;
            for (std::size_t block = 0; block < blocks.size(); ++block) {
                games += blocks[block].games;
                if (!clock_ || block < blocks.size() / 2) continue;
                times.seconds[variant] += blocks[block].seconds;
                times.games[variant] += blocks[block].games;
            }
            results::TimeTable decisions = players_[variant]->times();
            decisions.set_games(games);
            times.decisions[variant].add(decisions);
        }
    }

  private:
    struct Timed {
        double seconds = 0;
        std::uint32_t games = 0;
    };

    std::uint64_t seed_;
    const std::function<double()>& clock_;
    const results::RowFormat* rows_;
    std::vector<std::unique_ptr<Player>> players_; // by variant
    std::vector<std::uint32_t> playing_;
    std::vector<std::vector<Timed>> timed_; // blocks by variant
};

VariantWorkers::VariantWorkers(std::span<const Variant> variants, std::uint32_t agents,
                               std::uint64_t seed, std::size_t count, std::function<double()> clock,
                               const PlayerSettings& settings, const results::RowFormat* rows)
    : clock_(std::move(clock)) {
    for (std::size_t i = 0; i < count; ++i)
        workers_.push_back(
            std::make_unique<One>(variants, agents, seed, making_, clock_, settings, rows));
}

VariantWorkers::~VariantWorkers() = default;

std::vector<Worker*> VariantWorkers::all() const {
    std::vector<Worker*> all;
    for (const auto& worker : workers_)
        all.push_back(worker.get());
    return all;
}

WorkerTimes measured_by(std::span<Worker* const> workers) {
    WorkerTimes times;
    for (Worker* worker : workers)
        worker->add_times(times);
    return times;
}

void WorkerTimes::resize(std::size_t variants) {
    if (decisions.size() >= variants) return;
    decisions.resize(variants);
    seconds.resize(variants);
    games.resize(variants);
}

double WorkerTimes::seconds_a_game(std::size_t variant) const {
    if (variant >= games.size() || games[variant] == 0) return 0;
    return seconds[variant] / static_cast<double>(games[variant]);
}

} // namespace croupier::tournaments
