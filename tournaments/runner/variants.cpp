// One worker, several tables; see variants.h.
#include "tournaments/runner/variants.h"

#include <numeric>
#include <utility>

namespace croupier::tournaments {

class VariantWorkers::One : public Worker {
  public:
    One(std::span<const Variant> variants, std::uint32_t agents, std::uint64_t seed,
        std::mutex& making, const std::function<double()>& clock, const PlayerSettings& settings,
        const results::RowFormat* rows)
        : seed_(seed), clock_(clock), rows_(rows) {
        for (const Variant& variant : variants) {
            players_.push_back(
                std::make_unique<Player>(*variant.game, variant.make, agents, making, settings));
            players_.back()->count_choices();
        }
    }

    bool play(std::span<const Block> blocks, PlayedBlocks& into) override {
        into.ends.clear();
        into.rows.clear();
        std::size_t at = 0;
        for (const Block& block : blocks) {
            const std::size_t end = at + players_.size() * block.games();
            if (into.games.size() < end) into.games.resize(end);
            for (std::size_t variant = 0; variant < players_.size(); ++variant) {
                const double begun = clock_ ? clock_() : 0;
                for (std::uint32_t game = 0; game < block.games(); ++game, ++at) {
                    if (!players_[variant]->play(block, game, seed_, into.games[at])) return false;
                    into.games[at].game += static_cast<std::uint32_t>(variant * block.games());
                    if (rows_ != nullptr) rows_->append(into.games[at], into.rows);
                }
                if (clock_) seconds_.push_back(clock_() - begun);
            }
            into.ends.push_back({at, into.rows.size()});
            games_.push_back(block.games());
        }
        return true;
    }

    // By variant, and how many games of each: of its later blocks, as in the first ones code is
    // compiled.
    void add_seconds(std::vector<double>& seconds, std::uint64_t& games) const {
        for (std::size_t block = games_.size() / 2; clock_ && block < games_.size(); ++block) {
            games += games_[block];
            for (std::size_t variant = 0; variant < seconds.size(); ++variant)
                seconds[variant] += seconds_[block * seconds.size() + variant];
        }
    }
    // Of each variant.
    [[nodiscard]] std::uint64_t games() const {
        return std::accumulate(games_.begin(), games_.end(), std::uint64_t{0});
    }
    [[nodiscard]] const results::TimeTable& times(std::size_t variant) const {
        return players_[variant]->times();
    }

  private:
    std::uint64_t seed_;
    const std::function<double()>& clock_;
    const results::RowFormat* rows_;
    std::vector<std::unique_ptr<Player>> players_;
    std::vector<double> seconds_;      // block by block, of each variant
    std::vector<std::uint32_t> games_; // of each variant in a block
};

VariantWorkers::VariantWorkers(std::span<const Variant> variants, std::uint32_t agents,
                               std::uint64_t seed, std::size_t count, std::function<double()> clock,
                               const PlayerSettings& settings, const results::RowFormat* rows)
    : variants_(variants.size()), clock_(std::move(clock)) {
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

std::vector<double> VariantWorkers::seconds_per_game() const {
    std::vector<double> result(variants_);
    std::uint64_t games = 0;
    for (const auto& worker : workers_)
        worker->add_seconds(result, games);
    for (double& seconds : result)
        seconds = games > 0 ? seconds / static_cast<double>(games) : 0;
    return result;
}

std::vector<results::TimeTable> VariantWorkers::decision_times() const {
    std::vector<results::TimeTable> result(variants_);
    for (const auto& worker : workers_) {
        for (std::size_t variant = 0; variant < variants_; ++variant) {
            results::TimeTable times = worker->times(variant);
            times.set_games(worker->games());
            result[variant].add(times);
        }
    }
    return result;
}

} // namespace croupier::tournaments
