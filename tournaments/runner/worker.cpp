// Blocks played by a thread of this process.
#include "tournaments/runner/worker.h"

#include "games/contract/doing.h"

namespace croupier::tournaments {

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
        // Clocks are not asked at each block: times are those of all of them, and go to the last.
        meter_->rests();
        if (into.ends.empty()) return played;
        meter_->drain_times(into.costs);
        into.ends.back().cost = into.costs.size();
        return played;
    }

    void add_times(results::TimeTable& times) const override { times.add(player_.times()); }
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

    std::unique_ptr<CostMeter> meter_; // none where nobody watches
    Player player_;
    const results::RowFormat& rows_;
    std::uint64_t seed_;
    std::optional<GameKeeper> keeper_; // none where no game is kept
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

} // namespace croupier::tournaments
