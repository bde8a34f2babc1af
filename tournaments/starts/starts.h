// Start positions, for games that do not begin as usual: reads them from a file, checks them, and
// prepares them.
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

// A position, or moves from the deal or from a position. It is the same in every game with a seed:
// its deal and the chance of its moves depend on its number, not on the block.
struct Start {
    std::uint64_t number = 0;              // index in its file, from 0
    std::optional<engine::Document> state; // overlays the initial state; unset for the deal
    std::vector<std::string> moves;        // made next, before agents choose
    engine::Span place;
    std::vector<engine::Span> move_places;
};

// Reads a file of starts: a JSON array, or one per line. Each is a state, as for --state, or an
// object with "moves", "state" or both. Reports errors to `diagnostics`.
std::vector<Start> read_starts(const engine::Sources& sources, std::uint32_t file,
                               engine::Diagnostics& diagnostics);

// The position before its moves. False, with diagnostics, if it is invalid.
bool begin_at(const Start& start, std::uint64_t seed, games::Position& into,
              engine::Diagnostics& diagnostics);
// Tests a start; reports an invalid state, an illegal move, or a game that is over at once, with
// their positions.
void check_start(const Start& start, const games::Game& game, std::uint64_t seed,
                 engine::Diagnostics& diagnostics);

// "a1, b1, c1": the legal moves of the position.
std::string list_of_moves(const games::Position& position);

// The starts of a run. Immutable; threads share them.
class Starts {
  public:
    // `all` has at least one; `drawn`: in an order drawn from the seed.
    Starts(std::vector<Start> all, bool drawn, std::uint64_t seed);

    [[nodiscard]] std::size_t size() const { return all_.size(); }
    [[nodiscard]] const Start& operator[](std::size_t number) const { return all_[number]; }
    // The start for a round of the schedule; they repeat after the last.
    [[nodiscard]] const Start& of_round(std::uint64_t round) const {
        return all_[order_[round % order_.size()]];
    }

  private:
    std::vector<Start> all_;
    std::vector<std::size_t> order_;
};

// Prepares starts for a game runner. Use one per thread; keeps the last one, since the games of a
// block share it.
class Opener {
  public:
    explicit Opener(const games::Game& game) : game_(game) {}
    // Opens a checked start. Valid until the next call; the start must outlive it.
    const agents::Opening& open(const Start& start, std::uint64_t seed);

  private:
    const games::Game& game_;
    std::unique_ptr<games::Position> position_;
    const Start* laid_out_ = nullptr; // the one prepared in position_
    std::uint64_t seed_ = 0;
    agents::Opening opening_;
};

} // namespace croupier::tournaments
