// Who wins from every position of a small game, and in how many moves: found from the ends
// backwards.
#pragma once

#include "games/contract/game.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace croupier::agents {

// For games of two without chance that hide nothing and have few positions. Grows as it is asked
// for positions that it does not know. Used by one thread.
class Solution {
  public:
    // Positions that it holds at most, with what leads from one to the other: some 100 MB.
    static constexpr std::size_t kMost = 4'000'000;

    struct TooManyPositions : std::runtime_error {
        using std::runtime_error::runtime_error;
    };

    // What comes of a position if both sides play as well as can be.
    struct Worth {
        std::optional<games::Seat> winner; // nothing: a draw
        std::uint32_t plies = 0;           // until the game is over; 0 for draws
    };

    explicit Solution(const games::Game& game);

    // Of a position of that game. Solves all that can be reached from it, if need be; throws
    // TooManyPositions.
    Worth worth(const games::Position& position);
    // The index of a move that wins soonest, draws, or loses latest; the first of equals.
    std::size_t best_move(const games::Position& position);
    [[nodiscard]] std::size_t size() const { return entries_.size(); }

  private:
    using Number = std::uint32_t;
    enum class Known : std::uint8_t { Open, Won, Drawn };
    struct Entry {
        Known known = Known::Open;
        games::Seat turn = 0;
        games::Seat winner = 0;
        std::uint32_t plies = 0;
    };

    void solve(const games::Position& from);
    Number number_of(const games::Position& position);
    void settle();
    [[nodiscard]] static Entry entry_of(const games::Position& position);
    [[nodiscard]] bool better(const Worth& one, const Worth& other, games::Seat seat) const;

    const games::Game& game_;
    std::unordered_map<std::uint64_t, Number> numbers_; // by the hash of the position
    std::vector<Entry> entries_;
    // Positions that were met and not yet looked into.
    std::deque<std::pair<Number, std::unique_ptr<games::Position>>> open_;
    std::vector<std::unique_ptr<games::Position>> spare_;
    std::unique_ptr<games::Position> next_;
    std::vector<std::pair<Number, Number>> edges_; // from, to; while solving
    games::Random chance_;
};

} // namespace croupier::agents
