// Games gone through once more, by moves that are known.
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

// Passes everything on to several.
class Listeners : public agents::Listener {
  public:
    Listeners() = default;
    // Those that are null hear nothing.
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

// The first lines of a log, which may have no end.
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

// Used again for one game after the other.
class GameReplay {
  public:
    explicit GameReplay(const games::Game& game) : position_(game.new_position()) {}

    // To the beginning of a game. False, with diagnostics, if there is no such start.
    bool begin(const agents::GameKey& key, const Start* start, engine::Diagnostics& diagnostics);
    // A legal move of the current position. Somebody may listen.
    void play(games::Move move, agents::Listener* listener = nullptr);
    // On to where so many of the game's moves are made, which are given from its beginning; less
    // far if they end, the game does, or one is not legal.
    void go(std::span<const std::string> moves, std::size_t to,
            agents::Listener* listener = nullptr);

    [[nodiscard]] const games::Position& position() const { return *position_; }
    // How many moves have been made since the beginning.
    [[nodiscard]] std::size_t made() const { return made_; }
    // For those who go on from here on a way of their own, with the chance that the game had.
    [[nodiscard]] games::Position& take_position() { return *position_; }
    [[nodiscard]] games::Random& chance() { return made_ < given_ ? given_chance_ : chance_; }

  private:
    std::unique_ptr<games::Position> position_;
    std::size_t made_ = 0;
    std::size_t given_ = 0; // moves of the start, which are the first ones
    games::Random given_chance_{0};
    games::Random chance_{0};
};

// A game followed from one seat: what it shows is what that seat may see. At tables with people
// agents and people look through this, and through nothing else.
class SeatReplay {
  public:
    // Game and start outlive it.
    SeatReplay(const games::Game& game, games::Seat seat, const agents::GameKey& key,
               const Start* start = nullptr);
    SeatReplay(const SeatReplay&) = delete;
    SeatReplay& operator=(const SeatReplay&) = delete;
    virtual ~SeatReplay() = default;

    // Goes on to where those moves lead; begins again if they are not a continuation. Every move
    // must be legal.
    void follow(std::span<const std::string> moves);
    // What the seat sees there.
    [[nodiscard]] const games::Position& view();
    [[nodiscard]] games::Seat seat() const { return seat_; }
    [[nodiscard]] const games::Game& game() const { return game_; }

  protected:
    [[nodiscard]] const agents::GameKey& key() const { return key_; }
    // A game begins, perhaps the same again.
    virtual void begins() = 0;
    // Before each move of the seat's own.
    virtual void decides() {}
    // After each move.
    virtual void sees(const games::Position& view, const agents::ObservedMove& seen) = 0;

  private:
    void begin();

    const games::Game& game_;
    games::Seat seat_;
    agents::GameKey key_;
    const Start* start_;
    GameReplay replay_;
    std::unique_ptr<games::Position> view_; // null where nothing is hidden
    std::vector<std::string> heard_;
    bool begun_ = false;
};

} // namespace croupier::tournaments
