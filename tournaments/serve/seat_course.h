// A game followed from one seat: it is played along by the names of its moves, and what it shows is
// what that seat may see. Agents and pages look at games through this, and through nothing else.
#pragma once

#include "agents/agent.h"
#include "games/contract/game.h"
#include "games/drawing/drawer.h"
#include "tournaments/replay/game_record.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace croupier::serve {

class SeatCourse {
  public:
    // The game outlives it.
    SeatCourse(const games::Game& game, games::Seat seat, std::uint64_t seed);
    SeatCourse(const SeatCourse&) = delete;
    SeatCourse& operator=(const SeatCourse&) = delete;
    virtual ~SeatCourse() = default;

    // Goes on to where those moves lead; begins again if they are not a continuation. Every move
    // must be legal.
    void follow(std::span<const std::string> moves);
    // What the seat sees there.
    [[nodiscard]] const games::Position& view();
    [[nodiscard]] games::Seat seat() const { return seat_; }
    [[nodiscard]] const games::Game& game() const { return game_; }

  protected:
    [[nodiscard]] std::uint64_t seed() const { return seed_; }
    // A game begins, perhaps the same again.
    virtual void begins() = 0;
    // After each move.
    virtual void sees(const games::Position& view, const agents::Seen& seen) = 0;

  private:
    void begin();

    const games::Game& game_;
    games::Seat seat_;
    std::uint64_t seed_;
    tournaments::Course course_;
    std::unique_ptr<games::Position> view_; // null where nothing is hidden
    std::vector<std::string> heard_;
    bool begun_ = false;
};

// An agent on its seat. What it chooses is a function of the game, the seed and the moves: it
// plays on as it would have after an interruption.
class SeatedAgent : public SeatCourse {
  public:
    SeatedAgent(const games::Game& game, games::Seat seat, std::uint64_t seed,
                std::unique_ptr<agents::Agent> agent);

    struct Choice {
        std::string move; // empty: it makes none
        bool resigns = false;
        std::optional<agents::AgentFault> fault = {};
        std::vector<std::string> reasons = {}; // what it says of its choice, line by line
    };
    // After those moves, when it is its turn.
    Choice choose(std::span<const std::string> moves);

  private:
    void begins() override;
    void sees(const games::Position& view, const agents::Seen& seen) override;

    std::unique_ptr<agents::Agent> agent_;
    bool looks_ = true;
    bool observes_ = false;
};

// A person who looks: counts what is hidden, as far as the seat can.
class SeatedPerson : public SeatCourse {
  public:
    SeatedPerson(const games::Game& game, games::Seat seat, std::uint64_t seed);

    [[nodiscard]] games::Drawing draw(const games::Drawer& drawer);

  private:
    void begins() override;
    void sees(const games::Position& view, const agents::Seen& seen) override;

    std::unique_ptr<games::Observer> observer_; // null: nothing is counted
    std::unique_ptr<games::Position> likely_;
};

} // namespace croupier::serve
