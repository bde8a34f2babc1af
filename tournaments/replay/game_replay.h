// Replays games whose moves are known.
#pragma once

#include "agents/agent.h"
#include "agents/game_runner.h"
#include "engine/api/run.h"
#include "games/contract/game.h"
#include "tournaments/starts/starts.h"

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace croupier::tournaments {

// Forwards everything to several listeners.
class Listeners : public agents::Listener {
  public:
    Listeners() = default;
    // Null listeners are skipped.
    Listeners(std::initializer_list<agents::Listener*> all) {
        for (agents::Listener* const each : all)
            if (each != nullptr) add(*each);
    }
    void add(agents::Listener& listener) { all_.push_back(&listener); }
    void begins(const games::Position& position) override {
        for (agents::Listener* each : all_)
            each->begins(position);
    }
    void moves(const games::Position& before, games::Move move) override {
        for (agents::Listener* each : all_)
            each->moves(before, move);
    }
    void moved(const games::Position& after) override {
        for (agents::Listener* each : all_)
            each->moved(after);
    }
    void faults(const games::Position& position, const agents::AgentFault& fault) override {
        for (agents::Listener* each : all_)
            each->faults(position, fault);
    }
    void judged(const games::Position& position, const agents::Verdict& verdict) override {
        for (agents::Listener* each : all_)
            each->judged(position, verdict);
    }
    void substituted(const games::Position& position, games::Seat seat,
                     const agents::Substitution& other) override {
        for (agents::Listener* each : all_)
            each->substituted(position, seat, other);
    }
    void ends(const games::Position& position) override {
        for (agents::Listener* each : all_)
            each->ends(position);
    }

  private:
    std::vector<agents::Listener*> all_;
};

// Keeps the first lines of a log of any length.
class FirstLines : public engine::Log {
  public:
    explicit FirstLines(std::size_t most) : most_(most) {}
    void line(const std::string& text) override {
        if (lines.size() < most_) lines.push_back(text);
    }
    std::vector<std::string> lines;

  private:
    std::size_t most_;
};

// Reused for one game after another.
class GameReplay {
  public:
    explicit GameReplay(const games::Game& game) : position_(game.new_position()) {}

    // Goes to the beginning of a game. False, with diagnostics, if the start is invalid.
    bool begin(const agents::GameKey& key, const Start* start, engine::Diagnostics& diagnostics);
    // Plays a legal move of the current position.
    void play(games::Move move, agents::Listener* listener = nullptr);
    // Continues until `to` of the game's moves are made; `moves` are all from its beginning. Stops
    // earlier if they or the game end, or if one is illegal.
    void go(std::span<const std::string> moves, std::size_t to,
            agents::Listener* listener = nullptr);

    [[nodiscard]] const games::Position& position() const { return *position_; }
    // The number of moves since the beginning.
    [[nodiscard]] std::size_t made() const { return made_; }
    // For callers that continue differently from here, with the game's own chance.
    [[nodiscard]] games::Position& take_position() { return *position_; }
    [[nodiscard]] games::Random& chance() { return made_ < given_ ? given_chance_ : chance_; }

  private:
    std::unique_ptr<games::Position> position_;
    std::size_t made_ = 0;
    std::size_t given_ = 0; // moves of the start, which come first
    games::Random given_chance_{0};
    games::Random chance_{0};
};

// A game followed from one seat: shows only what that seat may see. At tables with people, agents
// and people see the game only through this.
class SeatReplay {
  public:
    // Game and start outlive it.
    SeatReplay(const games::Game& game, games::Seat seat, const agents::GameKey& key,
               const Start* start = nullptr);
    SeatReplay(const SeatReplay&) = delete;
    SeatReplay& operator=(const SeatReplay&) = delete;
    virtual ~SeatReplay() = default;

    // Continues to the position after those moves; restarts if they are not a continuation. All
    // must be legal.
    void follow(std::span<const std::string> moves);
    // The seat's view there.
    [[nodiscard]] const games::Position& view();
    [[nodiscard]] games::Seat seat() const { return seat_; }
    [[nodiscard]] const games::Game& game() const { return game_; }

  protected:
    [[nodiscard]] const agents::GameKey& key() const { return key_; }
    // A game begins, possibly the same one again.
    virtual void begins() = 0;
    // Called before each move of the seat.
    virtual void decides() {}
    // Called after each move.
    virtual void sees(const games::Position& view, const agents::ObservedMove& seen) = 0;

  private:
    void begin();

    const games::Game& game_;
    games::Seat seat_;
    agents::GameKey key_;
    const Start* start_;
    GameReplay replay_;
    std::unique_ptr<games::Position> view_; // null if nothing is hidden
    std::vector<std::string> heard_;
    bool begun_ = false;
};

} // namespace croupier::tournaments
