// Start positions: where games begin that do not begin as usual; read from a file, checked, laid
// out.
#pragma once

#include "agents/game_runner.h"
#include "engine/api/text.h"
#include "games/contract/game.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace croupier::tournaments {

// A position, or moves from the deal or from a position. It is the same in every game of a seed:
// its deal, and what happens by chance in its moves, hang on its number and not on the block.
struct Start {
    std::uint64_t number = 0;              // in its file, from 0
    std::optional<engine::Document> state; // laid over the initial state; none: the deal
    std::vector<std::string> moves;        // made then, before anybody chooses
    engine::Span place;
    std::vector<engine::Span> move_places;
};

// A file of them: a JSON array, or one a line. Each is a state, as --state takes it, or an object
// with "moves", "state" or both. What is wrong goes to `diagnostics`.
std::vector<Start> read_starts(const engine::Sources& sources, std::uint32_t file,
                               engine::Diagnostics& diagnostics);

// The position in which it begins, before its moves. False, with diagnostics, if there is none.
bool begin_at(const Start& start, std::uint64_t seed, games::Position& into,
              engine::Diagnostics& diagnostics);
// Tries it: a state or a move that the game does not know, and a game that is over at once, are
// told with their places.
void check_start(const Start& start, const games::Game& game, std::uint64_t seed,
                 engine::Diagnostics& diagnostics);

// "a1, b1, c1": the legal moves of the position.
std::string list_of_moves(const games::Position& position);

// Those of a run. Immutable; threads share them.
class Starts {
  public:
    // At least one; `drawn`: in an order that the seed decides.
    Starts(std::vector<Start> all, bool drawn, std::uint64_t seed);

    [[nodiscard]] std::size_t size() const { return all_.size(); }
    [[nodiscard]] const Start& operator[](std::size_t number) const { return all_[number]; }
    // The one that a round of the schedule begins with; behind the last comes the first again.
    [[nodiscard]] const Start& of_round(std::uint64_t round) const {
        return all_[order_[round % order_.size()]];
    }

  private:
    std::vector<Start> all_;
    std::vector<std::size_t> order_;
};

// Lays starts out for a table. One a thread; keeps the last one, since the games of a block share
// it.
class Opener {
  public:
    explicit Opener(const games::Game& game) : game_(game) {}
    // Opens a start that was checked. Good until the next call; the start must outlive it.
    const agents::Opening& open(const Start& start, std::uint64_t seed);

  private:
    const games::Game& game_;
    std::unique_ptr<games::Position> position_;
    const Start* laid_out_ = nullptr; // in position_
    std::uint64_t seed_ = 0;
    agents::Opening opening_;
};

} // namespace croupier::tournaments
