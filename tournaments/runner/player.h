// Plays single games for one worker: the table, the agents that sit down at it, the records.
#pragma once

#include "agents/table.h"
#include "results/record.h"
#include "tournaments/runner/cost_meter.h"
#include "tournaments/schedule/schedule.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace croupier::tournaments {

// A new agent by its number in the schedule. Called by several threads, never by two at once.
using AgentMaker = std::function<std::unique_ptr<agents::Agent>(std::uint32_t agent)>;

// What the moves were, as a number: equal games have equal ones.
class LineHash : public agents::Listener {
  public:
    void begins(const games::Position&) override { hash_ = 0; }
    void moves(const games::Position&, games::Move move) override {
        hash_ = (hash_ ^ (move + 1)) * 0x9e3779b97f4a7c15u;
        hash_ ^= hash_ >> 32;
    }
    [[nodiscard]] std::uint64_t value() const { return hash_; }

  private:
    std::uint64_t hash_ = 0;
};

// One a worker. Agents are made when they are first needed, one for each seat they sit on, and
// kept: what an agent does never depends on earlier games.
class Player {
  public:
    // The mutex keeps workers from making agents at the same time; all must outlive the player. The
    // meter, if there is one, watches the games.
    Player(const games::Game& game, const AgentMaker& make, std::uint32_t agents, std::mutex& mutex,
           CostMeter* meter = nullptr);

    // Plays a game of the block; the record's memory is used again.
    void play(const Block& block, std::uint32_t game, std::uint64_t seed,
              results::GameRecord& record);

  private:
    agents::Agent& agent(std::uint32_t agent, games::Seat seat);
    void write(const games::Position& end, std::span<const std::uint32_t> seating,
               results::GameRecord& record) const;

    const AgentMaker& make_;
    std::mutex& mutex_;
    CostMeter* meter_;
    std::uint32_t seats_;
    agents::Table table_;
    LineHash line_;
    std::vector<std::unique_ptr<agents::Agent>> agents_; // agent * seats + seat
    std::vector<agents::Agent*> seated_;
};

} // namespace croupier::tournaments
