// Plays single games for one worker: the runner, its agents, the records.
#pragma once

#include "agents/game_runner.h"
#include "engine/api/explain.h"
#include "results/record.h"
#include "tournaments/runner/cost_meter.h"
#include "tournaments/runner/terms.h"
#include "tournaments/schedule/schedule.h"
#include "tournaments/starts/starts.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace croupier::tournaments {

// Makes an agent by its number in the schedule. Called by several threads, one at a time.
using AgentMaker = std::function<std::unique_ptr<agents::Agent>(std::uint32_t agent)>;

// The notes of agents, by number in the schedule, with counts.
using AgentNotes = std::map<std::pair<std::uint32_t, std::string>, std::uint64_t>;

// Judges before each move, or in long games before fewer, who would win, by random playouts that
// know everything.
class LeadTally {
  public:
    LeadTally(const games::Game& game, std::uint32_t playouts);

    void begins(const games::Random& chance);
    void looks(const games::Position& before);
    // How the lead went; the position is the last one.
    [[nodiscard]] results::Course course(std::span<const results::SeatRecord> seats,
                                         std::uint32_t plies) const;

  private:
    struct Look {
        std::uint32_t plies = 0;
        std::optional<std::size_t> leader; // side; none if no lead is sure
    };

    std::vector<std::uint32_t> seats_; // the first one of each side
    std::uint32_t playouts_;
    std::unique_ptr<games::Position> copy_;
    games::Random chance_;
    std::vector<Look> looks_;
    std::uint32_t next_ = 0; // ply
};

// Watches which rules of a game fire, in all its steps.
class FiredRules : public agents::StepWatch {
  public:
    explicit FiredRules(const games::RulesetGame& game);

    std::uint32_t first(const agents::GameKey& key) override;
    std::uint32_t after(std::uint32_t step) override { return step + 1; }
    void runs(const games::RuleRun& run) override;
    // In the last game; as in GameRecord::fired.
    [[nodiscard]] std::string text() const;

  private:
    const engine::Program& program_;
    engine::Gauge gauge_;
    engine::Profile profile_;
};

// Hashes the moves, so that equal games have equal numbers; on request also counts the choices,
// which some games must compute.
class MoveTally : public agents::Listener {
  public:
    void count_choices() { counts_choices_ = true; }
    void set_leads(LeadTally* leads) { leads_ = leads; } // not owned; may be null
    void begins(const games::Position&) override { line_ = choices_ = forced_ = 0; }
    void moves(const games::Position& before, games::Move move) override {
        if (leads_ != nullptr) leads_->looks(before);
        line_ = (line_ ^ (before.fingerprint(move) + 1)) * 0x9e3779b97f4a7c15u;
        line_ ^= line_ >> 32;
        if (!counts_choices_) return;
        const std::size_t count = before.move_count();
        choices_ += count;
        forced_ += count == 1 ? 1 : 0;
    }
    [[nodiscard]] std::uint64_t line() const { return line_; }
    [[nodiscard]] std::uint64_t choices() const { return choices_; }
    [[nodiscard]] std::uint32_t forced() const { return forced_; }

  private:
    std::uint64_t line_ = 0;
    std::uint64_t choices_ = 0;
    std::uint32_t forced_ = 0;
    bool counts_choices_ = false;
    LeadTally* leads_ = nullptr;
};

// A worker's settings for playing.
struct PlayerSettings {
    Terms terms = {};
    CostMeter* costs = nullptr;                 // watches the games; may be null
    const agents::Clock* clock = nullptr;       // measures decisions; may be null
    const std::atomic<bool>* abandon = nullptr; // once set, games are abandoned; may be null
    const Starts* starts = nullptr;             // where games begin; null for as usual
    std::uint32_t playouts = 0;                 // before each move, to judge who leads; 0 for none
    std::uint64_t coverage = 0;                 // in so many deals it is told which rules fire
};

// Use one per worker. Agents are made when first needed, one for each of their seats, and kept: an
// agent's play never depends on earlier games.
class Player {
  public:
    // The mutex prevents workers from making agents concurrently; all arguments must outlive the
    // player.
    Player(const games::Game& game, const AgentMaker& make, std::uint32_t agents, std::mutex& mutex,
           const PlayerSettings& settings = {});

    // From now on records have `choices` and `forced`.
    void count_choices() { tally_.count_choices(); }

    // Plays a game of the block, reusing the record's memory. False if it was abandoned: there is
    // no record.
    bool play(const Block& block, std::uint32_t game, std::uint64_t seed,
              results::GameRecord& record);
    // The runner of the last game, and its start; null if as usual.
    [[nodiscard]] const agents::GameRunner& table() const { return table_; }
    [[nodiscard]] const Start* start() const { return start_; }
    // Adds the notes of its agents.
    void add_notes(AgentNotes& notes) const;
    // The decision times of its agents.
    [[nodiscard]] const results::TimeTable& times() const { return times_.table(); }

  private:
    agents::Agent& agent(std::uint32_t agent, games::Seat seat);
    void write(const games::Position& end, std::span<const std::uint32_t> seating,
               results::GameRecord& record) const;

    const AgentMaker& make_;
    std::mutex& mutex_;
    const games::Facts& facts_;
    PlayerSettings settings_;
    Opener opener_;
    const Start* start_ = nullptr;
    std::uint32_t seats_;
    agents::GameRunner table_;
    MoveTally tally_;
    std::unique_ptr<LeadTally> leads_;  // null if nobody asks who leads
    std::unique_ptr<FiredRules> fired_; // null if nobody asks which rules fire
    TimeMeter times_;
    std::vector<std::unique_ptr<agents::Agent>> agents_; // agent * seats + seat
    std::vector<agents::Agent*> seated_;
};

} // namespace croupier::tournaments
